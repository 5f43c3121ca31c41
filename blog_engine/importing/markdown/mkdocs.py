"""MkDocs, with the plugin of Material for MkDocs for blogs: its configuration, posts and URLs.

The rules are those of MkDocs' "Configuration" and "Writing your docs", and of Material's "Built-in blog plugin",
"Setting up a blog" and "Built-in meta plugin".
"""

import posixpath
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from blog_engine.importing.data import FileRefused, read_data_file, read_yaml_text
from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.configuration import (
    Configuration,
    can_hide,
    first_file,
    path_of_url,
    relative_folder,
    site_url,
    texts_in,
)
from blog_engine.importing.markdown.dialects import python_markdown
from blog_engine.importing.markdown.front_matter import Document, Metadata, lower_names
from blog_engine.importing.markdown.generator import (
    Generator,
    Inherited,
    MarkdownSite,
    PlacedFile,
    is_dated_or_with_posts,
)
from blog_engine.importing.markdown.redirects import SiteRedirect, redirects_in_pairs
from blog_engine.importing.markdown.snippets import with_snippets
from blog_engine.importing.source import Losses

_NAMES: Final = ("mkdocs.yml", "mkdocs.yaml")
_PYTHON_NAME: Final = re.compile(r"!!python/name:(\S*)")
_TAG: Final = re.compile(r"(?<=[\s\[,])!(?:!python/[\w/]+:\S+|ENV|relative)(?=\s)")
_PLUGINS: Final = frozenset({"blog", "material/blog"})
_META: Final = frozenset({"meta", "material/meta"})
_CONTENT: Final = frozenset({".md", ".markdown", ".mdown", ".mkd"})
_OF_LAYOUT: Final = frozenset({"hide", "readtime", "search", "icon", "status"})
_DATE: Final = re.compile(r"y+|M+|d+|'[^']*'|[^A-Za-z']+")
_DATE_PARTS: Final = {"yyyy": "%Y", "y": "%Y", "yy": "%y", "MM": "%m", "dd": "%d", "MMMM": "%B", "MMM": "%b"}
_FIELD: Final = re.compile(r"\{(\w+)\}")
_HTML_TAG: Final = re.compile(r"</?[^>]*>")
_NO_SLUG: Final = re.compile(r"[^\w\- ]")
_PLACES: Final = {"post_dir": "{blog}/posts", "authors_file": "{blog}/.authors.yml"}


@dataclass(frozen=True, slots=True)
class _Blog:
    """The options of one blog."""

    folder: str
    """In the folder of contents; empty for the whole site."""
    posts: PurePosixPath
    url_format: str
    date_format: str
    slugs_separator: str
    most_categories: int
    authors: Mapping[str, str]
    """The names of authors by their ids."""
    categories_format: str

    def slug(self, text: str) -> str:
        """Return a text as the plugin makes slugs of titles and categories."""
        plain = _HTML_TAG.sub("", unicodedata.normalize("NFC", text)).strip().lower()
        return _NO_SLUG.sub("", plain).replace(" ", self.slugs_separator)


@dataclass(frozen=True, slots=True)
class _Options:
    """The options of a site besides those of its blogs."""

    has_meta: bool
    """Whether files ``.meta.yml`` give values."""
    extensions: frozenset[str]
    """The extensions of Python-Markdown."""
    toc: Mapping[str, Any]
    """The options of the extension that makes ids of headings."""
    snippets: tuple[str, ...]
    """The folders of snippets."""
    moved: Mapping[str, Any]
    """The files that the plugin of redirects leads elsewhere."""


