"""Whether a draft that is stored is the one of the source."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from blog_engine.content.text import fold
from blog_engine.enums import PostStatus
from blog_engine.importing.images import FoundImage
from blog_engine.models import Image, Post
from blog_engine.queries.posts import tag_names

_PLAIN: Final = {
    "title": "",
    "body": "",
    "body_format": "",
    "description": "",
    "search_title": "",
    "search_description": "",
    "featured": False,
    "canonical_url": None,
    "language": "",
    "series_position": None,
    "cover_alt": "",
}
"""The fields that are stored as they are sent, with what they are if they are not."""


def differs(
    post: Post,
    values: Mapping[str, Any],
    *,
    cover: FoundImage | None,
    social: FoundImage | None,
    publish_at: datetime | None,
) -> bool:
    """Return whether a draft or scheduled post is not as the source has it; the slug is not compared."""
    return (
        any(getattr(post, name) != values.get(name, empty) for name, empty in _PLAIN.items())
        or (post.publish_at if post.status == PostStatus.SCHEDULED else None) != publish_at
        or ("author" in values and post.author_name != values["author"]["name"])
        or not _is_named(post.category, values.get("category"))
        or not _is_named(post.series, values.get("series"))
        or {fold(name) for name in tag_names(post)} != {fold(name) for name in values.get("tags", ())}
        or _digest(post.cover_image) != (cover.sha256 if cover else None)
        or _digest(post.social_image) != (social.sha256 if social else None)
    )


def _is_named(row: Any, sent: str | None) -> bool:
    return sent is None if row is None else sent in (row.slug, row.name)


def _digest(image: Image | None) -> str | None:
    return image.sha256 if image else None
