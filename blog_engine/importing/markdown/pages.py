"""Files of a site that are no posts, and the names by which files are found."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Final

from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.markdown.front_matter import Document, Metadata, lower_names
from blog_engine.importing.markdown.sites import MarkdownSite, SiteKind

_OTHER_MARKUP: Final = {".rst": "reStructuredText", ".adoc": "AsciiDoc", ".org": "Org"}
_OF_HUGO: Final = frozenset({".md", ".markdown", ".mdown", ".html", ".htm", ".adoc", ".org", ".rst"})
_HTML: Final = frozenset({".html", ".htm"})
_POST_FOLDERS: Final = frozenset({"_posts", "_drafts", "posts", "post", "blog", "articles", "notes", "news", "writing"})
_DATE_FIELDS: Final = ("date", "pubdate", "publishdate", "published", "pubdatetime")
_IN_NAME: Final = re.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[-_]")


def what_else_by_path(site: MarkdownSite, folder: PurePosixPath, path: PurePosixPath, names: "PageNames") -> str | None:
    """Return what a file is, in words, if its path says that it is no post."""
    if site.leaves_out(folder / path):
        return "file that the configuration leaves out"
    if path.suffix.lower() in _OTHER_MARKUP:
        return f"file of {_OTHER_MARKUP[path.suffix.lower()]}"
    if "pages" in path.parts[:-1]:
        return "page"
    if site.kind is SiteKind.JEKYLL:
        is_below = {"_posts", "_drafts"} & set(path.parts[:-1]) or site.root.name in {"_posts", "_drafts"}
        return None if is_below else "page"
    if site.kind is not SiteKind.HUGO:
        return None
    if path.name.startswith("_index."):
        return "list page"
    depth = len(path.parts) - (2 if path.stem.partition(".")[0] == "index" else 1)
    if depth <= 0:
        return "page"
    if site.main_sections and path.parts[0].lower() not in site.main_sections:
        return "page outside of the main sections"
    # A page that has a folder of its own, and all that is in that folder.
    is_index = path.stem.partition(".")[0] == "index"
    above = path.parents[1 if is_index else 0]
    is_part = any(names.has_index(folder / place) for place in (above, *above.parents))
    return "part of other pages" if is_part else None


def what_else(site: MarkdownSite, path: PurePosixPath, document: Document | None) -> str | None:
    """Return what a file is, in words, if its own front matter says that it is no post."""
    if document is None:
        return None
    found = document.metadata
    if path.suffix.lower() in _HTML and not document.has_front_matter:
        return "HTML file without front matter"
    if {str(found.get("layout")), str(found.get("type"))} & {"page", "pages"}:
        return "page"
    if site.kind is SiteKind.JEKYLL:
        return None if document.has_front_matter else "file without front matter"
    if site.kind in {SiteKind.ELEVENTY, SiteKind.ASTRO}:
        has_date = any(name in found for name in _DATE_FIELDS) or _IN_NAME.match(path.name)
        return None if has_date or set(path.parts[:-1]) & _POST_FOLDERS else "page"
    return None


def what_else_by_values(site: MarkdownSite, values: Metadata) -> str | None:
    """Return what a file is, in words, if its values, also inherited ones, say that it is no post."""
    if site.kind is not SiteKind.HUGO:
        return None
    built = values.get("build")
    is_part = isinstance(built, dict) and lower_names(built).get("render") in {"never", "link", False}
    is_headless = str(values.get("headless")).lower() in {"true", "1", "t"}
    return "part of other pages" if is_part or is_headless else None


class PageNames:
    """The files that links can name: by path, or by their name alone as Hugo and Jekyll allow."""

    def __init__(self, site: MarkdownSite) -> None:
        """Take the site; its files are listed when a bare name is looked for."""
        self._root = site.root
        self._bases = [site.root / folder for folder in site.content]
        self._by_name: dict[str, str] | None = None
        self._with_index: dict[PurePosixPath, bool] = {}

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

    def has_index(self, folder: PurePosixPath) -> bool:
        """Return whether a folder of the site has an ``index`` of Hugo, in any language."""
        if folder not in self._with_index:
            try:
                names = [PurePosixPath(file.name) for file in (self._root / folder).iterdir()]
            except OSError:
                names = []
            self._with_index[folder] = any(
                name.stem.partition(".")[0] == "index" and name.suffix.lower() in _OF_HUGO for name in names
            )
        return self._with_index[folder]

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