class MkDocs(Generator):
    """The rules of MkDocs."""

    shows_heading_for_title = True

    def __init__(self, site: MarkdownSite, blogs: tuple[_Blog, ...], options: _Options) -> None:
        """Take the site, its blogs, and its other options."""
        super().__init__(site)
        self._blogs = blogs
        self._options = options
        self.dialect = python_markdown(extensions=options.extensions, toc=options.toc)
        self._meta: dict[PurePosixPath, tuple[dict[str, Any], list[str]]] = {}

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``mkdocs.yml``."""
        file = first_file(folder, *_NAMES)
        return cls(*_site(folder, file)) if file else None

    def omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return that a file outside of the folders of posts is a page, or none that MkDocs reads."""
        if path.suffix.lower() not in _CONTENT:
            return "file that MkDocs does not read"
        return "page" if self._blogs and self._blog(path) is None else None

    def omission_by_document(self, folder: PurePosixPath, path: PurePosixPath, document: Document) -> str | None:
        """Return that a file without a date, outside of folders of posts, is a page, where no plugin names posts."""
        return None if self._blogs or is_dated_or_with_posts(path, document) else "page"

    def _blog(self, path: PurePosixPath) -> _Blog | None:
        return next((one for one in self._blogs if path.is_relative_to(one.posts)), None)

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over those of ``.meta.yml`` in its folders, with the names of its authors."""
        values: dict[str, Any] = {}
        doubts: list[str] = []
        for above in reversed(path.parents) if self._options.has_meta else ():
            found, unknown = self._meta_of(folder / above)
            values, doubts = _with_lists(values, found), [*doubts, *unknown]
        values = _with_lists(values, own)
        if isinstance(dates := values.get("date"), dict):
            named = lower_names(dates)
            values["date"] = named.pop("created", None)
            values = {**({"updated": named["updated"]} if "updated" in named else {}), **values}
        if (blog := self._blog(path)) and isinstance(values.get("authors"), list):
            values["authors"] = [blog.authors.get(str(one), one) for one in values["authors"]]
        return {name: value for name, value in values.items() if name not in _OF_LAYOUT}, doubts

    def _meta_of(self, folder: PurePosixPath) -> tuple[dict[str, Any], list[str]]:
        if folder not in self._meta:
            file = file_within(self.site.root / folder, ".meta.yml")
            self._meta[folder] = ({}, [])
            try:
                found = read_data_file(file) if file else None
                self._meta[folder] = (lower_names(found) if isinstance(found, dict) else {}, [])
            except FileRefused:
                if file and can_hide(file):
                    self._meta[folder] = ({}, [f"{folder}/.meta.yml cannot be read, and can keep posts from readers"])
        return self._meta[folder]

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the format of the blog, else by the folders and the name of the file."""
        blog = self._blog(file.path)
        if blog is None:
            return self._ended("" if file.path.stem in {"index", "README"} else file.path.stem, str(file.path.parent))
        values = {"file": file.path.stem, "slug": file.slug or blog.slug(file.title)}
        values["categories"] = "/".join(map(blog.slug, file.categories[: blog.most_categories]))
        if (date := _formatted(blog.date_format, file.date)) is not None:
            values["date"] = date
        if any(name not in values for name in _FIELD.findall(blog.url_format)):
            return None
        path = posixpath.normpath(_FIELD.sub(lambda found: values[found[1]], blog.url_format).strip("/"))
        return self._ended(path, blog.folder)

    def _ended(self, path: str, folder: str) -> str:
        joined = posixpath.normpath(posixpath.join(folder, path)).strip("/").removeprefix(".")
        return f"{joined}.html" if self.site.has_ugly_urls and path else f"{joined}/" if joined else ""

    def term_path(self, kind: str, name: str) -> str | None:
        """Return the path of the list of a category of the only blog."""
        if kind != "category" or len(self._blogs) != 1:
            return None
        (blog,) = self._blogs
        return self._ended(blog.categories_format.replace("{slug}", blog.slug(name)), blog.folder)

    def source_lines(self, text: str, losses: Losses) -> list[tuple[int, str]]:
        """Return the lines of a body, with those of the snippets that it shows of other files."""
        return with_snippets(text, [self.site.root / one for one in self._options.snippets], losses)

    def redirects(self) -> Iterator[SiteRedirect]:
        """Yield those of the host, and those of the plugin of redirects, whose former paths are files as well."""
        yield from super().redirects()
        for one in redirects_in_pairs(self._options.moved, "mkdocs.yml"):
            old = PurePosixPath(one.path.strip("/"))
            stem = "" if old.stem in {"index", "README"} else old.stem
            path = self._ended(stem, str(old.parent)) if old.suffix == ".md" else str(old)
            target = one.target if "://" in one.target else f"/{one.target.lstrip('/')}"
            yield replace(one, path=f"/{path}", target=target)


