"""Jekyll: its configuration, URLs and marks of kramdown, and the values that its defaults give to posts."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

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
    date_values,
    filled_pattern,
    folders_above,
    name_without_day,
    stem_of,
    urlized,
)
from blog_engine.importing.markdown.globs import Pattern, PatternRefused, glob_pattern
from blog_engine.importing.markdown.templates import replace_liquid
from blog_engine.importing.source import Losses

STYLES: Final = {
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "none": "/:categories/:title:output_ext",
}
"""The names of patterns of URLs."""
_SPECIAL: Final = (".", "_", "#", "~")
"""What the names of files and folders begin with that Jekyll does not read."""
_DATED: Final = re.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}-")
_POSTS: Final = frozenset({"post", "posts"})
_FOLDERS: Final = frozenset({"_posts", "_drafts"})


class Jekyll(Generator):
    """The rules of Jekyll."""

    separators = ", "
    category_separators = "\n"
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

    def omission_by_document(self, path: PurePosixPath, document: Document) -> str | None:
        """Return that a file without front matter is no post."""
        return None if document.has_front_matter else "file without front matter"

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over the defaults: longer paths come before shorter, later before earlier."""
        merged: dict[str, Any] = {}
        first: tuple[int, bool] | None = None
        for one in self.site.inherited:
            if one.path is None or one.path.matches(str(path)):
                if first is None or one.rank >= first:
                    merged, first = _merged_deeply(merged, one.values), one.rank
                else:
                    merged = _merged_deeply(one.values, merged)
        return _merged_deeply(merged, own), []

    def doubts(self, path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
        """Yield why a file below ``_posts`` is not published."""
        if fields.is_empty("published"):
            yield "Its field published is empty"
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
        return list(dict.fromkeys([*folders_above(path), *named]))

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the front matter or the pattern of the site, with the date in its time zone."""
        slug = file.slug or name_without_day(stem_of(file.path))
        categories = dict.fromkeys(one.lower() for one in [*folders_above(file.path), *file.categories])
        values = date_values(file.date and in_zone(file.date, self.site.zone)) | {
            "categories": "/".join(categories),
            "slugified_categories": "/".join(map(urlized, categories)),
            "title": re.sub(r"[^\w.~!$&'()+,;=@-]+", "-", slug).strip("-"),
            "slug": re.sub(r"[\W_]+", "-", slug).strip("-").lower(),
            "output_ext": ".html",
        }
        return filled_pattern(file.url or self.site.permalinks[""], values)

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the URL of the post without its ending."""
        return url.removesuffix("/").removesuffix(".html")

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without Liquid."""
        return replace_liquid(text, place, losses=losses)


def _site(folder: Path, file: Path) -> MarkdownSite:
    notes = Configuration(folder)
    found = notes.data(file)
    posts = nested_map(found, "collections", "posts")
    pattern = str(posts.get("permalink") or found.get("permalink") or "date")
    base = str(found.get("baseurl") or "").strip("/")
    if posts.get("output") is False:
        notes.doubts.append(f"{file.name} says that no post is written (collections.posts.output)")
    if found.get("limit_posts"):
        notes.doubts.append(f"{file.name} says that only some posts are written (limit_posts)")
    source = relative_folder(found.get("source"), "")
    collections = relative_folder(found.get("collections_dir"), "")
    return MarkdownSite(
        folder,
        ("/".join(filter(None, (source, collections))),),
        url=site_url(found.get("url")),
        path=f"/{base}" if base else "",
        zone=zone_named(found.get("timezone")),
        permalinks={"": STYLES.get(pattern, pattern)},
        has_hard_breaks=nested_map(found, "kramdown").get("hard_wrap") is True,
        date_in_name=True,
        inherited=tuple(_defaults(found.get("defaults"), collections, file.name, notes)),
        left_out=tuple(_left_out(found.get("exclude"), source, file.name, notes)),
        **notes.notes(),
    )


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
        if values and (kind is None or str(kind) in _POSTS):
            written = str(scope.get("path") or "")
            rank = (len(written.removeprefix("/")), kind is not None)
            try:
                yield InheritedValues(values, path=_scope(written, collections), rank=rank)
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
        merged[name] = _merged_deeply(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged
