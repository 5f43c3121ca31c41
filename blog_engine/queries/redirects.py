"""Redirects of this blog and those outside of it."""

import hashlib
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Left

from blog_engine.blog_urls import encoded_path, mount
from blog_engine.content.text import is_slug
from blog_engine.models import Post, Redirect

_FORMATS = (".md", ".html")


def path_key(path: str) -> str:
    """Return the digest under which a path is compared: percent-decoded, without a trailing slash.

    A query belongs to the path; the order of its parameters makes no difference.
    """
    page, mark, query = path.partition("?")
    compared = _plain(page) + mark + urlencode(sorted(parse_qsl(query, keep_blank_values=True)))
    return hashlib.sha256(compared.encode()).hexdigest()


def asked_paths(path_info: str, query: str) -> list[str]:
    """Return what a request asked for as ``redirect_at`` takes it: with its query first, then the path alone."""
    path = encoded_path(path_info)
    return [f"{path}?{query}", path] if query else [path]


def redirect_at(*paths: str) -> Redirect | None:
    """The row for the first of these paths without ``SCRIPT_NAME`` that moved or was removed; one query."""
    keys = [path_key(path) for path in paths]
    found = {row.old_key: row for row in Redirect.objects.filter(old_key__in=keys)}
    return next((found[key] for key in keys if key in found), None)


def redirects(*, old_path: str | None = None) -> QuerySet[Redirect]:
    """Return all rows, the oldest first; with ``old_path`` the one from that path, in any spelling."""
    rows = Redirect.objects.order_by("id")
    return rows if old_path is None else rows.filter(old_key=path_key(old_path))


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
    slug = without_format(path.partition("?")[0]).removeprefix(f"{_plain_mount()}/")
    return is_slug(slug) and Post.objects.filter(slug=slug).exists()


def is_in_blog(path: str) -> bool:
    """Whether the path, without ``SCRIPT_NAME``, is at or below the mount; raises ``NoReverseMatch`` without one."""
    return f"{_plain(path.partition('?')[0])}/".startswith(f"{_plain_mount()}/")


def _plain(path: str) -> str:
    return unquote(path).rstrip("/") or "/"


def _plain_mount() -> str:
    return unquote(mount())


REDIRECT_MIDDLEWARE: Final = "blog_engine.middleware.RedirectMiddleware"


def redirects_outside_blog() -> list[str]:
    """The old paths outside the mount, the oldest row first; they need ``RedirectMiddleware``. One query."""
    inside = f"{mount()}/"
    # Compared exactly, because LIKE of SQLite ignores case; what is left may still be the mount in another spelling.
    others = Redirect.objects.annotate(start=Left("old_path", len(inside))).exclude(start=inside)
    paths = others.order_by("id").values_list("old_path", flat=True)
    return [path for path in paths.iterator() if not is_in_blog(path)]


def serves_redirects_outside_blog() -> bool:
    """Return whether the host has the middleware that answers redirects outside the mount."""
    return REDIRECT_MIDDLEWARE in settings.MIDDLEWARE
