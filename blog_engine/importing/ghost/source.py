"""The blog of a Ghost, versions 1 to 6, from its JSON export and a copy of its images."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.ghost.posts import GhostPosts
from blog_engine.importing.ghost.tables import GhostTables
from blog_engine.importing.ghost.urls import Permalinks, read_redirects
from blog_engine.importing.old_blog import split_or_none
from blog_engine.importing.source import Item, Omitted, Source, SourceRefused

_EXPORT_MOMENT: Final = re.compile(r"\.ghost(?:\.[0-9-]+)?$")
_DEEPEST: Final = 3
"""Folders in which the export is looked for."""
_IMAGES: Final = "content/images/"
_RESIZED: Final = re.compile(r"^size/w[0-9]+(?:h[0-9]+)?/(?:format/[a-z]+/)?")


def open_ghost(path: Path, *, url: str | None, media: Path | None) -> Source:
    """Return the source for an export: the JSON file, or a folder with it and perhaps its images.

    ``url`` is that of the blog, which the export does not name. ``media`` is a copy of Ghost's ``content/images``, or a
    folder that has it. Raises ``SourceRefused`` when the file cannot be found.
    """
    folder = path if path.is_dir() else None
    export = _export_in(path) if folder else path
    if not export.is_file():
        raise SourceRefused(f"{path}: there is no such file.")
    places = [place for place in (media, folder, export.parent if folder else None) if place]
    site = url.rstrip("/") if url else None
    name = (urlsplit(site).netloc if site else None) or _EXPORT_MOMENT.sub("", export.stem)
    return _Ghost(export=export, url=site, blog=name, places=places, settings=_settings_in(folder))


def _export_in(folder: Path) -> Path:
    found = [
        file
        for file in files_under(folder)
        if file.suffix == ".json" and len(file.relative_to(folder.resolve()).parts) <= _DEEPEST
    ]
    named = [file for file in found if ".ghost" in file.name] or [
        file for file in found if not file.name.startswith(("redirects", "package", "default-"))
    ]
    if len(named) != 1:
        names = ", ".join(file.name for file in named[:5])
        raise SourceRefused(f"{folder}: one export was expected, and {len(named)} were found ({names or 'no .json'}).")
    return named[0]


def _settings_in(folder: Path | None) -> dict[str, Path]:
    """Return the files for permalinks and redirects, which Ghost exports beside the blog."""
    wanted = ("routes.yaml", "redirects.yaml", "redirects.json")
    return {file.name: file for file in files_under(folder) if file.name in wanted} if folder else {}


@dataclass(slots=True)
class _Ghost:
    export: Path
    url: str | None
    blog: str
    places: list[Path]
    """Folders in which images are looked for."""
    settings: dict[str, Path]
    system: str = "ghost"
    sought: str = "Posts are in data.posts of the file that Settings → Import/Export writes."

    def items(self) -> Iterator[Item]:
        old_paths: dict[str, list[str]] = {}
        for name in ("redirects.yaml", "redirects.json"):
            for found in read_redirects(self.settings[name]) if name in self.settings else ():
                if isinstance(found, Omitted):
                    yield found
                else:
                    target = split_or_none(found[1])
                    path = unquote(target.path).strip("/") if target else ""
                    old_paths.setdefault(f"/{path}/", []).append(found[0])
        with closing(GhostTables(self.export)) as tables:
            posts = GhostPosts(
                tables,
                file=self.export.name,
                site=self.url or "",
                permalinks=Permalinks(self.settings.get("routes.yaml")),
                old_paths=old_paths,
            )
            yield from chain(posts.entries(), posts.terms())

    def image_file(self, url: str) -> Path | None:
        parts = split_or_none(url)
        path = unquote(parts.path) if parts else ""
        _, found, rest = path.partition(_IMAGES)
        if not found or ".." in rest.split("/"):
            return None
        name = _RESIZED.sub("", rest)
        stem, dot, suffix = name.rpartition(".")
        # Ghost keeps the uploaded file beside the one that it made smaller.
        names = (f"{stem}_o{dot}{suffix}", name) if dot else (name,)
        for place in self.places:
            for wanted in names:
                for prefix in (_IMAGES, "images/", ""):
                    if file := file_within(place, prefix + wanted):
                        return file
        return None
