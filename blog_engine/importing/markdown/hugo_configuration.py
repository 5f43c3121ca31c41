"""Configuration of Hugo: one file, or many in ``config/_default`` and ``config/production``.

The rules are those of "Configuration" in Hugo's documentation: each root key can be a file of its own, also for one
language (``permalinks.toml``, ``languages.en.toml``, ``params.en.toml``).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

from blog_engine.importing.folders import files_under
from blog_engine.importing.heading_ids import IdRule
from blog_engine.importing.markdown.configuration import (
    Configuration,
    first_file,
    nested_map,
    path_of_url,
    relative_folder,
    site_url,
    texts_in,
    zone_named,
)
from blog_engine.importing.markdown.front_matter import lower_names
from blog_engine.importing.markdown.generator import InheritedValues, MarkdownSite
from blog_engine.importing.markdown.globs import OrderedPatterns, PatternRefused, glob_pattern
from blog_engine.importing.markdown.scripts import HIDING

PERMALINK: Final = "permalink"
"""The name of the value that patterns of permalinks give to posts."""
_DATA: Final = (".toml", ".yaml", ".yml", ".json")
_NAMES: Final = tuple(f"{name}{suffix}" for name in ("hugo", "config") for suffix in _DATA)
_FOLDERS: Final = ("config/_default", "config/production")
"""Hugo builds for the environment ``production``."""
_TARGETS: Final = frozenset({"path", "kind", "lang", "environment", "sites"})
_NEVER_GIVEN: Final = frozenset({"target", "_target", "params", "cascade", "kind", "path", "lang"})
_ID_RULES: Final = {"github-ascii": IdRule.GOLDMARK_ASCII, "blackfriday": IdRule.BLACKFRIDAY}
_DATE_NAMES: Final = ("date", "publishdate", "expirydate", "lastmod")


@dataclass(frozen=True, slots=True)
class HugoOptions:
    """Values of a configuration that only Hugo has."""

    patterns: Mapping[str, Sequence[InheritedValues]] = field(default_factory=dict)
    """The patterns of permalinks by language; for ``""`` those of languages without own ones."""
    ugly_sections: frozenset[str] = frozenset()
    """The sections in lower case whose URLs end with ``.html``."""
    keeps_case: bool = False
    """Whether URLs keep capital letters."""
    drops_accents: bool = False
    has_typography: bool = True
    """Whether curly quotation marks and dashes are shown."""
    id_rule: IdRule = IdRule.GOLDMARK
    has_block_attributes: bool = False
    """Whether a line in braces below a block has its attributes."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """The paths at which folders of contents begin, for those that are a part of the contents."""


def configured_site(folder: Path) -> tuple[MarkdownSite, HugoOptions] | None:
    """Return the site of the configuration in a folder; ``None`` if there is none."""
    names = (*_NAMES, *(f"{one}/{name}" for one in _FOLDERS for name in _NAMES))
    return _site(folder) if first_file(folder, *names) else None


def cascade(found: Any, *, language: str | None = None) -> Iterator[InheritedValues]:
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


def give(values: dict[str, Any], found: Sequence[InheritedValues], path: str, language: str) -> None:
    """Add values that are not there yet: those of the nearest page come first, and of a list the first."""
    for one in found:
        if one.languages and not any(pattern.matches(language) for pattern in one.languages):
            continue
        if one.path and not one.path.matches(path):
            continue
        for name, value in one.values.items():
            if one.is_certain or name in HIDING or name in {"build", "headless"}:
                values.setdefault(name, value)


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


def _site(folder: Path) -> tuple[MarkdownSite, HugoOptions]:
    notes = Configuration(folder)
    found = _configuration(folder, notes)
    markup = nested_map(found, "markup", "goldmark", "renderer")
    parser = nested_map(found, "markup", "goldmark", "parser")
    language = str(found.get("defaultcontentlanguage") or "en").lower()
    languages = nested_map(found, "languages")
    disabled = {one.lower() for one in texts_in(found.get("disablelanguages"))}
    disabled |= {name for name in languages if nested_map(languages, name).get("disabled") is True}
    mounts = _mounts(found, languages, language)
    front = nested_map(found, "frontmatter")
    is_below = found.get("defaultcontentlanguageinsubdir") is True
    _note_unread_options(found, notes, folder)
    site = MarkdownSite(
        folder,
        # What is not mounted is listed.
        tuple(dict.fromkeys([*(one.source for one in mounts), *(["content"] if _written_mounts(found) else ())])),
        static=tuple(_static_folders(found, folder)),
        url=site_url(found.get("baseurl")),
        path=path_of_url(found.get("baseurl")),
        zone=zone_named(found.get("timezone")),
        has_ugly_urls=found.get("uglyurls") is True,
        # Hugo showed HTML until version 0.60; these names are older.
        has_raw_html=markup.get("unsafe") is True or not found.keys().isdisjoint({"blackfriday", "indexes"}),
        has_hard_breaks=markup.get("hardwraps") is True,
        languages=frozenset(languages.keys() - {language}),
        translated={one.source: one.language for one in mounts if one.language not in {"", language}},
        date_in_name=":filename" in texts_in(front.get("date")),
        date_names={
            name: tuple(one.lower() for one in texts_in(front.get(name)) if not one.startswith(":"))
            for name in _DATE_NAMES
        },
        language=language,
        language_in_urls=language if is_below and language in languages else "",
        inherited=(
            *(one for name in languages for one in cascade(nested_map(languages, name).get("cascade"), language=name)),
            *cascade(found.get("cascade")),
        ),
        values=_parameters(found, language),
        values_by_language={name: _parameters(found, name) for name in languages},
        taxonomies=_taxonomies(found),
        main_sections=frozenset(one.strip("/").lower() for one in _main_sections(found, languages, language)),
        mounted=tuple(_mounted(mounts, notes)) if _written_mounts(found) else (),
        left_out=tuple(notes.expressions(found.get("ignorefiles"), name="ignoreFiles of the configuration")),
        hidden_languages=frozenset(disabled),
        **notes.notes(),
    )
    ugly = found.get("uglyurls")
    return site, HugoOptions(
        patterns=_patterns(found, languages),
        ugly_sections=frozenset(name for name, is_ugly in lower_names(ugly).items() if is_ugly is True)
        if isinstance(ugly, dict)
        else frozenset(),
        keeps_case=found.get("disablepathtolower") is True,
        drops_accents=found.get("removepathaccents") is True,
        has_typography=nested_map(found, "markup", "goldmark", "extensions").get("typographer") is not False
        and nested_map(found, "markup", "goldmark", "extensions", "typographer").get("disable") is not True,
        id_rule=_ID_RULES.get(str(parser.get("autoheadingidtype")).lower(), IdRule.GOLDMARK),
        has_block_attributes=nested_map(parser, "attribute").get("block") is True,
        prefixes={one.source: one.prefix for one in mounts if one.prefix},
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


def _parameters(found: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return the parameters of a site in a language."""
    merged: dict[str, Any] = {}
    for one in (found, nested_map(found, "languages", language)):
        _merge(merged, nested_map(one, "params"))
    return merged


