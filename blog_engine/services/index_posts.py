"""Bringing the search index up to date after an upgrade."""

from blog_engine.content.faq import FaqPair
from blog_engine.content.search_text import SEARCH_VERSION
from blog_engine.models import Faq, Post
from blog_engine.services._bodies import Bodies
from blog_engine.services._search_index import (
    SEARCHED_COLUMNS,
    index_words,
    take_long_words,
    take_short_words,
    text_of_faq,
)
from blog_engine.services._transaction import locked_post, write_transaction


def index_posts() -> int:
    """Index the posts that another version of the search indexed, each in its own transaction; return their number.

    Content, history and dates stay as they are.
    """
    stale = Post.objects.exclude(indexed_with=SEARCH_VERSION).order_by("pk").values_list("pk", flat=True)
    return sum(_index(post_id) for post_id in list(stale))


def _index(post_id: int) -> bool:
    """Index one post, unless it was deleted in between."""
    bodies = Bodies()

    def write() -> bool:
        with write_transaction():
            post = locked_post(post_id)
            if post is None:
                return False
            body = bodies.of(post.body, post.body_format).searched
            asked = text_of_faq(FaqPair(row.question, row.answer) for row in Faq.objects.filter(post=post))
            take_short_words(post)
            take_long_words(post, body=body, asked=asked)
            post.store(update_fields=[*SEARCHED_COLUMNS, "indexed_with", "search_text"])
            index_words(post)
            return True

    return bodies.around(write)
