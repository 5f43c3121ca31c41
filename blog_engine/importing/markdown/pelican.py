"""Pelican: its configuration, which is not run (only plain values are read), and its URLs and links."""

import ast
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self
from urllib.parse import urlsplit

from anyascii import anyascii

from blog_engine.importing.markdown.configuration import (
    Configuration,
    first_file,
    path_of_url,
    relative_folder,
    site_url,
    texts_in,
    zone_named,
)
from blog_engine.importing.markdown.dialects import python_markdown
from blog_engine.importing.markdown.fields import FrontMatter
from blog_engine.importing.markdown.front_matter import Document, Metadata, lower_names, read_document
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Inherited,
    InheritedValues,
    MarkdownSite,
    PlacedFile,
    folders_above,
    own_over_inherited,
    stem_of,
)
from blog_engine.importing.markdown.globs import Pattern
from blog_engine.importing.markdown.liquid_tags import replace_liquid_tags
from blog_engine.importing.markdown.text import change_outside_code
from blog_engine.importing.source import Losses

_LARGEST: Final = 64 * 1024
"""Bytes of a configuration; the tree of a program takes about 900 times its size."""
_NOT_PLAIN: Final = object()
_HIDING: Final = ("DEFAULT_METADATA", "EXTRA_PATH_METADATA", "ARTICLE_PATHS", "ARTICLE_EXCLUDES", "IGNORE_FILES")
_OF_PATHS: Final = ("PATH_METADATA", "FILENAME_METADATA")
_OF_URLS: Final = ("ARTICLE_URL", "SLUGIFY_SOURCE", "SLUG_REGEX_SUBSTITUTIONS", "SLUG_SUBSTITUTIONS")
_WATCHED: Final = (*_HIDING, *_OF_PATHS, *_OF_URLS)
_STATUSES: Final = frozenset({"published", "hidden", "skip", "private"})
_FIELD: Final = re.compile(r"\{([a-z_]+)(?::([^{}]*))?\}")
_STRFTIME: Final = re.compile(r"%[-]?[YmdbBHMSyja]")
_LINK: Final = re.compile(r"[{|](filename|static|attach|index|author|category|tag)[}|]([^\s()<>\"]*)")


