"""Redirects of paths inside and outside the blog."""

import hashlib
from functools import cache
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Left

from blog_engine.blog_urls import encoded_path, mount
from blog_engine.content.text import is_slug
from blog_engine.models import Post, Redirect
from blog_engine.queries.compiled import CompiledModels, Parameter

_FORMATS = (".md", ".html")


def path_key(path: str) -> str:
    """Return the digest by which paths are compared, decoded and without a last slash.

    The query is part of the path; the order of its parameters does not matter.
    """
    page, mark, query = path.partition("?")
    compared = _plain(page) + mark + urlencode(sorted(parse_qsl(query, keep_blank_values=True)))
    return hashlib.sha256(compared.encode()).hexdigest()


def requested_paths(path_info: str, query: str) -> list[str]:
    """Return the paths of a request for ``redirect_at``: first with its query."""
    path = encoded_path(path_info)
    return [f"{path}?{query}", path] if query else [path]


def redirect_at(*paths: str) -> Redirect | None:
    """Return the redirect of the first path that has one, or ``None``; one query.

    The paths have no ``SCRIPT_NAME``.
    """
    keys = [path_key(path) for path in paths]
    if not keys:
        return None
    found = {row.old_key: row for row in _at(len(keys)).all(**{f"key_{place}": key for place, key in enumerate(keys)})}
    return next((found[key] for key in keys if key in found), None)


@cache
def _at(number: int) -> CompiledModels[Redirect]:
    """Return the query for the redirects of so many paths."""
    keys = [Parameter(f"key_{place}") for place in range(number)]
    return CompiledModels(lambda: Redirect.objects.filter(old_key__in=keys).order_by())


def redirects(*, old_path: str | None = None) -> QuerySet[Redirect]:
    """Return all redirects, oldest first, or only the one from ``old_path``."""
    rows = Redirect.objects.order_by("id")
    return rows if old_path is None else rows.filter(old_key=path_key(old_path))


def without_format(path: str) -> str:
    """Return the decoded path without the suffix of a format, if it is in the blog.

    ``/blog/soil.md``, ``/blog/soil.html/`` and ``/blog/s%6Fil`` all become ``/blog/soil``.
    """
    plain = _plain(path)
    if not plain.startswith(f"{_plain_mount()}/"):
        return plain
    return next((plain.removesuffix(suffix) for suffix in _FORMATS if plain.endswith(suffix)), plain)


def is_post_path(path: str) -> bool:
    """Return whether a stored post has this path, in any encoding or format."""
    slug = without_format(path.partition("?")[0]).removeprefix(f"{_plain_mount()}/")
    return is_slug(slug) and Post.objects.filter(slug=slug).exists()


def is_in_blog(path: str) -> bool:
    """Return whether a path, without ``SCRIPT_NAME``, is at or below the mount.

    Raises ``NoReverseMatch`` when the blog is not mounted.
    """
    return f"{_plain(path.partition('?')[0])}/".startswith(f"{_plain_mount()}/")


def _plain(path: str) -> str:
    return unquote(path).rstrip("/") or "/"


def _plain_mount() -> str:
    return unquote(mount())


REDIRECT_MIDDLEWARE: Final = "blog_engine.middleware.RedirectMiddleware"


def redirects_outside_blog() -> list[str]:
    """Return the old paths outside the mount, for ``RedirectMiddleware``; one query."""
    inside = f"{mount()}/"
    # Compared exactly, because LIKE ignores case in SQLite; the rest can still have the mount in another encoding.
    others = Redirect.objects.annotate(start=Left("old_path", len(inside))).exclude(start=inside)
    paths = others.order_by("id").values_list("old_path", flat=True)
    return [path for path in paths.iterator() if not is_in_blog(path)]


def serves_redirects_outside_blog() -> bool:
    """Return whether the host has the middleware for redirects outside the mount."""
    return REDIRECT_MIDDLEWARE in settings.MIDDLEWARE