def _with_lists(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return both, the second over the first, and lists joined."""
    merged = dict(values)
    for name, value in over.items():
        known = merged.get(name)
        merged[name] = [*known, *value] if isinstance(known, list) and isinstance(value, list) else value
    return merged


def _formatted(pattern: str, date: datetime | None) -> str | None:
    """Return a date by a pattern of Unicode's CLDR with its usual fields; ``None`` if it has others."""
    parts = _DATE.findall(pattern)
    is_known = all(one in _DATE_PARTS or not one[0].isalpha() for one in parts) and "".join(parts) == pattern
    if date is None or not is_known:
        return None
    return "".join(f"{date:{_DATE_PARTS[one]}}" if one in _DATE_PARTS else one.strip("'") for one in parts)


def _site(folder: Path, file: Path) -> tuple[MarkdownSite, tuple[_Blog, ...], _Options]:
    notes = Configuration(folder)
    found = _read(file, notes)
    base = file_within(folder, str(found.get("inherit") or ""))
    found = {**(_read(base, notes) if base else {}), **found}
    content = relative_folder(found.get("docs_dir"), "docs")
    plugins = list(_plugins(found.get("plugins")))
    blogs = tuple(
        _blog(options, folder / content, notes)
        for name, options in plugins
        if name in _PLUGINS and options.get("enabled") is not False
    )
    site = MarkdownSite(
        folder,
        (content,),
        url=site_url(found.get("site_url")),
        path=path_of_url(found.get("site_url")),
        has_ugly_urls=found.get("use_directory_urls") is False,
        left_out=tuple(
            pattern
            for name in ("exclude_docs", "draft_docs")
            for pattern in notes.globs(list(_ignored(found.get(name), content)), name=name, stars_cross=False)
        ),
        **notes.notes(),
    )
    extensions = dict(_plugins(found.get("markdown_extensions")))
    snippets = texts_in(extensions.get("pymdownx.snippets", {}).get("base_path")) or ["."]
    moved = dict(plugins).get("redirects", {}).get("redirect_maps")
    options = _Options(
        has_meta=any(name in _META for name, _ in plugins),
        extensions=frozenset(extensions),
        toc=extensions.get("toc") or extensions.get("markdown.extensions.toc", {}),
        snippets=tuple(relative_folder(one, ".") for one in snippets),
        moved=moved if isinstance(moved, dict) else {},
    )
    return site, blogs, options


def _read(file: Path, notes: Configuration) -> dict[str, Any]:
    """Return the values of a configuration; names of Python's objects are texts, and other tags of MkDocs no matter."""
    try:
        found = read_yaml_text(_TAG.sub("", _PYTHON_NAME.sub(r'"python:\1"', notes.script(file))))
    except FileRefused as fault:
        notes.refuse(file, fault)
        return {}
    return lower_names(found) if isinstance(found, dict) else {}


def _plugins(found: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    named = found.items() if isinstance(found, dict) else ()
    for one in found if isinstance(found, list) else [{name: value} for name, value in named]:
        for name, options in one.items() if isinstance(one, dict) else [(one, None)]:
            yield str(name), lower_names(options) if isinstance(options, dict) else {}


def _blog(options: Mapping[str, Any], content: Path, notes: Configuration) -> _Blog:
    folder = relative_folder(options.get("blog_dir"), "blog")
    places = {name: str(options.get(name) or usual).replace("{blog}", folder or ".") for name, usual in _PLACES.items()}
    for name in ("post_slugify", "categories_slugify"):
        given = options.get(name)
        if given and not (isinstance(given, dict) and given.get("kwds") == {"case": "lower"}):
            notes.guesses.append(f"{name} of the blog plugin is not run")
    authors: Any = None
    if file := file_within(content, posixpath.normpath(places["authors_file"])):
        authors = notes.data(file).get("authors")
    named = {str(one): str(given["name"]) for one, given in _maps(authors) if given.get("name")}
    most = options.get("post_url_max_categories")
    return _Blog(
        folder,
        PurePosixPath(posixpath.normpath(places["post_dir"])),
        url_format=str(options.get("post_url_format") or "{date}/{slug}"),
        date_format=str(options.get("post_url_date_format") or "yyyy/MM/dd"),
        slugs_separator=str(options.get("post_slugify_separator") or "-"),
        most_categories=most if isinstance(most, int) else 1,
        authors=named,
        categories_format=str(options.get("categories_url_format") or "category/{slug}"),
    )


def _maps(found: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    for name, value in found.items() if isinstance(found, dict) else ():
        if isinstance(value, dict):
            yield name, lower_names(value)


def _ignored(found: Any, content: str) -> Iterator[str]:
    below = f"{content}/" if content else ""
    for line in str(found or "").split("\n"):
        name = line.strip()
        if name and name[0] not in "#!":
            yield f"{below}{name.strip('/')}"
            yield from [] if name.startswith("/") else [f"{below}**/{name.strip('/')}"]
