"""Jekyll: its configuration, URLs and marks of kramdown, and the values that its defaults give to posts."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from blog_engine.importing.data import FileRefused, read_text
from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.markdown.configuration import (
    Configuration,
    first_file,
    nested_map,
    relative_folder,
    site_url,
    texts_in,
    zone_named,
)
from blog_engine.importing.markdown.dialects import KRAMDOWN, dialect_of_jekyll
from blog_engine.importing.markdown.fields import FrontMatter, in_zone
from blog_engine.importing.markdown.front_matter import Document, Metadata, lower_names
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Inherited,
    InheritedValues,
    MarkdownSite,
    PlacedFile,
    folders_above,
    name_without_day,
)
from blog_engine.importing.markdown.globs import Pattern, PatternRefused, glob_pattern
from blog_engine.importing.markdown.jekyll_urls import STYLES, collection_pattern, filled, plain_slug, pretty_slug
from blog_engine.importing.markdown.templates import replace_liquid
from blog_engine.importing.source import Losses

_SPECIAL: Final = (".", "_", "#", "~")
"""What the names of files and folders begin with that Jekyll does not read."""
_DATED: Final = re.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}-")
_TYPES: Final = {"post": "posts", "page": "pages", "draft": "drafts"}
"""Former names of types."""
_MOST_PLUGINS: Final = 100
_LARGEST_INCLUDE: Final = 64 * 1024
_COMMENT: Final = re.compile(r"^\s*#.*$", re.MULTILINE)
_CHANGES_URLS: Final = re.compile(
    r"""["']permalink["']\]\s*(?:\|\|)?=(?!=)|\bdef (?:url|permalink|destination|url_template|url_placeholders)\b"""
)
_LEAVES_OUT: Final = re.compile(
    r"""posts(?:\.docs)?\.(?:(?:delete|delete_if|keep_if)\b|(?:reject|select|filter)!)"""
    r"""|["']published["']\]\s*(?:\|\|)?=(?!=)|\bdef (?:publish\?|published\?|hidden_in_the_future\?)"""
)
_FOLDERS: Final = frozenset({"_posts", "_drafts"})


class Jekyll(Generator):
    """The rules of Jekyll."""

    separators = ", "
    category_separators = "\n"
    has_category_last = True
    dialect = KRAMDOWN

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``_config.yml``."""
        file = first_file(folder, "_config.yml", "_config.yaml", "_config.toml")
        if file is None:
            return None
        rules = cls(_site(folder, file))
        rules.dialect = dialect_of_jekyll(Configuration(folder).data(file))
        return rules

    def omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return that a file outside of ``_posts`` and ``_drafts`` is a page."""
        is_post = not _FOLDERS.isdisjoint(path.parts[:-1]) or self.site.root.name in _FOLDERS
        return None if is_post else "page"

    def omission_by_document(self, folder: PurePosixPath, path: PurePosixPath, document: Document) -> str | None:
        """Return that a file without front matter is no post."""
        return None if document.has_front_matter else "file without front matter"

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over the defaults: longer paths come before shorter, later before earlier."""
        merged: dict[str, Any] = {}
        first: tuple[int, bool] | None = None
        kind = _collection_of(path) or "posts"
        for one in self.site.inherited:
            if one.kind in {"", kind} and (one.path is None or one.path.matches(str(path))):
                if first is None or one.rank >= first:
                    merged, first = _merged_deeply(merged, one.values), one.rank
                else:
                    merged = _merged_deeply(one.values, merged)
        # A post has the categories of the defaults and its own.
        categories = [one for values in (merged, own) for one in _words_in(values.get("categories"))]
        values = _merged_deeply(merged, own)
        return (values | {"categories": list(dict.fromkeys(categories))} if categories else values), []

    def doubts(self, path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
        """Yield why a file below ``_posts`` is not published."""
        if fields.is_empty("published"):
            yield "Its field published is empty"
        if collection := _collection_of(path):
            if collection not in self.site.permalinks:
                yield f"Jekyll does not write the collection {collection}"
            return
        parts = path.parts
        first = parts.index("_posts") if "_posts" in parts else -1
        inner = parts[first + 1 :]
        # Of the folders below _posts, only the first counts.
        special = [name for name in (*parts[: max(first, 0)], inner[0], inner[-1]) if name.startswith(_SPECIAL)]
        if special:
            yield f"Jekyll does not read names that begin with {special[0][0]}"
        if not _DATED.match(inner[-1]):
            yield "Its name in _posts does not begin with a date"

    def categories(self, path: PurePosixPath, named: list[str]) -> list[str]:
        """Return the categories of a file: its folders above ``_posts`` come first."""
        return list(dict.fromkeys([*([] if _collection_of(path) else folders_above(path)), *named]))

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the front matter or the pattern of the site, with the date in its time zone."""
        slug = file.slug or name_without_day(file.path.stem).rstrip(".")
        collection = _collection_of(file.path)
        categories = dict.fromkeys(one.lower() for one in file.categories)
        values = {
            "categories": "/".join(categories),
            "slugified_categories": "/".join(map(plain_slug, categories)),
            "title": pretty_slug(slug),
            "slug": plain_slug(slug),
            "name": plain_slug(file.path.stem.rstrip(".")),
            "path": "/".join(_without_folder(file.path.with_suffix(""), f"_{collection or 'posts'}")).rstrip("."),
            "collection": collection or "posts",
            "output_ext": ".html",
        }
        pattern = file.url or self.site.permalinks.get(collection) or collection_pattern("date")
        return filled(pattern, values, file.date and in_zone(file.date, self.site.zone))

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the URL of the post without its ending."""
        return url.removesuffix("/").removesuffix(".html")

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without Liquid."""
        return replace_liquid(text, place, losses=losses, include=self._included)

    def _included(self, name: str) -> str | None:
        """Return the text of a file that posts can include; ``None`` if there is none that can be read."""
        folders = dict.fromkeys([self.site.static[0], ""])
        file = next(filter(None, (file_within(self.site.root / one / "_includes", name) for one in folders)), None)
        try:
            return read_text(file, most=_LARGEST_INCLUDE) if file else None
        except FileRefused:
            return None


