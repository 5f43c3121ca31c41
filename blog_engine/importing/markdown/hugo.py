"""Hugo: its kinds of pages, languages and URLs, and the values that sections give to posts (cascade)."""

import posixpath
import re
from collections.abc import Container, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from blog_engine.importing.data import FileRefused
from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.configuration import can_hide, texts_in
from blog_engine.importing.markdown.dialects import GOLDMARK
from blog_engine.importing.markdown.fields import FrontMatter, Times
from blog_engine.importing.markdown.front_matter import Metadata, lower_names, read_document
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Inherited,
    InheritedValues,
    MarkdownSite,
    PlacedFile,
    Version,
    folders_and_stem,
    name_without_day,
    own_over_inherited,
)
from blog_engine.importing.markdown.hugo_configuration import PERMALINK, HugoOptions, cascade, configured_site, give
from blog_engine.importing.markdown.hugo_urls import lowered, permalink, slugified, urlized, without_accents
from blog_engine.importing.markdown.templates import replace_shortcodes
from blog_engine.importing.markdown.text import leave_out_and_name
from blog_engine.importing.source import Losses, LossKind

_CONTENT: Final = frozenset({".md", ".markdown", ".mdown", ".html", ".htm", ".adoc", ".org", ".rst"})
_PAGES: Final = ("md", "markdown", "mdown", "html", "htm", "adoc", "org", "rst", "pandoc", "pdc")
_ATTRIBUTES: Final = re.compile(r"^[ \t>]*\{[ \t]*(?:[.#][\w-]+|[\w-]+=[^\s{}]+)[^{}\n]*\}[ \t]*\n?", re.MULTILINE)
_LANGUAGE: Final = re.compile("[a-z]{2}(?:-[a-z0-9]{2,8})?", re.IGNORECASE)


