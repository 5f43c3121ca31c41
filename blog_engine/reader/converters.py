"""Which path parts can be an article's address."""

from django.urls.converters import StringConverter

from blog_engine.conf import get_settings
from blog_engine.conf.types import RESERVED_SEGMENTS
from blog_engine.content.slugs import SLUG_PATTERN


class Slug(StringConverter):
    """A slug of the right shape (reader.md 1.1)."""

    regex = SLUG_PATTERN.removeprefix("^").removesuffix("$")


class BlogSlug(Slug):
    """A slug that no other route has reserved."""

    def to_python(self, value: str) -> str:
        if value in RESERVED_SEGMENTS | get_settings().route_segments.values():
            raise ValueError(value)
        return value
