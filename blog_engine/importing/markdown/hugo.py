"""Hugo: its configuration, kinds of pages and URLs, and the values that sections give to posts (cascade)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from blog_engine.importing.data import FileRefused
from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.markdown.configuration import (
    Configuration,
    can_hide,
    first_file,
    nested_map,
    path_of_url,
    relative_folder,
    site_url,
    texts_in,
    zone_named,
)
from blog_engine.importing.markdown.dialects import GOLDMARK
from blog_engine.importing.markdown.fields import Times
from blog_engine.importing.markdown.front_matter import Metadata, lower_names, read_document
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Inherited,
    InheritedValues,
    MarkdownSite,
    PlacedFile,
    date_values,
    filled_pattern,
    folders_and_stem,
    name_without_day,
    own_over_inherited,
    urlized,
)
from blog_engine.importing.markdown.globs import PatternRefused, glob_pattern
from blog_engine.importing.markdown.scripts import HIDING
from blog_engine.importing.markdown.templates import replace_shortcodes
from blog_engine.importing.source import Losses

_DATA: Final = (".toml", ".yaml", ".yml", ".json")
_NAMES: Final = tuple(f"{name}{suffix}" for name in ("hugo", "config") for suffix in _DATA)
_FOLDERS: Final = ("config/_default", "config/production")
"""Hugo builds for the environment ``production``."""
_CONTENT: Final = frozenset({".md", ".markdown", ".mdown", ".html", ".htm", ".adoc", ".org", ".rst"})
_PAGES: Final = ("md", "markdown", "mdown", "html", "htm", "adoc", "org", "rst", "pandoc", "pdc")
_TARGETS: Final = frozenset({"path", "kind", "lang", "environment", "sites"})
_NEVER_GIVEN: Final = frozenset({"target", "_target", "params", "cascade", "kind", "path", "lang"})
_OTHER_URLS: Final = (
    "disablepathtolower",
    "removepathaccents",
    "defaultcontentlanguageinsubdir",
    "defaultcontentlanguageinsubdironlyforsingle",
)
_DATE_NAMES: Final = ("date", "publishdate", "expirydate", "lastmod")
_LISTS: Final = {"category": "categories", "tag": "tags", "series": "series"}


class Hugo(Generator):
    """The rules of Hugo."""

    languages_in_names = True
    own_language_in_names = True
    dialect = GOLDMARK

    def __init__(self, site: MarkdownSite) -> None:
        """Take the site."""
        super().__init__(site)
        self._sections: dict[tuple[str, str], tuple[list[InheritedValues], list[str]]] = {}
        self._bundles: dict[PurePosixPath, bool] = {}

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``hugo.toml`` or of the folder ``config``."""
        names = (*_NAMES, *(f"{one}/{name}" for one in _FOLDERS for name in _NAMES))
        return cls(_site(folder)) if first_file(folder, *names) else None

    def omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return what a file of the folder of contents is, if it is no post of a section."""
        if path.name.startswith("_index."):
            return "list page"
        is_index = path.stem.partition(".")[0] == "index"
        if len(path.parts) <= (2 if is_index else 1):
            return "page"
        if self.site.main_sections and path.parts[0].lower() not in self.site.main_sections:
            return "page outside of the main sections"
        # A page that has a folder of its own, and all that is in that folder.
        above = path.parents[1 if is_index else 0]
        is_part = any(self._is_bundle(folder / place) for place in (above, *above.parents))
        return "part of other pages" if is_part else None

    def _is_bundle(self, folder: PurePosixPath) -> bool:
        """Return whether a folder of the site has an ``index``, in any language."""
        if folder not in self._bundles:
            try:
                names = [PurePosixPath(file.name) for file in (self.site.root / folder).iterdir()]
            except OSError:
                names = []
            self._bundles[folder] = any(
                name.stem.partition(".")[0] == "index" and name.suffix.lower() in _CONTENT for name in names
            )
        return self._bundles[folder]

    def omission_by_values(self, values: Metadata) -> str | None:
        """Return that a page is never shown by itself, if its options of building say so."""
        built = values.get("build")
        is_part = isinstance(built, dict) and lower_names(built).get("render") in {"never", "link", False}
        is_headless = str(values.get("headless")).lower() in {"true", "1", "t"}
        return "part of other pages" if is_part or is_headless else None

    def opens(self, times: Times) -> datetime | None:
        """Return when a post became or becomes public: a date of publication decides alone."""
        return times.available or super().opens(times)

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the front matter, the pattern of the section, or the folders."""
        folders, stem = folders_and_stem(file.path)
        if self.site.date_in_name:
            stem = name_without_day(stem)
        section = folders[0] if folders else ""
        values = date_values(file.date) | {
            "section": section,
            "sections": "/".join(folders),
            "title": urlized(file.title),
            "slug": urlized(file.slug or file.title),
            **dict.fromkeys(("filename", "contentbasename"), urlized(stem)),
            **dict.fromkeys(("slugorfilename", "slugorcontentbasename"), urlized(file.slug or stem)),
        }
        if file.url:
            return filled_pattern(file.url, values)
        pattern = self.site.permalinks.get(section)
        if pattern:
            found = filled_pattern(pattern, values)
        else:
            found = "/".join([*map(urlized, folders), urlized(file.slug or stem), ""])
        return f"{found.rstrip('/')}.html" if found and self.site.has_ugly_urls else found

    def term_path(self, kind: str, name: str) -> str | None:
        """Return the path of the list of a category, a tag or a series."""
        return f"{_LISTS[kind]}/{urlized(name)}/" if kind in _LISTS else None

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the URL of the post."""
        return url

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without shortcodes."""
        return replace_shortcodes(text, place, losses=losses)

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over those that the pages of its sections and the configuration give."""
        doubts: list[str] = []
        values: dict[str, Any] = {}
        name = _logical_path(path)
        for above in path.parents:
            found, unread = self._section(folder / above, language)
            doubts += unread
            _give(values, found, name, language or self.site.language)
        _give(values, self.site.inherited, name, language or self.site.language)
        return own_over_inherited(own, values), doubts

    def _section(self, folder: PurePosixPath, language: str) -> tuple[list[InheritedValues], list[str]]:
        """Return what the page of a section gives, in a language; and why that is not known, if it cannot be read."""
        key = (str(folder), language)
        if key not in self._sections:
            found: list[InheritedValues] = []
            unread: list[str] = []
            for file in self._pages(folder, language):
                try:
                    found += _cascade(read_document(file).metadata.get("cascade"))
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


def _site(folder: Path) -> MarkdownSite:
    notes = Configuration(folder)
    found = _configuration(folder, notes)
    markup = nested_map(found, "markup", "goldmark", "renderer")
    language = str(found.get("defaultcontentlanguage") or "en").lower()
    languages = nested_map(found, "languages")
    disabled = {one.lower() for one in texts_in(found.get("disablelanguages"))}
    disabled |= {name for name in languages if nested_map(languages, name).get("disabled") is True}
    folders = {
        name: relative_folder(nested_map(languages, name).get("contentdir"), "")
        for name in languages
        if nested_map(languages, name).get("contentdir")
    }
    content = folders.pop(language, None) or relative_folder(found.get("contentdir"), "content")
    front = nested_map(found, "frontmatter")
    _note_unread_options(found, notes)
    return MarkdownSite(
        folder,
        (content, *folders.values()),
        url=site_url(found.get("baseurl")),
        path=path_of_url(found.get("baseurl")),
        zone=zone_named(found.get("timezone")),
        permalinks=_permalinks(found.get("permalinks"), notes),
        has_ugly_urls=found.get("uglyurls") is True,
        has_raw_html=markup.get("unsafe") is True,
        has_hard_breaks=markup.get("hardwraps") is True,
        languages=frozenset(languages.keys() - {language}),
        translated={place: name for name, place in folders.items() if place != content},
        date_in_name=":filename" in texts_in(front.get("date")),
        date_names={
            name: tuple(one.lower() for one in texts_in(front.get(name)) if not one.startswith(":"))
            for name in _DATE_NAMES
        },
        language=language,
        inherited=(
            *(one for name in languages for one in _cascade(nested_map(languages, name).get("cascade"), language=name)),
            *_cascade(found.get("cascade")),
        ),
        main_sections=frozenset(one.strip("/").lower() for one in _main_sections(found, languages, language)),
        only=tuple(notes.globs(_mounted(found), name="the mounts", stars_cross=False)),
        left_out=tuple(notes.expressions(found.get("ignorefiles"), name="ignoreFiles of the configuration")),
        hidden_languages=frozenset(disabled),
        **notes.notes(),
    )


def _configuration(folder: Path, notes: Configuration) -> dict[str, Any]:
    """Return the merged values of all files of the configuration: each can be a part of it, named by its key."""
    merged: dict[str, Any] = {}
    root = first_file(folder, *_NAMES)
    if root:
        merged = notes.data(root)
    for one in _FOLDERS:
        for file in files_under(folder / one) if (folder / one).is_dir() else ():
            if file.suffix.lower() in _DATA:
                # The names of files below a link would not be those of the folder.
                place = folder / one / file.relative_to((folder / one).resolve())
                _merge(merged, _part(place.stem.lower(), notes.data(place)))
    return merged


def _part(stem: str, found: Mapping[str, Any]) -> dict[str, Any]:
    if stem in {"hugo", "config"}:
        return dict(found)
    name, _, language = stem.partition(".")
    inner = found[name] if list(found) == [name] else found
    if not language:
        return {name: inner}
    return {"languages": {language: inner if name == "languages" else {name: inner}}}


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, value in lower_names(more).items():
        known = into.get(name)
        if isinstance(known, dict) and isinstance(value, dict):
            into[name] = inner = lower_names(known)
            _merge(inner, value)
        else:
            into[name] = value


def _permalinks(found: Any, notes: Configuration) -> dict[str, str]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        notes.guesses.append("permalinks of the configuration is not understood")
        return {}
    pages = found.get("page")
    patterns = {**found, **(pages if isinstance(pages, dict) else {})}
    return {str(section): pattern for section, pattern in patterns.items() if isinstance(pattern, str)}


def _note_unread_options(found: Mapping[str, Any], notes: Configuration) -> None:
    if "page" in {one.lower() for one in texts_in(found.get("disablekinds"))}:
        notes.doubts.append("disableKinds of the configuration keeps all posts from readers")
    mounts = list(_mounts(found))
    if any(one.keys() & {"files", "includefiles", "excludefiles"} for one in mounts):
        notes.doubts.append("The mounts of the configuration leave files out")
    if mounts:
        notes.guesses.append("the mounts of the configuration are not read")
    ugly = found.get("uglyurls")
    for name in [*_OTHER_URLS, *(["uglyurls"] if not isinstance(ugly, bool | None) else [])]:
        if found.get(name):
            notes.guesses.append(f"{name} of the configuration is not read")


def _mounts(found: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the mounts of folders of contents."""
    mounts = nested_map(found, "module").get("mounts")
    for one in mounts if isinstance(mounts, list) else []:
        values = lower_names(one) if isinstance(one, dict) else {}
        if str(values.get("target")).strip("/").partition("/")[0] == "content":
            yield values