class Hugo(Generator):
    """The rules of Hugo."""

    languages_in_names = True
    dialect = GOLDMARK

    def __init__(self, site: MarkdownSite, options: HugoOptions | None = None) -> None:
        """Take the site, and what only Hugo has of its configuration."""
        super().__init__(site)
        self._options = options or HugoOptions()
        self.dialect = replace(GOLDMARK, id_rule=self._options.id_rule)
        if not self._options.has_typography:
            self.dialect = replace(self.dialect, typography=frozenset())
        self._sections: dict[tuple[str, str], tuple[list[InheritedValues], list[str]]] = {}
        self._bundles: dict[PurePosixPath, set[str]] = {}

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``hugo.toml`` or of the folder ``config``."""
        found = configured_site(folder)
        return cls(*found) if found else None

    def omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return what a file of the folder of contents is, if it is no post of a section."""
        if path.name.startswith("_index."):
            return "list page"
        if any(part.startswith("#") or part.endswith("~") for part in path.parts):
            return "file that Hugo does not read"
        name, _, tag = path.stem.partition(".")
        is_known = tag.lower() in {"", self.site.language, *self.site.languages}
        is_index = name == "index" and (is_known or not self._is_bundle(folder / path.parent, names={"index"}))
        placed = self._prefix(folder) / path
        if len(placed.parts) <= (2 if is_index else 1):
            return "page"
        if self.site.main_sections and placed.parts[0].lower() not in self.site.main_sections:
            return "page outside of the main sections"
        # A page that has a folder of its own, and all that is in that folder.
        above = path.parents[1 if is_index else 0]
        is_part = any(self._is_bundle(folder / place) for place in (above, *above.parents))
        return "part of other pages" if is_part else None

    def _is_bundle(self, folder: PurePosixPath, *, names: Container[str] | None = None) -> bool:
        """Return whether a folder of the site has an ``index`` of these names; default: in any language."""
        if folder not in self._bundles:
            try:
                files = [PurePosixPath(file.name) for file in (self.site.root / folder).iterdir()]
            except OSError:
                files = []
            self._bundles[folder] = {one.stem for one in files if one.suffix.lower() in _CONTENT}
        return any(
            one.partition(".")[0] == "index" and (names is None or one in names) for one in self._bundles[folder]
        )

    def omission_by_values(self, values: Metadata) -> str | None:
        """Return that a page is never shown by itself, if its options of building say so."""
        built = values.get("build")
        is_part = isinstance(built, dict) and lower_names(built).get("render") in {"never", "link", False}
        is_headless = str(values.get("headless")).lower() in {"true", "1", "t"}
        return "part of other pages" if is_part or is_headless else None

    def doubts(self, path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
        """Yield why a post had no page in HTML."""
        outputs = fields.raw("outputs")
        named = texts_in(outputs[1]) if outputs else []
        if named and "html" not in {one.lower() for one in named}:
            yield f"Its outputs are {', '.join(named)[:60]}"

    def opens(self, times: Times) -> datetime | None:
        """Return when a post became or becomes public: a date of publication decides alone."""
        return times.available or super().opens(times)

    def version(self, folder: PurePosixPath, path: PurePosixPath) -> Version:
        """Return the version that the name of a file means; a language that Hugo does not know stays in the name."""
        placed = self._prefix(folder) / path
        stem, dot, tag = placed.stem.rpartition(".")
        plain = placed.with_stem(stem) if dot and stem else placed
        translated = self.site.translated.get(str(folder), "")
        if plain != placed and tag.lower() in {*self.site.languages, self.site.language}:
            return Version(plain, "" if tag.lower() == self.site.language else tag, str(plain))
        beside = posixpath.normpath((folder / path).parent / plain.name)
        if plain != placed and _LANGUAGE.fullmatch(tag) and file_within(self.site.root, beside):
            return Version(placed, translated, str(plain), written_in=tag)
        return Version(placed, translated, str(placed))

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the front matter, the pattern of the section, or the folders."""
        folders, stem = folders_and_stem(file.path)
        if self.site.date_in_name:
            stem = name_without_day(stem)
        slug = slugified(file.slug).strip("-") if file.slug else ""
        values = {
            "section": urlized(folders[0]) if folders else "",
            "title": slugified(re.sub(r"[/\\]", "-", file.title)),
            "slug": slug or slugified(re.sub(r"[/\\]", "-", file.title)),
            **dict.fromkeys(("filename", "contentbasename"), urlized(stem)),
            **dict.fromkeys(("slugorfilename", "slugorcontentbasename"), slug or urlized(stem)),
        }
        sections = self._sections_of(folders, file)
        values |= {"sectionslug": sections[-1] if sections else "", "sectionslugs": "/".join(sections)}
        names = [urlized(one) for one in folders[: len(sections)]]
        if file.url:
            return permalink(file.url, file.date, {name: self._cased(value) for name, value in values.items()}, names)
        patterns = self._options.patterns
        given: dict[str, Any] = {}
        language = file.language or self.site.language
        give(given, patterns.get(language, patterns.get("", ())), _logical_path(file.path), language)
        if PERMALINK in given:
            found = permalink(given[PERMALINK], file.date, values, names)
            found = found and found.rstrip("/") + "/"
        else:
            found = "/".join([*map(urlized, folders), slug or urlized(stem), ""])
        if found is None:
            return None
        if self._options.drops_accents:
            found = without_accents(found)
        found = self._cased(found)
        return f"{found.rstrip('/')}.html" if self._is_ugly(folders[0] if folders else "") else found

    def _is_ugly(self, section: str) -> bool:
        return self.site.has_ugly_urls or section.lower() in self._options.ugly_sections

    def _cased(self, path: str) -> str:
        return path if self._options.keeps_case else lowered(path)

    def _prefix(self, folder: PurePosixPath) -> PurePosixPath:
        """Return where the files of a folder begin in the contents."""
        return PurePosixPath(self._options.prefixes.get(str(folder), ""))

    def _sections_of(self, folders: list[str], file: PlacedFile) -> list[str]:
        """Return the slugs of the sections of a page: the first folder, and those below it that have a page."""
        found: list[str] = []
        prefix = self._prefix(file.folder)
        for number, name in enumerate(folders, start=1):
            place = PurePosixPath(*folders[:number])
            inner = place.relative_to(prefix) if place.is_relative_to(prefix) else None
            page = next(self._pages(file.folder / inner, file.language), None) if inner is not None else None
            if page is None and number > 1:
                break
            found.append(self._slug_of(page) or urlized(name))
        return found

    def _slug_of(self, page: Path | None) -> str:
        try:
            slug = read_document(page).metadata.get("slug") if page else None
        except FileRefused:
            return ""
        return slugified(slug).strip("-") if isinstance(slug, str) else ""

    def alias_path(self, path: str, file: PurePosixPath) -> str:
        """Return the path as it is, or with the ending that all pages have."""
        is_ugly = self._is_ugly(file.parts[0] if len(file.parts) > 1 else "")
        return f"{path.rstrip('/')}.html" if is_ugly and not path.endswith(".html") else path

    def term_path(self, kind: str, name: str) -> str | None:
        """Return the path of the list of a category, a tag or a series."""
        field = self.site.taxonomies.get(kind, kind)
        return f"{field}/{self._cased(urlized(name))}/" if field in self.site.taxonomies.values() else None

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the URL of the post."""
        return url

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without shortcodes."""
        return replace_shortcodes(text, place, losses=losses)

    def without_attributes(self, text: str, losses: Losses) -> str:
        """Return a body without the attributes of blocks, if the site has them."""
        if not self._options.has_block_attributes:
            return text
        return leave_out_and_name(text, _ATTRIBUTES, LossKind.HTML, "Attributes in braces are left out.", losses)

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over those that the pages of its sections and the configuration give."""
        doubts: list[str] = []
        values: dict[str, Any] = {}
        name = _logical_path(path)
        prefix = self._prefix(folder)
        for above in (path.relative_to(prefix) if path.is_relative_to(prefix) else path).parents:
            found, unread = self._section(folder / above, language)
            doubts += unread
            give(values, found, name, language or self.site.language)
        give(values, self.site.inherited, name, language or self.site.language)
        return own_over_inherited(own, values), doubts

    def _section(self, folder: PurePosixPath, language: str) -> tuple[list[InheritedValues], list[str]]:
        """Return what the page of a section gives, in a language; and why that is not known, if it cannot be read."""
        key = (str(folder), language)
        if key not in self._sections:
            found: list[InheritedValues] = []
            unread: list[str] = []
            for file in self._pages(folder, language):
                try:
                    found += cascade(read_document(file).metadata.get("cascade"))
                except FileRefused:
                    if can_hide(file):
                        unread.append(f"{folder / file.name} cannot be read, and can keep posts from readers")
                else:
                    if file.suffix == ".org" and "cascade" in file.read_text("utf-8", errors="replace").lower():
                        unread.append(f"{folder / file.name} is Org, and can keep posts from readers")
            self._sections[key] = (found, unread)
        return self._sections[key]

    def _pages(self, folder: PurePosixPath, language: str) -> Iterator[Path]:
        base = self.site.root / folder
        tags = [f".{language}"] if language else ["", f".{self.site.language}"]
        # A folder of a language has its own pages, without the language in their names.
        tags += [""] if language and str(folder).startswith(tuple(self.site.translated)) else []
        for tag in tags:
            for suffix in _PAGES:
                if file := file_within(base, f"_index{tag}.{suffix}"):
                    yield file


def _logical_path(path: PurePosixPath) -> str:
    parent, stem = path.parent, path.stem
    place = parent if stem == "index" and parent.name else parent / stem
    return "/" + str(place).lower().replace(" ", "-")
