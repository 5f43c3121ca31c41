"""Searching posts by words, for the API and for readers (records.md 7, reader.md 6, decisions.md 4)."""

from collections.abc import Sequence
from functools import reduce
from operator import or_

from django.db import connections
from django.db.models import Q, QuerySet

from blog_engine.content.characters import has_long_mark_run
from blog_engine.content.folding import fold
from blog_engine.models import Post
from blog_engine.models.search import search_matches, search_rank
from blog_engine.queries.listings import STANDARD_ORDER, public_posts

_SHORTEST = 2
_LONGEST = 100
_COLUMNS = ("indexed_title", "indexed_description", "indexed_faq", "indexed_body")


def is_searchable(words: str) -> bool:
    """Return whether a search has from 2 to 100 characters, spaces around it not counted; others find nothing.

    More than 30 combining marks in a row are no words either.
    """
    return _SHORTEST <= len(words.strip()) <= _LONGEST and "\0" not in words and not has_long_mark_run(words)


def search(posts: QuerySet[Post], words: str, *, then_by: Sequence[str]) -> QuerySet[Post]:
    """The posts with these words in title, description, text or FAQ, each once.

    On PostgreSQL ``words`` is a web search (``"a phrase"``, ``-without``) and the best match comes first; elsewhere
    every word must occur, as part of a word too. ``then_by`` orders what is equal.
    """
    if not is_searchable(words):
        return posts.none()
    if connections[posts.db].vendor == "postgresql":
        return posts.filter(search_matches(words)).order_by(search_rank(words).desc(), *then_by)
    for word in fold(words).split():
        posts = posts.filter(reduce(or_, (Q(**{f"{column}__contains": word}) for column in _COLUMNS)))
    return posts.order_by(*then_by)


def public_matches(words: str) -> QuerySet[Post]:
    """The published posts with these words, the best match first, then the newest (decisions.md 3.15)."""
    return search(public_posts(), words, then_by=STANDARD_ORDER)
