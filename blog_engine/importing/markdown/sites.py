"""The program that a folder of Markdown is for, and its configuration of places, URLs and times."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.front_matter import FileRefused, read_data, read_text
from blog_engine.importing.source import SourceRefused

_LARGEST_CONFIGURATION: Final = 1024 * 1024
_NO_HOST: Final = frozenset({"example.org", "example.com", "www.example.com", "localhost", "127.0.0.1", ""})
"""Hosts that new sites have until someone enters their own."""
_PERMALINK_STYLES: Final = {
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "none": "/:categories/:title:output_ext",
}
"""Jekyll's names for permalinks."""
_UTC: Final = ZoneInfo("UTC")
_QUOTED: Final = r"""["']([^"'\n]+)["']"""


class SiteKind(StrEnum):
    """A program that makes sites of Markdown."""

    HUGO = "Hugo"
    JEKYLL = "Jekyll"
    ASTRO = "Astro"
    ELEVENTY = "Eleventy"
    PELICAN = "Pelican"
    PLAIN = "plain"
    """Only files in folders."""


@dataclass(frozen=True, slots=True)
class MarkdownSite:
    """The kind and configuration of a site."""

    kind: SiteKind
    root: Path
    content: tuple[str, ...] = ("",)
    """Folders with posts, relative to the root; source ids are relative to the first that has the file."""
    url: str | None = None
    path: str = ""
    """The path of its home page, without a slash at the end."""
    zone: ZoneInfo = _UTC
    permalinks: Mapping[str, str] = field(default_factory=dict)
    """Patterns of URLs by section; for ``""`` that of all others."""
    author: str | None = None
    """Who wrote the posts that name no author."""
    slug_from: str = "title"
    """What Pelican makes slugs of."""
    has_ugly_urls: bool = False
    has_raw_html: bool = True
    """Whether readers saw HTML that is in Markdown."""
    has_hard_breaks: bool = False
    languages: frozenset[str] = frozenset()
    """Suffixes of the file names of translations."""
    translated: Mapping[str, str] = field(default_factory=dict)
    """The languages of folders of contents that hold translations."""
    date_in_name: bool = False
    """Whether the name of the file can begin with the date."""


def read_site(folder: Path) -> MarkdownSite:
    """Return what the files of a folder say about it; raises ``SourceRefused`` for a configuration that is none."""
    for read in (_hugo, _jekyll, _pelican, _astro, _eleventy):
        site = read(folder)
        if site:
            return site
    return _plain(folder)


def _plain(folder: Path) -> MarkdownSite:
    if folder.name in {"_posts", "_drafts"} or any((folder / name).is_dir() for name in ("_posts", "_drafts")):
        return MarkdownSite(SiteKind.JEKYLL, folder, permalinks={"": _PERMALINK_STYLES["date"]}, date_in_name=True)
    content = ("content",) if (folder / "content").is_dir() else ("",)
    return MarkdownSite(SiteKind.PLAIN, folder, content, date_in_name=True)


def _configuration(file: Path) -> dict[str, Any]:
    try:
        found = read_data(read_text(file, most=_LARGEST_CONFIGURATION), suffix=file.suffix)
    except FileRefused as fault:
        raise SourceRefused(f"{file.name}: {fault}.") from fault
    return {str(name).lower(): value for name, value in found.items()} if isinstance(found, dict) else {}


def _first(folder: Path, *names: str) -> Path | None:
    return next((file for name in names if (file := file_within(folder, name))), None)


def _hugo(folder: Path) -> MarkdownSite | None:
    names = [f"{name}.{suffix}" for name in ("hugo", "config") for suffix in ("toml", "yaml", "yml", "json")]
    file = _first(folder, *names, *(f"config/_default/{name}" for name in names))
    if file is None:
        return None
    found = _configuration(file)
    markup = _inside(found, "markup", "goldmark", "renderer")
    language = str(found.get("defaultcontentlanguage", "en"))
    languages = _inside(found, "languages")
    folders = {
        name: _relative(_inside(languages, name).get("contentdir"), "")
        for name in languages
        if _inside(languages, name).get("contentdir")
    }
    content = folders.pop(language, None) or _relative(found.get("contentdir"), "content")
    front = _inside(found, "frontmatter").get("date")
    return MarkdownSite(
        SiteKind.HUGO,
        folder,
        (content, *folders.values()),
        url=_site_url(found.get("baseurl")),
        path=_path_of(found.get("baseurl")),
        zone=_zone(found.get("timezone")),
        permalinks=_hugo_permalinks(found.get("permalinks")),
        has_ugly_urls=found.get("uglyurls") is True,
        has_raw_html=markup.get("unsafe") is True,
        has_hard_breaks=markup.get("hardwraps") is True,
        languages=frozenset(languages.keys() - {language}),
        translated={place: name for name, place in folders.items() if place != content},
        date_in_name=isinstance(front, list) and ":filename" in front,
    )


