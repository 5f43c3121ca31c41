"""The URL that a program gave to a file of Markdown."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import quote

from anyascii import anyascii

from blog_engine.importing.markdown.sites import MarkdownSite, SiteKind
from blog_engine.importing.old_blog import split_or_none

_DATED: Final = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[-_](.+)")
_INDEX: Final = frozenset({"index", "_index"})
_HUGO_LISTS: Final = {"category": "categories", "tag": "tags", "series": "series"}
_SLASHES: Final = re.compile(r"/{2,}")
_TOKEN: Final = re.compile(r":([A-Za-z0-9_]+)(\[[0-9a-z:]*\])?")
_FIELD: Final = re.compile(r"\{([a-z_]+)(?::([^{}]*))?\}")
_FILE_SLUG: Final = re.compile(r"\{\{\s*page\.fileSlug\s*\}\}")
_STRFTIME: Final = re.compile(r"%[-]?[YmdbBHMSyja]")


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """The facts that the URL of a file is made of."""

    path: PurePosixPath
    """Relative to the folder of contents."""
    title: str
    slug: str | None
    """From the front matter."""
    date: datetime | None
    """In the time zone of the site, or its own."""
    categories: Sequence[str]
    url: str | None
    """From the front matter."""


def stem_of(path: PurePosixPath) -> str:
    """Return the name of a file without suffix; of an ``index`` file the name of its folder."""
    stem = path.stem
    return path.parent.name if stem in _INDEX and path.parent.name else stem


def name_without_day(stem: str) -> str:
    """Return a name without the date that it begins with."""
    found = _DATED.fullmatch(stem)
    return found[1] if found else stem


def folders_above(path: PurePosixPath) -> list[str]:
    """Return the folders of a file, for Jekyll those above ``_posts``: each is a category there."""
    folders = list(path.parts[:-1])
    inner = [number for number, name in enumerate(folders) if name in {"_posts", "_drafts"}]
    return folders[: inner[-1]] if inner else folders


def path_of(site: MarkdownSite, file: PlacedFile) -> str | None:
    """Return the path of the page of a file, percent-encoded; ``None`` if a pattern is not understood."""
    found = _PROGRAMS[site.kind](site, file)
    return None if found is None else _quoted(site, found)


def term_path(site: MarkdownSite, kind: str, name: str) -> str | None:
    """Return the path of the list of a category, a tag or a series; ``None`` where the program makes none by itself."""
    if site.kind is SiteKind.HUGO and kind in _HUGO_LISTS:
        found = f"{_HUGO_LISTS[kind]}/{_hugo_path(name)}/"
    elif site.kind is SiteKind.PELICAN and kind in {"category", "tag"}:
        found = f"{kind}/{_pelican_slug(name)}.html"
    else:
        return None
    return _quoted(site, found)


def feed_id_of(site: MarkdownSite, url: str, date: datetime | None) -> str | None:
    """Return the id of a post in the feed of the program; ``None`` where each site writes its own feed."""
    parts = split_or_none(url)
    if parts is None or not parts.netloc:
        return None
    if site.kind is SiteKind.HUGO:
        return url
    if site.kind is SiteKind.JEKYLL:
        return url.removesuffix("/").removesuffix(".html")
    if site.kind is SiteKind.PELICAN and date:
        return f"tag:{parts.hostname},{date:%Y-%m-%d}:{parts.path}"
    return None


def _quoted(site: MarkdownSite, path: str) -> str:
    return quote(_SLASHES.sub("/", f"{site.path}/{path}"), safe="/:@!$&'()*+,;=~-._%")


def _hugo(site: MarkdownSite, file: PlacedFile) -> str | None:
    folders, stem = _folders_and_stem(file.path)
    if site.date_in_name:
        stem = name_without_day(stem)
    values = _date_values(file.date) | {
        "section": folders[0] if folders else "",
        "sections": "/".join(folders),
        "title": _hugo_path(file.title),
        "slug": _hugo_path(file.slug or file.title),
        "filename": _hugo_path(stem),
        "contentbasename": _hugo_path(stem),
        "slugorfilename": _hugo_path(file.slug or stem),
        "slugorcontentbasename": _hugo_path(file.slug or stem),
    }
    if file.url:
        return _filled(file.url, values)
    pattern = site.permalinks.get(folders[0] if folders else "")
    if pattern:
        found = _filled(pattern, values)
    else:
        found = "/".join([*(_hugo_path(one) for one in folders), _hugo_path(file.slug or stem), ""])
    return f"{found.rstrip('/')}.html" if found and site.has_ugly_urls else found


def _hugo_path(text: str) -> str:
    joined = re.sub(r"\s+", "-", text.strip().lower())
    return "".join(sign for sign in joined if sign.isalnum() or sign in "._#+~-@/" or _is_mark(sign))


def _is_mark(sign: str) -> bool:
    return not sign.isascii() and not sign.isspace() and f"a{sign}".isidentifier()


def _jekyll(site: MarkdownSite, file: PlacedFile) -> str | None:
    slug = file.slug or name_without_day(stem_of(file.path))
    above = folders_above(file.path)
    categories = list(dict.fromkeys(one.lower() for one in [*above, *file.categories]))
    values = _date_values(file.date) | {
        "categories": "/".join(categories),
        "slugified_categories": "/".join(_hugo_path(one) for one in categories),
        "title": re.sub(r"[^\w.~!$&'()+,;=@-]+", "-", slug).strip("-"),
        "slug": re.sub(r"[\W_]+", "-", slug).strip("-").lower(),
        "output_ext": ".html",
    }
    return _filled(file.url or site.permalinks.get("", "/:categories/:year/:month/:day/:title.html"), values)


def _pelican(site: MarkdownSite, file: PlacedFile) -> str | None:
    if file.url:
        return file.url
    values = {
        "slug": file.slug or _pelican_slug(stem_of(file.path) if site.slug_from == "basename" else file.title),
        "category": _pelican_slug(next(iter(file.categories), "misc")),
        "lang": "en",
    }
    pattern = site.permalinks.get("", "{slug}.html")
    parts: list[str] = []
    at = 0
    for found in _FIELD.finditer(pattern):
        value = values.get(found[1])
        if found[1] == "date" and file.date and found[2] and not re.sub(r"[\w/.-]", "", _STRFTIME.sub("", found[2])):
            value = file.date.strftime(found[2])
        if value is None:
            return None
        parts += [pattern[at : found.start()], value]
        at = found.end()
    return "".join([*parts, pattern[at:]])


def _pelican_slug(text: str) -> str:
    kept = re.sub(r"[^\w\s-]", "", anyascii(text)).strip()
    return re.sub(r"[-\s]+", "-", kept).lower()


def _astro(site: MarkdownSite, file: PlacedFile) -> str | None:
    if file.url:
        return file.url
    folders, stem = _folders_and_stem(file.path)
    parts = [_github_slug(one) for one in [*folders, stem]]
    if file.slug:
        parts = [*parts[:1], file.slug] if folders else [file.slug]
    return "/".join(parts) + (".html" if site.has_ugly_urls else "/")


def _github_slug(text: str) -> str:
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")


def _eleventy(site: MarkdownSite, file: PlacedFile) -> str | None:
    folders, stem = _folders_and_stem(file.path)
    if file.url is None:
        return "/".join([*folders, stem, ""])
    chosen = _FILE_SLUG.sub(name_without_day(stem), file.url)
    # What remains is the template language.
    return None if "{{" in chosen or "{%" in chosen else chosen.removesuffix("index.html")


def _plain(site: MarkdownSite, file: PlacedFile) -> str | None:
    folders, stem = _folders_and_stem(file.path)
    return file.url or "/".join([*folders, file.slug or name_without_day(stem), ""])


_PROGRAMS: Final[Mapping[SiteKind, Callable[[MarkdownSite, PlacedFile], str | None]]] = {
    SiteKind.HUGO: _hugo,
    SiteKind.JEKYLL: _jekyll,
    SiteKind.PELICAN: _pelican,
    SiteKind.ASTRO: _astro,
    SiteKind.ELEVENTY: _eleventy,
    SiteKind.PLAIN: _plain,
}


def _folders_and_stem(path: PurePosixPath) -> tuple[list[str], str]:
    stem = stem_of(path)
    is_index = path.stem in _INDEX
    parent = path.parent.parent if is_index else path.parent
    return list(parent.parts), stem


def _date_values(date: datetime | None) -> dict[str, str]:
    if date is None:
        return {}
    return {
        "year": f"{date.year:04}",
        "month": f"{date.month:02}",
        "monthname": f"{date:%B}",
        "day": f"{date.day:02}",
        "yearday": str(date.timetuple().tm_yday),
        "y_day": f"{date.timetuple().tm_yday:03}",
        "i_month": str(date.month),
        "i_day": str(date.day),
        "short_year": f"{date:%y}",
        "short_month": f"{date:%b}",
        "long_month": f"{date:%B}",
        "weekdayname": f"{date:%A}",
        "hour": f"{date:%H}",
        "minute": f"{date:%M}",
        "second": f"{date:%S}",
    }


def _filled(pattern: str, values: Mapping[str, Any]) -> str | None:
    found = list(_TOKEN.finditer(pattern))
    if any(token[1] not in values or token[2] for token in found):
        return None
    return _TOKEN.sub(lambda token: str(values[token[1]]), pattern)
