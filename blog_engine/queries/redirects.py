"""Addresses that moved or were removed."""

import hashlib
from urllib.parse import unquote

from django.db.models import QuerySet

from blog_engine.addresses import mount
from blog_engine.content.slugs import is_slug
from blog_engine.models import Post, Redirect

_FORMATS = (".md", ".html")


def path_key(path: str) -> str:
    """The digest under which a path is compared: percent-decoded, without a trailing slash (decisions.md 9.15)."""
    return hashlib.sha256(_plain(path).encode()).hexdigest()


def redirect_at(*paths: str) -> Redirect | None:
    """The row for the first of these paths without ``SCRIPT_NAME`` that moved or was removed; one query."""
    keys = [path_key(path) for path in paths]
    found = {row.old_key: row for row in Redirect.objects.filter(old_key__in=keys)}
    return next((found[key] for key in keys if key in found), None)


def redirects() -> QuerySet[Redirect]:
    """All rows, the oldest first."""
    return Redirect.objects.order_by("id")


def without_format(path: str) -> str:
    """The path of the page that a stored path shows in one of its formats, decoded; any other path only decoded.

    ``/blog/soil.md``, ``/blog/soil.html/`` and ``/blog/s%6Fil`` all show ``/blog/soil``.
    """
    plain = _plain(path)
    if not plain.startswith(f"{_plain_mount()}/"):
        return plain
    return next((plain.removesuffix(suffix) for suffix in _FORMATS if plain.endswith(suffix)), plain)


def is_address_of_post(path: str) -> bool:
    """Whether a stored post of any state has this path, in whatever spelling or format."""
    slug = without_format(path).removeprefix(f"{_plain_mount()}/")
    return is_slug(slug) and Post.objects.filter(slug=slug).exists()


def is_in_blog(path: str) -> bool:
    """Whether the path, without ``SCRIPT_NAME``, is at or below the mount; raises ``NoReverseMatch`` without one."""
    return f"{_plain(path)}/".startswith(f"{_plain_mount()}/")


def _plain(path: str) -> str:
    return unquote(path).rstrip("/") or "/"


def _plain_mount() -> str:
    return unquote(mount())
