"""Links in posts to pages of this blog, and whether those pages exist."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, parse_qs, unquote, urljoin, urlsplit

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.urls import Resolver404, resolve

from blog_engine.blog_urls import BlogURLs, mount, origin_parts, public_path, script_name, stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.text import is_slug
from blog_engine.enums import PostStatus
from blog_engine.models import Image, Post, Redirect, when_public
from blog_engine.queries.compiled import among, among_texts
from blog_engine.queries.existing import RowsByKey, existing_keys
from blog_engine.queries.listings import SUBJECTS
from blog_engine.queries.policies import replaced_kinds, served_pages
from blog_engine.queries.previews import PREVIEWABLE, previewed_post_id
from blog_engine.queries.redirects import path_key

_NO_SITE = "https://blog.invalid"
"""The origin of a site without ``public_base_url``; only relative links are resolved against it."""
_NOT_PAGES = frozenset({"api", "mcp"})


@dataclass(frozen=True, slots=True)
class BlogPath:
    """A decoded path inside the blog."""

    path: str
    """The path as Django sees it, without ``SCRIPT_NAME``."""
    rest: str
    """The path below the mount, without leading and trailing slash."""
    formats: frozenset[str]
    """The values of ``?format=``."""


def blog_path_of(href: str, *, page: str) -> BlogPath | None:
    """Return the path in the blog that a link leads to; ``None`` for any other link.

    ``page`` is the path of the page with the link, as browsers request it. Without ``public_base_url`` only relative
    links count. The API and the agent endpoint are not pages.
    """
    parts = _on_this_site(href, page=page)
    if parts is None:
        return None
    path, outside = unquote(_without_dots(parts.path)), unquote(script_name())
    prefix = outside + unquote(mount())
    rest = path[len(prefix) :].removeprefix("/").removesuffix("/")
    if not f"{path}/".startswith(f"{prefix}/") or rest.split("/")[0] in _NOT_PAGES:
        return None
    formats = parse_qs(parts.query, keep_blank_values=True).get("format", ())
    return BlogPath(path=path.removeprefix(outside), rest=rest, formats=frozenset(formats))


def _on_this_site(href: str, *, page: str) -> SplitResult | None:
    base = get_settings().public_base_url
    link = href.strip().replace("\\", "/")
    if not link or link[0] in "#?":
        return None
    try:
        if base is None and urlsplit(link).scheme:
            return None
        site = base or _NO_SITE
        whole = urljoin(site + page, link)
        return urlsplit(whole) if origin_parts(whole) == origin_parts(site) else None
    except ValueError:
        # Not a valid URL.
        return None


def _without_dots(path: str) -> str:
    """Return the path without ``.`` and ``..`` segments, encoded or not."""
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        match unquote(segment):
            case "..":
                kept = kept[:-1]
            case ".":
                pass
            case _:
                kept.append(segment)
    return "/" + "/".join(kept)


_DIGEST: Final = re.compile("[0-9a-f]{64}")
_PERIOD: Final = re.compile("[1-9][0-9]{3}(/(0[1-9]|1[0-2]))?")
_HTML: Final = frozenset({"html"})


class _Lookup(NamedTuple):
    kind: RowsByKey | None
    """``None`` for what is always there."""
    key: str
    asked: str | int | None = None
    """What its rows are looked up by, if that is not the key."""


@dataclass(frozen=True, slots=True)
class PathsLookedUp:
    """Paths of the blog, and the rows that would serve them."""

    lookups: Mapping[BlogPath, Sequence[_Lookup]]

    @classmethod
    def of(cls, paths: Iterable[BlogPath], *, now: datetime) -> "PathsLookedUp":
        """Return how to look these paths up."""
        return cls({path: _lookups(path, now) for path in paths})

    def rows(self) -> dict[RowsByKey, set[str | int]]:
        """Return the rows to look for, for ``existing_keys``."""
        keys: dict[RowsByKey, set[str | int]] = {}
        for kind, key, asked in (one for several in self.lookups.values() for one in several):
            if kind is not None:
                keys.setdefault(kind, set()).add(key if asked is None else asked)
        return keys

    def served(self, found: Mapping[RowsByKey, Collection[str]]) -> set[BlogPath]:
        """Return the paths that serve a page, a file, a redirect or a removal notice."""
        served = {
            path
            for path, several in self.lookups.items()
            if any(kind is None or key in found.get(kind, ()) for kind, key, _ in several)
        }
        return served | {path for path in self.lookups.keys() - served if _belongs_to_host(path)}


def served_paths(paths: Iterable[BlogPath], *, now: datetime) -> set[BlogPath]:
    """Return the paths that serve a page, a file, a redirect or a removal notice.

    At most one query, whatever the number of paths. No file is opened.
    """
    looked_up = PathsLookedUp.of(paths, now=now)
    return looked_up.served(existing_keys(looked_up.rows()))


def leads_readers_on(target: str | None, *, now: datetime) -> bool:
    """Return whether the target of a redirect serves readers, or is outside the blog.

    ``None`` is the target of a removal.
    """
    if target is None:
        return False
    path = blog_path_of(public_path(target), page=BlogURLs.on("").index_path())
    return path is None or path in served_paths([path], now=now)


def paths_without_page(targets: Iterable[str], *, now: datetime) -> set[str]:
    """Return the targets of redirects in the blog that serve readers nothing; at most one query."""
    index = BlogURLs.on("").index_path()
    found = {target: blog_path_of(public_path(target), page=index) for target in targets}
    paths = {target: path for target, path in found.items() if path is not None}
    served = served_paths(paths.values(), now=now) if paths else set()
    return {target for target, path in paths.items() if path not in served}


def _lookups(path: BlogPath, now: datetime) -> Sequence[_Lookup]:
    """Return the keys that make a path serve readers; one of them must exist."""
    settings = get_settings()
    moved = _Lookup(_MOVED, path_key(path.path))
    match path.rest.split("/"):
        case [""]:
            return _in_formats(_HTML, path, [_ALWAYS])
        case ["search" | "search.html"]:
            return _in_formats(_HTML | {"json"}, path, [_ALWAYS])
        case ["search.json" | "feed.xml" | "feed.json"]:
            return [_ALWAYS]
        case ["archive" | "subscribe"]:
            return _in_formats(_HTML, path, [_ALWAYS])
        case [segment] if segment in settings.route_segments.values():
            return _in_formats(_HTML, path, [_ALWAYS])
        case ["archive", *period] if _PERIOD.fullmatch("/".join(period)):
            # Whether it has posts depends on the time zone of who asks.
            return _in_formats(_HTML, path, [_ALWAYS])
        case ["sitemap.xml"] if settings.serve_sitemap:
            return [_ALWAYS]
        case ["preview", token]:
            pair = previewed_post_id(token, now=now)
            return [_Lookup(_PREVIEWED, f"{pair[0]} {pair[1]}", pair[0])] if pair else []
        case ["media", digest, filename] if filename and _DIGEST.fullmatch(digest):
            return [_Lookup(_STORED_IMAGES, digest), moved]
        case ["policies", slug] if is_slug(slug):
            return _in_formats(_HTML, path, [_Lookup(_shown_policies(replaced_kinds()), slug), moved])
        case [segment, name] if is_slug(slug := name.removesuffix(".html")):
            page = _Lookup(_MOVED, path_key(path.path.removesuffix(".html")))
            return _in_formats(_HTML, path, [*_lists(segment, slug), moved, page])
        case [segment, slug, "feed.xml" | "feed.json"] if is_slug(slug):
            return [*_lists(segment, slug), moved]
        case [name]:
            return _lookups_of_post(name, path, moved)
    return [moved]


def _lookups_of_post(name: str, path: BlogPath, moved: _Lookup) -> Sequence[_Lookup]:
    slug, dot, suffix = name.partition(".")
    if not is_slug(slug) or (dot and suffix not in {"md", "html"}):
        return [moved]
    page = [_Lookup(_PUBLISHED, slug), _Lookup(_MOVED, path_key(stored_post_path(slug)))]
    return [*page, moved] if suffix == "md" else _in_formats(_HTML | {"md"}, path, page)


def _lists(segment: str, slug: str) -> list[_Lookup]:
    segments = get_settings().route_segments
    return [_Lookup(rows, slug) for kind, rows in _LISTS.items() if segments.of(kind) == segment]


def _in_formats(formats: frozenset[str], path: BlogPath, lookups: Sequence[_Lookup]) -> Sequence[_Lookup]:
    # An unknown format is not found, even when the page has moved.
    return lookups if path.formats <= formats else []


def _by(column: str, rows: Callable[[], QuerySet[Any]]) -> RowsByKey:
    return RowsByKey.of(lambda name: rows().filter(among_texts(column, name)), column)


_PUBLISHED: Final = _by("slug", lambda: Post.objects.filter(when_public()))
_MOVED: Final = _by("old_key", Redirect.objects.all)
_STORED_IMAGES: Final = _by("sha256", Image.objects.all)
_LISTS: Final = {kind: _by("slug", model._default_manager.all) for kind, model in SUBJECTS.items()}
_PREVIEWED: Final = RowsByKey.of(
    lambda name: Post.objects.filter(among("pk", name), status__in=[*PREVIEWABLE, PostStatus.PUBLISHED]),
    Concat(Cast("pk", CharField()), Value(" "), "current_revision_identifier"),
)


@lru_cache(maxsize=16)
def _shown_policies(replaced: Sequence[str]) -> RowsByKey:
    return _by("slug", lambda: served_pages(replaced))


_ALWAYS: Final = _Lookup(None, "")


def _belongs_to_host(path: BlogPath) -> bool:
    """Return whether a route of the host comes first, as with a mount at the root."""
    try:
        found = resolve(path.path)
    except Resolver404:
        return False
    return "blog_engine" not in found.app_names