def _patterns(found: Mapping[str, Any], languages: Mapping[str, Any]) -> dict[str, list[InheritedValues]]:
    """Return the patterns of permalinks by language; those of a language replace all others."""
    own = {name: nested_map(languages, name).get("permalinks") for name in languages}
    return {
        name: list(_permalinks(written))
        for name, written in {"": found.get("permalinks"), **own}.items()
        if written is not None
    }


def _permalinks(found: Any) -> Iterator[InheritedValues]:
    """Yield the patterns of a map by section, with or without the kind of page, or of a list with targets."""
    if isinstance(found, dict):
        named = lower_names(found)
        patterns = {**nested_map(named, "page"), **{name: one for name, one in named.items() if isinstance(one, str)}}
        # The section that is named by the longest path comes first.
        for name in sorted(patterns, key=len, reverse=True):
            place = re.sub(r"([\\*?\[{])", r"\\\1", name.strip("/"))
            if isinstance(patterns[name], str):
                # The slash alone means the pages outside of all sections.
                yield InheritedValues({PERMALINK: patterns[name]}, path=glob_pattern(f"/{place}/**" if place else "/*"))
    for one in found if isinstance(found, list) else ():
        given = lower_names(one) if isinstance(one, dict) else {}
        if isinstance(given.get("pattern"), str):
            targeted = _placed(nested_map(given, "target"), {PERMALINK: given["pattern"]}, None)
            yield from [targeted] if targeted else []


def _note_unread_options(found: Mapping[str, Any], notes: Configuration, folder: Path) -> None:
    languages = nested_map(found, "languages")
    if "page" in {one.lower() for one in texts_in(found.get("disablekinds"))}:
        notes.doubts.append("disableKinds of the configuration keeps all posts from readers")
    if found.get("rendersegments"):
        notes.doubts.append("renderSegments of the configuration leaves pages out")
    for name in ("permalinks", "uglyurls"):
        if not isinstance(found.get(name), dict | list | bool | None):
            notes.guesses.append(f"{name} of the configuration is not understood")
    named = found.get("permalinks")
    sections = [f"{name.strip('/')}/" for name in lower_names(named)] if isinstance(named, dict) else []
    if any(one != other and one.startswith(other) for one in sections for other in sections):
        # Hugo takes either.
        notes.guesses.append("permalinks of the configuration has a section and a folder of it")
    if found.get("defaultcontentlanguageinsubdironlyforsingle"):
        notes.guesses.append("defaultcontentlanguageinsubdironlyforsingle of the configuration is not read")
    if any(nested_map(languages, name).get("baseurl") for name in languages):
        notes.guesses.append("languages have hosts of their own")
    names = {one.name.lower() for one in (folder / "content").iterdir()} if (folder / "content").is_dir() else set()
    has_own = _written_mounts(found) or any(nested_map(languages, name).get("contentdir") for name in languages)
    if not has_own and len(languages) > 1 and languages.keys() <= names:
        notes.guesses.append("content has a folder for each language, and the configuration does not say so")


