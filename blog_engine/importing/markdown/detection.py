"""Detection of the program that a folder of Markdown is for, and the rules for folders of no program."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Final

from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.astro import Astro
from blog_engine.importing.markdown.configuration import can_hide
from blog_engine.importing.markdown.dialects import UNKNOWN
from blog_engine.importing.markdown.eleventy import Eleventy
from blog_engine.importing.markdown.fields import FrontMatter
from blog_engine.importing.markdown.front_matter import Document, Metadata, read_document
from blog_engine.importing.markdown.generator import BodyPlace, Generator, Inherited, MarkdownSite
from blog_engine.importing.markdown.hugo import Hugo
from blog_engine.importing.markdown.jekyll import Jekyll
from blog_engine.importing.markdown.jekyll_urls import STYLES
from blog_engine.importing.markdown.mkdocs import MkDocs
from blog_engine.importing.markdown.nikola import Nikola
from blog_engine.importing.markdown.pelican import Pelican
from blog_engine.importing.markdown.scripts import HIDING
from blog_engine.importing.markdown.zola import Zola
from blog_engine.importing.source import Losses

_LEVELS: Final = 5
"""Folders above the source in which its site is looked for."""


def generator_of(folder: Path) -> Generator:
    """Return the rules for the site in a folder; what cannot be read of its configuration is noted in its ``site``."""
    return _configured(folder) or _unconfigured(folder)


def _configured(folder: Path) -> Generator | None:
    # Zola comes before Hugo, whose configuration can have the same name.
    found = (program.configured(folder) for program in (Zola, Hugo, Jekyll, Pelican, Nikola, MkDocs, Astro, Eleventy))
    return next(filter(None, found), None)


def _unconfigured(folder: Path) -> Generator:
    doubts = tuple(_doubts_from_above(folder.resolve()))
    if folder.name in {"_posts", "_drafts"} or any((folder / name).is_dir() for name in ("_posts", "_drafts")):
        patterns = {"": STYLES["date"]}
        return Jekyll(MarkdownSite(folder, permalinks=patterns, date_in_name=True, has_ruby_times=True, doubts=doubts))
    content = ("content",) if (folder / "content").is_dir() else ("",)
    guess = ("no configuration of a program was found",)
    return PlainFolder(MarkdownSite(folder, content, date_in_name=True, guesses=guess, doubts=doubts))


def _doubts_from_above(folder: Path) -> Iterator[str]:
    """Yield what keeps posts from readers in the site that a folder is a part of."""
    above = list(islice(folder.parents, _LEVELS))
    found = next(filter(None, map(_configured, above)), None)
    if found is None:
        return
    site = found.site
    inner = [one for one in (folder, *above) if one.is_relative_to(site.root) and one != site.root]
    files = [
        file
        for one in inner
        for file in one.iterdir()
        if file.name.startswith(("_index.", ".meta.yml", f"{one.name}.11tydata."))
    ]
    names = {name for one in site.inherited for name in one.values}
    hides = not (HIDING | {"build", "headless"}).isdisjoint(names)
    if site.doubts or site.left_out or hides or any(map(can_hide, files)):
        yield f"The site in {site.root.name} can keep posts from readers, and only a part of it was sent"


class PlainFolder(Generator):
    """A folder of no known program: its files may be for any of those that need no configuration."""

    languages_in_names = True
    dialect = UNKNOWN

    def __init__(self, site: MarkdownSite) -> None:
        """Take the site."""
        super().__init__(site)
        self._hugo, self._eleventy = Hugo(site), Eleventy(site)

    def document(self, file: Path) -> Document:
        """Return front matter and body; as Nikola keeps it, the front matter can be a file beside the body."""
        document = read_document(file)
        beside = file_within(file.parent, f"{file.stem}.meta")
        if not beside or document.has_front_matter:
            return document
        values = read_document(beside).metadata
        return replace(document, metadata=values, has_front_matter=bool(values))

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over those of Hugo's sections, and of Eleventy's data files."""
        metadata, doubts = self._hugo.inherit(own, folder, path, language)
        metadata, more = self._eleventy.inherit(metadata, folder, path, language)
        return metadata, [*doubts, *more]

    def doubts(self, path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
        """Yield why a file had no page."""
        return self._eleventy.doubts(path, fields)

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without Hugo's shortcodes."""
        return self._hugo.without_templates(text, place, losses)
