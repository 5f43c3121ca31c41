"""Fragments of links to posts, and the ids that the pages of these posts have."""

import json
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from django.db.models import TextField, Value
from django.db.models.functions import Cast, Concat

from blog_engine.content.headings import Heading, ids_on_page
from blog_engine.content.text import is_slug
from blog_engine.models import Post, when_public
from blog_engine.queries.compiled import among, among_texts
from blog_engine.queries.existing import RowsByKey
from blog_engine.queries.links import BlogPath

_MOST_POSTS: Final = 100
"""Posts whose headings are read; the outline of each can be long."""
_OF_EVERY_PAGE: Final = ("blog-", "fn-", "correction-", "faq")
"""The starts of the ids that pages have beside those of headings."""


class LinkedHeading(NamedTuple):
    """A heading of a post that a link leads to, by the ids that browsers look for."""

    slug: str
    ids: tuple[str, str]
    """The fragment as it is in the link, and decoded."""


def linked_heading(href: str, path: BlogPath | None, *, slug: str) -> LinkedHeading | None:
    """Return the heading of a post that a link leads to; ``None`` if it leads to a whole page, or to no page of a post.

    ``path`` is the path of the link in the blog, if it has one, and ``slug`` that of the post with the link. The places
    that have nothing to do with headings, such as footnotes, are none.
    """
    link, _, fragment = href.strip().partition("#")
    # Browsers cut the words to scroll to off.
    fragment = fragment.partition(":~:")[0]
    decoded = unquote(fragment)
    if not fragment or fragment.lower() == "top" or decoded.startswith(_OF_EVERY_PAGE):
        return None
    if path is None:
        return None if link else LinkedHeading(slug, (fragment, decoded))
    name = path.rest.removesuffix(".html")
    return LinkedHeading(name, (fragment, decoded)) if is_slug(name) and "md" not in path.formats else None


_OUTLINE: Final = Concat("slug", Value(" "), Cast("outline", TextField()), output_field=TextField())
_PUBLIC: Final = RowsByKey.of(lambda name: Post.objects.filter(when_public(), among_texts("slug", name)), _OUTLINE)
_OWN: Final = RowsByKey.of(lambda name: Post.objects.filter(among("pk", name)), _OUTLINE)


def outlines_of(slugs: Iterable[str], *, own: Collection[int]) -> dict[RowsByKey, Collection[Any]]:
    """Return the outlines of the first 100 public posts with these slugs, and of the posts with these ids.

    The result is for ``existing_keys``.
    """
    wanted: dict[RowsByKey, Collection[Any]] = {
        _PUBLIC: list(islice(dict.fromkeys(slugs), _MOST_POSTS)),
        _OWN: list(own),
    }
    return {kind: keys for kind, keys in wanted.items() if keys}


def ids_by_slug(found: Mapping[RowsByKey, Collection[str]]) -> dict[str, frozenset[str]]:
    """Return the ids of the headings of each post that ``existing_keys`` found for ``outlines_of``."""
    rows = (row.split(" ", 1) for part in (_PUBLIC, _OWN) for row in found.get(part, ()))
    return {slug: ids_in(json.loads(outline)) for slug, outline in rows}


def ids_in(outline: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the ids of the headings of a stored outline, former ones too."""
    return ids_on_page(Heading(**entry) for entry in outline)