class Pelican(Generator):
    """The rules of Pelican."""

    dialect = python_markdown()

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``pelicanconf.py``."""
        file = first_file(folder, "pelicanconf.py")
        if file is None:
            return None
        rules = cls(_site(folder, file))
        extensions = _extensions(file)
        if extensions:
            rules.dialect = python_markdown(extensions=extensions)
        return rules

    def document(self, file: Path) -> Document:
        """Return front matter and body of a file, whatever the names of its header lines."""
        return read_document(file, has_header_lines=True)

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over those of its path, and these over those of all posts."""
        merged: dict[str, Any] = {}
        for one in reversed(self.site.inherited):
            if one.path is None or one.path.matches(str(path)):
                merged |= one.values
        return own_over_inherited(own, merged), []

    def doubts(self, path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
        """Yield that a status is not published."""
        status = (fields.text("status") or "published").lower()
        if status not in _STATUSES:
            yield f"Pelican does not publish posts with the status {status[:40]}"

    def categories(self, path: PurePosixPath, named: list[str]) -> list[str]:
        """Return the categories of a file: without one, it is the name of its folder."""
        return named or folders_above(path)[-1:]

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the front matter or the pattern of the site."""
        if file.url:
            return file.url
        values = {
            "slug": file.slug or _slug(stem_of(file.path) if self.site.slug_from == "basename" else file.title),
            "category": _slug(next(iter(file.categories), "misc")),
            "lang": "en",
        }
        pattern = self.site.permalinks[""]
        parts: list[str] = []
        at = 0
        for found in _FIELD.finditer(pattern):
            value = values.get(found[1])
            is_readable = found[2] and not re.sub(r"[\w/.-]", "", _STRFTIME.sub("", found[2]))
            if found[1] == "date" and file.date and is_readable:
                value = file.date.strftime(found[2])
            if value is None:
                return None
            parts += [pattern[at : found.start()], value]
            at = found.end()
        return "".join([*parts, pattern[at:]])

    def term_path(self, kind: str, name: str) -> str | None:
        """Return the path of the list of a category or a tag."""
        return f"{kind}/{_slug(name)}.html" if kind in {"category", "tag"} else None

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the tag URI of the post."""
        parts = urlsplit(url)
        return f"tag:{parts.hostname},{date:%Y-%m-%d}:{parts.path}" if date else None

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without tags of liquid_tags, whose links have no words in braces."""
        text = replace_liquid_tags(text, place, losses)
        return change_outside_code(text, _LINK, lambda found: _target(found[1], found[2]))


def _target(kind: str, path: str) -> str:
    if kind in {"filename", "static", "attach"}:
        return path
    return "/" if kind == "index" else f"/{kind}/{path.strip('/').lower()}.html"


def _slug(text: str) -> str:
    kept = re.sub(r"[^\w\s-]", "", anyascii(text)).strip()
    return re.sub(r"[-\s]+", "-", kept).lower()


def _site(folder: Path, file: Path) -> MarkdownSite:
    notes = Configuration(folder)
    found = dict(_assignments(file, notes))
    public = first_file(folder, "publishconf.py")
    if public:
        found |= {name: value for name, value in _assignments(public, notes) if name in (*_HIDING, *_OF_PATHS)}
    for name in _HIDING:
        if found.get(name) is _NOT_PLAIN:
            notes.doubts.append(f"{name} of the configuration is not plain, and can keep posts from readers")
    for name in _OF_PATHS:
        if found.get(name) is _NOT_PLAIN or "?P<status" in str(found.get(name)):
            notes.doubts.append(f"{name} of the configuration can keep posts from readers")
    for name in (*_OF_URLS, *_OF_PATHS):
        if found.get(name) is _NOT_PLAIN or (name in _OF_PATHS + _OF_URLS[2:] and found.get(name)):
            notes.guesses.append(f"{name} of the configuration is not read")
    plain = {name: value for name, value in found.items() if value is not _NOT_PLAIN}
    content = relative_folder(plain.get("PATH"), "content")
    return MarkdownSite(
        folder,
        (content,),
        url=site_url(plain.get("SITEURL")),
        path=path_of_url(plain.get("SITEURL")),
        zone=zone_named(plain.get("TIMEZONE")),
        permalinks={"": str(plain.get("ARTICLE_URL") or "{slug}.html")},
        author=str(plain["AUTHOR"]) if plain.get("AUTHOR") else None,
        slug_from=str(plain.get("SLUGIFY_SOURCE") or "title"),
        date_in_name=True,
        inherited=tuple(_metadata(plain)),
        only=tuple(_only(plain, content, notes)),
        left_out=tuple(_left_out(plain, content, notes)),
        **notes.notes(),
    )


def _extensions(file: Path) -> frozenset[str]:
    """Return the names of the extensions of Python-Markdown that ``MARKDOWN`` of the configuration names."""
    value = dict(_assignments(file, Configuration(file.parent))).get("MARKDOWN")
    found = value if isinstance(value, dict) else {}
    configured = found.get("extension_configs")
    return frozenset([*texts_in(found.get("extensions")), *(configured if isinstance(configured, dict) else ())])


def _metadata(found: dict[str, Any]) -> Iterator[InheritedValues]:
    by_path = found.get("EXTRA_PATH_METADATA")
    for path, values in by_path.items() if isinstance(by_path, dict) else ():
        if isinstance(values, dict) and isinstance(path, str):
            steps = tuple(sign.__eq__ for sign in path.strip("/"))
            yield InheritedValues(lower_names(values), path=Pattern((steps, (*steps, "/".__eq__, "**"))))
    default = found.get("DEFAULT_METADATA")
    if isinstance(default, dict):
        yield InheritedValues(lower_names(default))


def _only(found: dict[str, Any], content: str, notes: Configuration) -> Iterator[Pattern]:
    paths = texts_in(found.get("ARTICLE_PATHS"))
    if paths:
        # Pages are listed as such.
        paths += texts_in(found.get("PAGE_PATHS")) or ["pages"]
    below = [f"{content}/{one.strip('/')}".strip("/") for one in paths]
    yield from notes.globs(below, name="ARTICLE_PATHS of the configuration", stars_cross=False)


def _left_out(found: dict[str, Any], content: str, notes: Configuration) -> Iterator[Pattern]:
    below = f"{content}/" if content else ""
    names = [*texts_in(found.get("IGNORE_FILES")), *(f"**/{one}" for one in texts_in(found.get("IGNORE_FILES")))]
    yield from notes.globs(names, name="IGNORE_FILES of the configuration", stars_cross=True)
    folders = [f"{below}{one}" for one in texts_in(found.get("ARTICLE_EXCLUDES"))]
    yield from notes.globs(folders, name="ARTICLE_EXCLUDES of the configuration", stars_cross=False)


def _assignments(file: Path, notes: Configuration) -> Iterator[tuple[str, Any]]:
    """Yield the names to which a Python file assigns values; nothing of it is run."""
    try:
        tree = ast.parse(notes.script(file, most=_LARGEST))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        notes.refuse(file, fault)
        return
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and all(isinstance(one, ast.Name) for one in statement.targets):
            value = _plain(statement.value)
            yield from ((one.id, value) for one in statement.targets if isinstance(one, ast.Name))
        else:
            # A name that is changed in a branch, or by a call, has no known value.
            names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
            yield from ((name, _NOT_PLAIN) for name in names.intersection(_WATCHED))


def _plain(value: ast.expr) -> Any:
    try:
        found = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return _NOT_PLAIN
    is_long = isinstance(found, int) and found.bit_length() > 64
    return _NOT_PLAIN if is_long else found