def _mounted(found: Mapping[str, Any]) -> list[str]:
    """Return the paths below which Hugo reads contents, if there are mounts; others are read no more."""
    sources = [str(one.get("source")).strip("/") for one in _mounts(found)]
    return [re.sub(r"([\\*?\[{])", r"\\\1", one) for one in sources] if sources else []


def _main_sections(found: Mapping[str, Any], languages: Mapping[str, Any], language: str) -> list[str]:
    own = nested_map(languages, language)
    places = (nested_map(own, "params"), nested_map(found, "params"), own, found)
    return next((texts for place in places if (texts := texts_in(place.get("mainsections")))), [])


def _cascade(found: Any, *, language: str | None = None) -> Iterator[InheritedValues]:
    """Yield the values of a cascade, a map or a list of maps; ``language`` is that of all of its posts."""
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, dict):
            given = lower_names(one)
            values = {name: value for name, value in given.items() if name not in _NEVER_GIVEN}
            values = {**nested_map(given, "params"), **values}
            if "_build" in values:
                values.setdefault("build", values.pop("_build"))
            place = _placed(nested_map(given, "target") or nested_map(given, "_target"), values, language)
            if place:
                yield place


def _placed(target: Mapping[str, Any], values: Mapping[str, Any], language: str | None) -> InheritedValues | None:
    """Return the values with the posts that a target means; ``None`` if it means no posts."""
    is_certain = target.keys() <= _TARGETS
    named = [*texts_in(target.get("lang")), *texts_in(nested_map(target, "sites", "matrix").get("languages"))]
    path = str(target.get("path") or "")
    try:
        means_posts = all(
            glob_pattern(str(target.get(name) or value).lower()).matches(value)
            for name, value in (("kind", "page"), ("environment", "production"))
        )
        if not means_posts:
            return None
        return InheritedValues(
            values,
            path=glob_pattern(path.lower()) if path else None,
            languages=tuple(glob_pattern(one.lower()) for one in ([language] if language else named)),
            is_certain=is_certain,
        )
    except PatternRefused:
        return InheritedValues(values, is_certain=False)


def _give(values: dict[str, Any], found: Iterable[InheritedValues], path: str, language: str) -> None:
    """Add values that are not there yet: those of the nearest page come first, and of a list the first."""
    for one in found:
        if one.languages and not any(pattern.matches(language) for pattern in one.languages):
            continue
        if one.path and not one.path.matches(path):
            continue
        for name, value in one.values.items():
            if one.is_certain or name in HIDING or name in {"build", "headless"}:
                values.setdefault(name, value)


def _logical_path(path: PurePosixPath) -> str:
    parent, stem = path.parent, path.stem
    place = parent if stem == "index" and parent.name else parent / stem
    return "/" + str(place).lower().replace(" ", "-")
