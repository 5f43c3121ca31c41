"""The configuration of Jekyll, and the values that its defaults give to posts."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final

from blog_engine.importing.markdown.configuration import (
    Configuration,
    first_file,
    inside,
    relative_folder,
    site_url,
    texts_in,
    zone_named,
)
from blog_engine.importing.markdown.fields import FrontMatter
from blog_engine.importing.markdown.front_matter import lower_names
from blog_engine.importing.markdown.globs import Pattern, PatternRefused, glob_pattern
from blog_engine.importing.markdown.sites import InheritedValues, MarkdownSite, SiteKind

STYLES: Final = {
    "date": "/:categories/:year/:month/:day/:title:output_ext",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title:output_ext",
    "none": "/:categories/:title:output_ext",
}
"""The names of patterns of URLs."""
SPECIAL: Final = (".", "_", "#", "~")
"""What the names of files and folders begin with that Jekyll does not read."""
_DATED: Final = re.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}-")
_POSTS: Final = frozenset({"post", "posts"})


def jekyll_site(folder: Path) -> MarkdownSite | None:
    """Return the site that the configuration of Jekyll describes; ``None`` if there is no such configuration."""
    file = first_file(folder, "_config.yml", "_config.yaml", "_config.toml")
    if file is None:
        return None
    notes = Configuration(folder)
    found = notes.data(file)
    posts = inside(found, "collections", "posts")
    pattern = str(posts.get("permalink") or found.get("permalink") or "date")
    base = str(found.get("baseurl") or "").strip("/")
    if posts.get("output") is False:
        notes.doubts.append(f"{file.name} says that no post is written (collections.posts.output)")
    if found.get("limit_posts"):
        notes.doubts.append(f"{file.name} says that only some posts are written (limit_posts)")
    source = relative_folder(found.get("source"), "")
    collections = relative_folder(found.get("collections_dir"), "")
    return MarkdownSite(
        SiteKind.JEKYLL,
        folder,
        ("/".join(filter(None, (source, collections))),),
        url=site_url(found.get("url")),
        path=f"/{base}" if base else "",
        zone=zone_named(found.get("timezone")),
        permalinks={"": STYLES.get(pattern, pattern)},
        has_hard_breaks=inside(found, "kramdown").get("hard_wrap") is True,
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
        scope, values = inside(given, "scope"), inside(given, "values")
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


def values_from_defaults(site: MarkdownSite, path: PurePosixPath) -> dict[str, Any]:
    """Return what the defaults give to a post: longer paths come before shorter, later ones before earlier."""
    merged: dict[str, Any] = {}
    first: tuple[int, bool] | None = None
    for one in site.inherited:
        if one.path is None or one.path.matches(str(path)):
            if first is None or one.rank >= first:
                merged, first = merged_deeply(merged, one.values), one.rank
            else:
                merged = merged_deeply(one.values, merged)
    return merged


def merged_deeply(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return both, the second over the first, maps merged at any depth."""
    merged = dict(values)
    for name, value in over.items():
        known = merged.get(name)
        merged[name] = merged_deeply(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return merged


def jekyll_doubts(path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
    """Yield why Jekyll does not publish a file below ``_posts``."""
    if fields.is_empty("published"):
        yield "Its field published is empty"
    parts = path.parts
    first = parts.index("_posts") if "_posts" in parts else -1
    inner = parts[first + 1 :]
    # Of the folders below _posts, only the first counts.
    special = [name for name in (*parts[: max(first, 0)], inner[0], inner[-1]) if name.startswith(SPECIAL)]
    if special:
        yield f"Jekyll does not read names that begin with {special[0][0]}"
    if not _DATED.match(inner[-1]):
        yield "Its name in _posts does not begin with a date"
