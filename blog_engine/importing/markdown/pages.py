"""Files of a site that are no posts, and the names by which files are found."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.markdown.front_matter import Document, read_data, read_text
from blog_engine.importing.markdown.sites import MarkdownSite, SiteKind

_OTHER_MARKUP: Final = {".rst": "reStructuredText", ".adoc": "AsciiDoc", ".org": "Org"}
_HTML: Final = frozenset({".html", ".htm"})
_POST_FOLDERS: Final = frozenset({"_posts", "_drafts", "posts", "post", "blog", "articles", "notes", "news", "writing"})
_DATE_FIELDS: Final = ("date", "pubdate", "publishdate", "published", "pubdatetime")
_LARGEST_DATA: Final = 64 * 1024
_IN_NAME: Final = re.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[-_]")


def what_else(site: MarkdownSite, path: PurePosixPath, document: Document | None) -> str | None:
    """Return what a file is, in words, if it is no post; the document of other markup is ``None``."""
    if document is None:
        return f"file of {_OTHER_MARKUP.get(path.suffix.lower(), 'an unknown kind')}"
    found = document.metadata
    parts = set(path.parts[:-1])
    if path.suffix.lower() in _HTML and not document.has_front_matter:
        return "HTML file without front matter"
    if {str(found.get("layout")), str(found.get("type"))} & {"page", "pages"}:
        return "page"
    if "pages" in path.parts[:-1]:
        return "page"
    if site.kind is SiteKind.HUGO:
        return _not_of_hugo(path, document)
    if site.kind is SiteKind.JEKYLL:
        if not parts & {"_posts", "_drafts"} and site.root.name not in {"_posts", "_drafts"}:
            return "page"
        return None if document.has_front_matter else "file without front matter"
    if site.kind in {SiteKind.ELEVENTY, SiteKind.ASTRO}:
        has_date = any(name in found for name in _DATE_FIELDS) or _IN_NAME.match(path.name)
        return None if has_date or parts & _POST_FOLDERS else "page"
    return None


def _not_of_hugo(path: PurePosixPath, document: Document) -> str | None:
    found = document.metadata
    built = found.get("build", found.get("_build"))
    if path.stem == "_index" or path.name.startswith("_index."):
        return "list page"
    if found.get("headless") is True or (isinstance(built, dict) and built.get("render") in {"never", False}):
        return "part of other pages"
    depth = len(path.parts) - (2 if path.stem.partition(".")[0] == "index" else 1)
    return None if depth > 0 else "page"


def inherited_data(file: Path, path: PurePosixPath) -> dict[str, Any]:
    """Return what data files of Eleventy give to a post in their folders, names in lower case; the nearest wins."""
    merged: dict[str, Any] = {}
    for folder in list(file.parents)[: len(path.parts) - 1][::-1]:
        for ending in (".json", ".11tydata.json"):
            data = file_within(folder, f"{folder.name}{ending}")
            if data:
                found = read_data(read_text(data, most=_LARGEST_DATA), suffix=".json")
                merged |= {str(name).lower(): value for name, value in found.items()} if isinstance(found, dict) else {}
    return merged


class PageNames:
    """The files that links can name: by path, or by their name alone as Hugo and Jekyll allow."""

    def __init__(self, site: MarkdownSite) -> None:
        """Take the site; its files are listed when a bare name is looked for."""
        self._root = site.root
        self._bases = [site.root / folder for folder in site.content]
        self._by_name: dict[str, str] | None = None

    def find(self, name: str, *, folder: PurePosixPath) -> str | None:
        """Return the path of the file that a name means in a file of this folder of contents, from ``/``."""
        wanted = name.strip().strip("/")
        nearby = [] if name.startswith("/") else [posixpath.join(folder, wanted)]
        for path in [*nearby, wanted, posixpath.join("_posts", wanted)]:
            found = self._existing(posixpath.normpath(path))
            if found:
                return f"/{found}"
        if self._by_name is None:
            self._by_name = dict(self._names())
        bare = self._by_name.get(wanted.rpartition("/")[2])
        return f"/{bare}" if bare else None

    def has(self, path: str, *, folder: PurePosixPath) -> bool:
        """Return whether there is a file with this path, relative to a folder of the site."""
        return file_within(self._root, posixpath.normpath(posixpath.join(folder, path))) is not None

    def _existing(self, path: str) -> str | None:
        if path.startswith(".."):
            return None
        for ending in ("", ".md", ".mdx", ".markdown", "/index.md", ".html"):
            if any(file_within(base, path + ending) for base in self._bases):
                return path + ending
        return None

    def _names(self) -> Iterator[tuple[str, str]]:
        for base in self._bases:
            root = base.resolve()
            for file in files_under(base) if base.is_dir() else ():
                path = PurePosixPath(file.relative_to(root).as_posix())
                if path.suffix.lower() in {".md", ".mdx", ".markdown", ".html"}:
                    yield from _names_of(path)


def _names_of(path: PurePosixPath) -> Sequence[tuple[str, str]]:
    stem = path.parent.name if path.stem in {"index", "_index"} else path.stem
    return [(name, str(path)) for name in (path.name, stem)]