def _site(folder: Path, file: Path) -> MarkdownSite:
    notes = Configuration(folder)
    found = notes.data(file)
    style = str(found.get("permalink") or "date")
    collections_named = {name: nested_map(found, "collections", name) for name in nested_map(found, "collections")}
    posts = collections_named.get("posts", {})
    pattern = str(posts.get("permalink") or style)
    base = str(found.get("baseurl") or "").strip("/")
    if posts.get("output") is False:
        notes.doubts.append(f"{file.name} says that no post is written (collections.posts.output)")
    if found.get("limit_posts"):
        notes.doubts.append(f"{file.name} says that only some posts are written (limit_posts)")
    source = relative_folder(found.get("source"), "")
    collections = relative_folder(found.get("collections_dir"), "")
    _note_plugins(folder, notes)
    return MarkdownSite(
        folder,
        ("/".join(filter(None, (source, collections))),),
        static=(source, *MarkdownSite(folder).static),
        url=site_url(found.get("url")),
        path=f"/{base}" if base else "",
        zone=zone_named(found.get("timezone")),
        permalinks={
            **{
                name: str(one.get("permalink") or collection_pattern(style))
                for name, one in collections_named.items()
                if one.get("output") is True
            },
            "": STYLES.get(pattern, pattern),
        },
        has_hard_breaks=nested_map(found, "kramdown").get("hard_wrap") is True,
        date_in_name=True,
        has_ruby_times=True,
        values=found,
        inherited=tuple(_defaults(found.get("defaults"), collections, file.name, notes)),
        left_out=tuple(_left_out(found.get("exclude"), source, file.name, notes)),
        **notes.notes(),
    )


def _note_plugins(folder: Path, notes: Configuration) -> None:
    """Note plugins of the site, which are not run, if their text says that they change URLs or leave posts out."""
    place = folder / "_plugins"
    for file in list(files_under(place))[:_MOST_PLUGINS] if place.is_dir() else ():
        text = _COMMENT.sub("", notes.script(place / file.relative_to(place.resolve()))) if file.suffix == ".rb" else ""
        if _CHANGES_URLS.search(text):
            notes.guesses.append(f"the plugin {file.name} is not run, and changes URLs")
        if _LEAVES_OUT.search(text):
            notes.doubts.append(f"The plugin {file.name} is not run, and can keep posts from readers")


def _left_out(found: Any, source: str, file: str, notes: Configuration) -> Iterator[Pattern]:
    below = f"{source}/" if source else ""
    names = [f"{below}{one.removeprefix('/')}" for one in texts_in(found)]
    yield from notes.globs(names, name=f"exclude of {file}", stars_cross=True)
    yield from map(_beginning, names)


def _beginning(text: str) -> Pattern:
    """Return the pattern of the paths that begin with a text."""
    return Pattern(((*(sign.__eq__ for sign in text), "**"),))


def _defaults(found: Any, collections: str, file: str, notes: Configuration) -> Iterator[InheritedValues]:
    for one in found if isinstance(found, list) else []:
        given = lower_names(one) if isinstance(one, dict) else {}
        scope, values = nested_map(given, "scope"), nested_map(given, "values")
        kind = scope.get("type")
        if values:
            written = str(scope.get("path") or "")
            rank = (len(written.removeprefix("/")), kind is not None)
            try:
                yield InheritedValues(
                    values, path=_scope(written, collections), kind=_TYPES.get(str(kind), str(kind or "")), rank=rank
                )
            except PatternRefused:
                notes.doubts.append(f"a path of the defaults in {file} is not understood")


def _scope(written: str, collections: str) -> Pattern | None:
    """Return the pattern of the paths in a scope: all that begin with it."""
    path = written
    if collections and path.startswith(f"{collections}/"):
        path = path.removeprefix(f"{collections}/")
    if not path:
        return None
    if "*" not in path:
        # Other signs of patterns mean themselves then.
        return _beginning(path)
    return glob_pattern(f"{path}**" if path.endswith("*") else f"{path}{{,/**}}")


def _merged_deeply(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return both, the second over the first, maps merged at any depth."""
    merged = dict(values)
    for name, value in over.items():
        known = merged.get(name)
        if value is None and name in merged:
            continue
        merged[name] = _merged_deeply(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged


def _collection_of(path: PurePosixPath) -> str:
    """Return the name of the collection that a file is in; nothing for posts, drafts and pages."""
    first = path.parts[0] if len(path.parts) > 1 else ""
    return first[1:] if first.startswith("_") and _FOLDERS.isdisjoint(path.parts) else ""


def _without_folder(path: PurePosixPath, name: str) -> list[str]:
    """Return the parts of a path without the folder of its collection."""
    return [part for part in path.parts if part != name]


def _words_in(found: Any) -> list[str]:
    """Return the values of a list, or the words of a text."""
    return found.split() if isinstance(found, str) else texts_in(found)