def _hugo_permalinks(found: Any) -> dict[str, str]:
    if not isinstance(found, dict):
        return {}
    pages = found.get("page")
    patterns = {**found, **(pages if isinstance(pages, dict) else {})}
    return {str(section): pattern for section, pattern in patterns.items() if isinstance(pattern, str)}


def _jekyll(folder: Path) -> MarkdownSite | None:
    file = _first(folder, "_config.yml", "_config.yaml", "_config.toml")
    if file is None:
        return None
    found = _configuration(file)
    pattern = str(found.get("permalink") or "date")
    base = str(found.get("baseurl") or "").strip("/")
    return MarkdownSite(
        SiteKind.JEKYLL,
        folder,
        (_relative(found.get("collections_dir"), ""),),
        url=_site_url(found.get("url")),
        path=f"/{base}" if base else "",
        zone=_zone(found.get("timezone")),
        permalinks={"": _PERMALINK_STYLES.get(pattern, pattern)},
        has_hard_breaks=_inside(found, "kramdown").get("hard_wrap") is True,
        date_in_name=True,
    )


def _pelican(folder: Path) -> MarkdownSite | None:
    file = _first(folder, "pelicanconf.py")
    if file is None:
        return None
    found = dict(_assignments(file))
    return MarkdownSite(
        SiteKind.PELICAN,
        folder,
        (_relative(found.get("PATH"), "content"),),
        url=_site_url(found.get("SITEURL")),
        path=_path_of(found.get("SITEURL")),
        zone=_zone(found.get("TIMEZONE")),
        permalinks={"": str(found.get("ARTICLE_URL") or "{slug}.html")},
        author=str(found["AUTHOR"]) if found.get("AUTHOR") else None,
        slug_from=str(found.get("SLUGIFY_SOURCE") or "title"),
        date_in_name=True,
    )


def _assignments(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield the names to which a Python file assigns plain values; nothing of it is run."""
    try:
        tree = ast.parse(read_text(file, most=_LARGEST_CONFIGURATION))
    except (SyntaxError, ValueError, RecursionError, MemoryError, FileRefused) as fault:
        raise SourceRefused(f"{file.name}: {fault}.") from fault
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            yield from ((one.id, statement.value.value) for one in statement.targets if isinstance(one, ast.Name))


def _astro(folder: Path) -> MarkdownSite | None:
    file = _first(folder, *(f"astro.config.{suffix}" for suffix in ("mjs", "ts", "js", "cjs", "mts")))
    if file is None:
        return None
    text = _script(file)
    base = (_said(text, "base") or "").strip("/")
    return MarkdownSite(
        SiteKind.ASTRO,
        folder,
        ("src/content", "src/pages"),
        url=_site_url(_said(text, "site")),
        path=f"/{base}" if base else "",
        has_ugly_urls=_said(text, "format") == "file",
    )


def _eleventy(folder: Path) -> MarkdownSite | None:
    names = [".eleventy.js", *(f"eleventy.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts"))]
    file = _first(folder, *names)
    if file is None:
        return None
    text = _script(file)
    base = (_said(text, "pathPrefix") or "").strip("/")
    content = _relative(_said(text, "input"), "")
    return MarkdownSite(SiteKind.ELEVENTY, folder, (content,), path=f"/{base}" if base else "", date_in_name=True)


def _script(file: Path) -> str:
    try:
        return read_text(file, most=_LARGEST_CONFIGURATION)
    except FileRefused as fault:
        raise SourceRefused(f"{file.name}: {fault}.") from fault


def _said(script: str, name: str) -> str | None:
    """Return the text that a configuration in JavaScript gives for a name."""
    found = re.search(rf"(?<![\w.]){name}\s*:\s*{_QUOTED}", script)
    return found[1] if found else None


def _inside(found: Mapping[str, Any], *names: str) -> dict[str, Any]:
    inner: Any = found
    for name in names:
        inner = {str(key).lower(): value for key, value in inner.items()}.get(name) if isinstance(inner, dict) else None
    return {str(key).lower(): value for key, value in inner.items()} if isinstance(inner, dict) else {}


def _relative(name: Any, default: str) -> str:
    """Return the name of a folder of the site; one that leads out of it is not used."""
    path = PurePosixPath(str(name or default).strip("/") or ".")
    return "" if ".." in path.parts or path == PurePosixPath(".") else path.as_posix()


def _site_url(url: Any) -> str | None:
    try:
        parts = urlsplit(str(url or ""))
        host = parts.hostname or ""
    except ValueError:
        return None
    known = parts.scheme in {"http", "https"} and host not in _NO_HOST and not host.endswith(".example.org")
    return f"{parts.scheme}://{parts.netloc}" if known else None


def _path_of(url: Any) -> str:
    try:
        path = urlsplit(str(url or "")).path.strip("/")
    except ValueError:
        return ""
    return f"/{path}" if path else ""


def _zone(name: Any) -> ZoneInfo:
    try:
        return ZoneInfo(str(name or "UTC"))
    except (ValueError, OSError):
        return _UTC
