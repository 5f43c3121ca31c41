"""Which path parts can be an address of the blog."""

from functools import cache

from django.urls import register_converter
from django.urls.converters import StringConverter

from blog_engine.conf import get_settings
from blog_engine.conf.types import RESERVED_SEGMENTS
from blog_engine.content.text import SLUG_PATTERN
from blog_engine.reader.theme import ThemeSheet, host_theme


class Slug(StringConverter):
    """A slug of the right shape (reader.md 1.1)."""

    regex = SLUG_PATTERN.removeprefix("^").removesuffix("$")


class BlogSlug(Slug):
    """A slug that no other route has reserved."""

    def to_python(self, value: str) -> str:
        if value in RESERVED_SEGMENTS | get_settings().route_segments.values():
            raise ValueError(value)
        return value


class HostTheme:
    """The digest of the stylesheet in force; one of another time leads nowhere."""

    regex = "[0-9a-f]{16}"

    def to_python(self, value: str) -> ThemeSheet:
        sheet = host_theme()
        if sheet is None or sheet.digest != value:
            raise ValueError(value)
        return sheet

    def to_url(self, value: ThemeSheet) -> str:
        return value.digest


@cache
def register_slugs() -> None:
    """Let routes say ``any_slug``, ``blog_slug`` and ``host_theme``; once in a process, as Django asks."""
    register_converter(Slug, "any_slug")
    register_converter(BlogSlug, "blog_slug")
    register_converter(HostTheme, "host_theme")