@dataclass(frozen=True, slots=True)
class _Mount:
    """A folder of contents."""

    source: str
    prefix: str = ""
    """Where its files begin in the contents."""
    language: str = ""
    files: tuple[str, ...] = ()
    """Patterns of the files that it has; the first that matches decides."""


def _mounts(found: Mapping[str, Any], languages: Mapping[str, Any], language: str) -> list[_Mount]:
    """Return the folders of contents, that of the main language first."""
    written = [one for one in map(_mount, _written_mounts(found)) if one]
    # What is mounted once more, for languages without a translation of it, is one post.
    above = {one.source for one in written}
    mounts = [one for one in written if above.isdisjoint(map(str, PurePosixPath(one.source).parents))]
    if not mounts:
        folders = {
            name: relative_folder(nested_map(languages, name).get("contentdir"), "")
            for name in languages
            if nested_map(languages, name).get("contentdir")
        }
        content = folders.pop(language, None) or relative_folder(found.get("contentdir"), "content")
        mounts = [_Mount(content), *(_Mount(place, "", name) for name, place in folders.items() if place != content)]
    found_first: dict[str, _Mount] = {}
    for one in sorted(mounts, key=lambda one: bool(one.prefix) or one.language not in {"", language}):
        found_first.setdefault(one.source, one)
    return list(found_first.values())


def _written_mounts(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the mounts of the configuration that are about contents."""
    mounts = nested_map(found, "module").get("mounts")
    values = [lower_names(one) for one in mounts if isinstance(one, dict)] if isinstance(mounts, list) else []
    return [one for one in values if str(one.get("target")).strip("/").partition("/")[0] == "content"]


def _mount(values: Mapping[str, Any]) -> _Mount | None:
    source = relative_folder(values.get("source"), "")
    prefix = str(values.get("target")).strip("/").partition("/")[2]
    spoken = [*texts_in(values.get("lang")), *texts_in(nested_map(values, "sites", "matrix").get("languages"))]
    files = [*texts_in(values.get("files")), *(f"! {one}" for one in texts_in(values.get("excludefiles")))]
    files += texts_in(values.get("includefiles"))
    return _Mount(source, prefix, next(iter(spoken), "").lower(), tuple(files)) if source else None


def _mounted(mounts: Sequence[_Mount], notes: Configuration) -> Iterator[OrderedPatterns]:
    """Yield the patterns of the files that the mounts have, by their paths from the root."""
    for one in mounts:
        base = re.sub(r"([\\*?\[{])", r"\\\1", one.source)
        written = [(not text.startswith("!"), text.lstrip("! ").strip("/")) for text in one.files]
        try:
            patterns = [(is_read, glob_pattern(f"{base}/{text}".lower())) for is_read, text in written]
        except PatternRefused:
            notes.doubts.append(f"The files of the mount {one.source} are not understood")
            continue
        rest = not any(is_read for is_read, _ in written)
        yield OrderedPatterns((*patterns, (rest, glob_pattern(f"{base}/**".lower()))))


def _static_folders(found: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """Yield the folders of images: those of the site come before those of its themes."""
    named = [relative_folder(one, "") for one in texts_in(found.get("staticdir"))]
    yield from filter(None, named)
    yield from MarkdownSite(folder).static
    yield from (f"themes/{relative_folder(one, '')}/static" for one in texts_in(found.get("theme")))


def _main_sections(found: Mapping[str, Any], languages: Mapping[str, Any], language: str) -> list[str]:
    own = nested_map(languages, language)
    places = (nested_map(own, "params"), nested_map(found, "params"), own, found)
    return next((texts for place in places if (texts := texts_in(place.get("mainsections")))), [])


def _taxonomies(found: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that name terms, by the singular: those of the configuration replace the usual two."""
    written = found.get("taxonomies", found.get("indexes"))
    if not isinstance(written, dict):
        return {"category": "categories", "tag": "tags"}
    return {name: one.lower() for name, one in lower_names(written).items() if isinstance(one, str) and one}
