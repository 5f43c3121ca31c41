"""Eleventy: its configuration, collections and URLs, and the values that data files and layouts give to posts.

The rules are those of Eleventy's documentation: "Configuration", "Permalinks", "Collections", "Supplied data",
"Data cascade" with "Template and directory data files", "Global data files", "Computed data" and "Layouts", and
"Ignoring template files".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from blog_engine.importing.data import FileRefused, read_data_file, read_text
from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.configuration import Configuration, can_hide, first_file, relative_folder
from blog_engine.importing.markdown.dialects import markdown_it
from blog_engine.importing.markdown.fields import FrontMatter
from blog_engine.importing.markdown.front_matter import Document, Metadata, lower_names, read_document
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Inherited,
    InheritedValues,
    MarkdownSite,
    PlacedFile,
    folders_and_stem,
    is_dated_or_with_posts,
    name_without_day,
)
from blog_engine.importing.markdown.scripts import CORE, HIDING, ScriptValues, read_script, script_calls, script_text
from blog_engine.importing.markdown.templates import replace_liquid
from blog_engine.importing.source import Losses, LossKind

_CONFIGURATIONS: Final = (".eleventy.js", *(f"eleventy.config.{suffix}" for suffix in ("js", "mjs", "cjs", "ts")))
_SCRIPTS: Final = (".js", ".cjs", ".mjs", ".ts")
_DATA: Final = (".json", ".yaml", ".yml", ".toml")
_LARGEST_SCRIPT: Final = 64 * 1024
_MOST_LAYOUTS: Final = 10
_LONGEST_FILTER: Final = 1_000
_LAYOUTS: Final = ("", ".njk", ".liquid", ".html", ".md", ".hbs", ".ejs", ".webc", ".11ty.js")
_IGNORE_FILES: Final = (".eleventyignore", ".gitignore")
_OUTPUT: Final = re.compile(r"\{\{-?\s*([\w.]+)\s*(?:\|\s*(\w+)(?:\s*:\s*[\"']([^\"'{}]*)[\"']|\(\s*\))?\s*)?-?\}\}")
"""An output of one value through at most one filter."""
_FILTER: Final = re.compile(r"""\badd(?:Async)?Filter\(\s*["'`](\w+)["'`]\s*,""")
_FORMATS: Final = re.compile(r"""\.(toFormat|format)\(\s*["'`]([^"'`\n]+)["'`]\s*,?\s*\)""")
_DATE_SIGNS: Final = re.compile(r"[A-Za-z]+|[^A-Za-z']+")
_DATE_PARTS: Final = {
    **{"yyyy": "%Y", "YYYY": "%Y", "MM": "%m", "LL": "%m", "MMMM": "%B", "LLLL": "%B", "MMM": "%b", "LLL": "%b"},
    **{"dd": "%d", "DD": "%d"},
}
"""The parts of formats of Luxon, Day.js and Moment that mean the same in all of them."""
_STRFTIME: Final = re.compile(r"[\w/.\-]*(?:%[YmdHMS][\w/.\-]*)+")
_PLAIN_WORDS: Final = re.compile(r"(?:(?:[A-Z]?[a-z0-9]+|[A-Z]+)(?: |-|$))+")
"""Words of which all filters make the same slug."""
_COLLECTIONS: Final = frozenset({"post", "posts", "all", "nav", "blog"})
"""Tags that are names of collections."""
_COMMENT: Final = re.compile(
    r"""('(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+"|`(?:[^`\\]|\\.)*+`)|/\*.*?\*/|//[^\n]*""", re.DOTALL
)
"""A text, or a comment."""
_ALIASED: Final = re.compile(r"""addLayoutAlias\(\s*["'`]([^"'`\n]+)["'`]\s*,\s*["'`]([^"'`\n]+)["'`]""")
_GLOBAL: Final = re.compile(r"""addGlobalData\(\s*["'`]([\w.]+)["'`]\s*,\s*([^)]{0,200})\)""")
_DECIDED: Final = re.compile(r"\bdata\s*\??\.\s*(\w+)")
_DECIDES: Final = re.compile(r"addPreprocessor|addGlobalData\(\s*[\"'`](?:eleventyComputed|permalink)")
_CALLS_WITH_DATA: Final = re.compile(r"(?<!function)(?<=\w)\(\s*data\s*[,)]")
_HARMLESS: Final = HIDING | {"title", "page", "date", "url", "content", "layout", "collections", "eleventy", "pkg"}


@dataclass(frozen=True, slots=True)
class DataFiles:
    """The names of the files that give values to posts."""

    layouts: tuple[str, ...] = ("_includes", "_layouts")
    """The folders of layouts, in the folder of contents."""
    layout_names: Mapping[str, str] = field(default_factory=dict)
    """The files of layouts that have other names."""
    folder: str = "_data"
    """The folder of data for all posts."""
    suffixes: tuple[str, ...] = (".11tydata",)
    """Behind the name of a post or folder in the name of its data file."""
    name: str = ""
    """The data file of each folder; default: the name of the folder."""
    dates: Mapping[str, str] = field(default_factory=dict)
    """The formats of those filters of the configuration that only format a date, as ``strftime`` has them."""


class Eleventy(Generator):
    """The rules of Eleventy."""

    def __init__(self, site: MarkdownSite, data: DataFiles | None = None) -> None:
        """Take the site, and the names of its data files if they are not the usual ones."""
        super().__init__(site)
        self._data = data or DataFiles()
        self._files: dict[Path, tuple[Mapping[str, Any], list[str]]] = {}

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``eleventy.config.js``, or of a project that uses Eleventy."""
        file = first_file(folder, *_CONFIGURATIONS)
        if file is None and not _is_installed(folder):
            return None
        rules = cls(*_configuration(folder, file))
        rules.dialect = markdown_it(Configuration(folder).script(file) if file else "")
        return rules

    def omission_by_document(self, folder: PurePosixPath, path: PurePosixPath, document: Document) -> str | None:
        """Return that a file without a date, outside of folders of posts, is a page."""
        return None if is_dated_or_with_posts(path, document) else "page"

    def doubts(self, path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
        """Yield that a file had no page."""
        if fields.has_no_page("permalink"):
            yield "It had no page (permalink: false)"

    def tags(self, named: list[str], losses: Losses) -> list[str]:
        """Return the tags of a file that are no collections."""
        for one in named:
            if one in _COLLECTIONS:
                losses.add(LossKind.FIELD, f"The tag {one} is a collection of Eleventy, and left out.")
        return [one for one in named if one not in _COLLECTIONS]

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the front matter, if its template can be read, or by the folders."""
        folders, stem = folders_and_stem(file.path)
        if file.url is None:
            return "/".join([*folders, stem, ""])
        chosen = _OUTPUT.sub(lambda found: _shown(found, file, folders, stem, self._data.dates), file.url)
        # What remains is the template language.
        return None if "{{" in chosen or "{%" in chosen else chosen.removesuffix("index.html")

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without Liquid and Nunjucks."""
        return replace_liquid(text, place, losses=losses)

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over those of data files and layouts."""
        values: dict[str, Any] = {}
        for one in self.site.inherited:
            values = _merged_with_lists(values, one.values)
        doubts: list[str] = []
        for file in self._data_files(folder, path):
            found, unknown = self._read(file)
            values = _merged_with_lists(values, found)
            doubts += unknown
        layout = own.get("layout") or values.get("layout")
        for file in self._layouts(layout):
            found, unknown = self._read(file)
            values = _merged_with_lists(found, values)
            doubts += unknown
        values = _merged_with_lists(values, own)
        computed = values.pop("eleventycomputed", None)
        return {**values, **_computed(computed, doubts)}, doubts

    def _data_files(self, folder: PurePosixPath, path: PurePosixPath) -> Iterator[Path]:
        """Yield the data files of a post, the nearest and the strongest last: of all, of its folders, its own."""
        root, base = self.site.root, self.site.root / folder
        for data in dict.fromkeys(place / self._data.folder for place in (root, base)):
            for name in CORE:
                yield from _found(data, _original(name), (*_DATA, *_SCRIPTS))
        for above in list(path.parents)[::-1]:
            # Eleventy has no data file for the folder of the whole project.
            if folder / above != PurePosixPath("."):
                yield from self._named(base / above, self._data.name or (folder / above).name)
        yield from self._named(base / path.parent, path.stem)

    def _named(self, folder: Path, name: str) -> Iterator[Path]:
        for suffix in self._data.suffixes:
            yield from _found(folder, f"{name}{suffix}", (*_DATA, *_SCRIPTS) if suffix else _DATA)

    def _layouts(self, name: Any) -> Iterator[Path]:
        """Yield the layout of a post, and the layouts of layouts."""
        places = [self.site.root / one / inner for one in ("", *self.site.content) for inner in self._data.layouts]
        for _ in range(_MOST_LAYOUTS):
            if not isinstance(name, str) or ".." in name:
                return
            name = self._data.layout_names.get(name, name)
            names = [f"{name.strip('/')}{suffix}" for suffix in _LAYOUTS]
            file = next((file for place in places if (file := first_file(place, *names))), None)
            if file is None:
                return
            yield file
            name = self._read(file)[0].get("layout")

    def _read(self, file: Path) -> tuple[Mapping[str, Any], list[str]]:
        if file not in self._files:
            name = file.relative_to(self.site.root).as_posix()
            try:
                found = _read_file(file, is_global=file.parent.name == self._data.folder)
            except FileRefused:
                doubts = [f"{name} cannot be read, and can keep posts from readers"] if can_hide(file) else []
                self._files[file] = ({}, doubts)
            else:
                words = ", ".join(sorted(map(_original, found.unknown)))
                doubts = [f"{name} works out {words}, and is not run"] if words else []
                self._files[file] = (found.values, doubts)
        return self._files[file]


def _shown(found: re.Match[str], file: PlacedFile, folders: list[str], stem: str, dates: Mapping[str, str]) -> str:
    """Return what an output in a permalink shows; the output itself if that is not known."""
    name, used, argument = found.groups()
    if name in {"page.date", "date"} and used in dates and file.date and not argument:
        return file.date.strftime(dates[used])
    if name == "page.date" and used == "date" and file.date and _STRFTIME.fullmatch(argument or ""):
        return file.date.strftime(argument)
    values = {
        **{one: value for one, value in file.metadata.items() if isinstance(value, str)},
        "page.fileslug": name_without_day(stem),
        "page.filepathstem": "/" + "/".join([*folders, name_without_day(stem)]),
    }
    value = values.get(name.lower())
    if value is not None and used in {"slugify", "slug"} and _PLAIN_WORDS.fullmatch(value):
        return value.lower().replace(" ", "-")
    return found[0] if value is None or used else value


def _configuration(folder: Path, file: Path | None) -> tuple[MarkdownSite, DataFiles]:
    notes = Configuration(folder)
    text = _COMMENT.sub(lambda found: found[1] or "", notes.script(file)) if file else ""
    base = (script_text(text, "pathPrefix") or "").strip("/")
    content = relative_folder(script_text(text, "input"), "")
    ignored = [*script_calls(text, r"ignores\.add"), *_ignored(folder, content, notes)]
    _note_programs(text, notes)
    values = tuple(_global_values(text, notes))
    suffixes = re.search(r"setDataFileSuffixes\(\s*\[([^\]]*)\]", text)
    data = DataFiles(
        layouts=tuple(
            filter(None, (script_text(text, "layouts"), script_text(text, "includes") or "_includes", "_layouts"))
        ),
        layout_names=dict(_ALIASED.findall(text)),
        folder=script_text(text, "data") or "_data",
        suffixes=tuple(re.findall(r"""["'`]([^"'`\n]*)["'`]""", suffixes[1])) if suffixes else ("", ".11tydata"),
        name=next(iter(script_calls(text, "setDataFileBaseName")), ""),
        dates=dict(_date_filters(text)),
    )
    site = MarkdownSite(
        folder,
        (content,),
        path=f"/{base}" if base else "",
        date_in_name=True,
        has_month_first=True,
        inherited=values,
        left_out=tuple(notes.globs(ignored, name="a list of ignored files", stars_cross=False)),
        **notes.notes(),
    )
    return site, data


def _date_filters(text: str) -> Iterator[tuple[str, str]]:
    """Yield the filters whose program has one format of a date and decides nothing, each with the format."""
    found = list(_FILTER.finditer(text))
    for number, one in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        program = text[one.end() : min(end, one.end() + _LONGEST_FILTER)].partition("eleventyConfig.")[0]
        formats = _FORMATS.findall(program)
        parts = _DATE_SIGNS.findall(formats[0][1]) if len(formats) == 1 else []
        is_plain = not re.search(r"\bif\s*\(|\?[^.?:]*:|\breplace", program)
        if parts and is_plain and all(part in _DATE_PARTS or not part[0].isalpha() for part in parts):
            yield one[1], "".join(_DATE_PARTS.get(part, part.replace("%", "%%")) for part in parts)


def _note_programs(text: str, notes: Configuration) -> None:
    """Note what the configuration decides about posts, unless it follows from fields that are read here as well."""
    if _DECIDES.search(text):
        if "addGlobalData" in text:
            notes.guesses.append("the configuration can work URLs out")
        programs = "".join(_deciding(text))
        names = sorted({name for name in _DECIDED.findall(programs) if name.lower() not in _HARMLESS})
        if names:
            notes.doubts.append(f"The configuration is not run, and can decide by {', '.join(names)[:100]}")


def _deciding(text: str) -> Iterator[str]:
    """Yield the programs that decide about posts; the whole text where a program is only named, or calls others."""
    for found in _DECIDES.finditer(text):
        end = depth = 0
        for sign in re.finditer(r"[()]", text[found.start() :]):
            depth += 1 if sign[0] == "(" else -1
            if not depth:
                end = found.start() + sign.end()
                break
        program = text[found.start() : end]
        is_whole = ("=>" in program or "function" in program) and not _CALLS_WITH_DATA.search(program)
        yield program if is_whole else text


def _global_values(text: str, notes: Configuration) -> Iterator[InheritedValues]:
    """Yield the plain values that the configuration gives to all posts; a hiding one that is not plain is a doubt."""
    for name, value in _GLOBAL.findall(text):
        of, _, last = name.rpartition(".")
        found = read_script(f"export default {{ {last}: {value} }}")
        yield InheritedValues(found.values)
        if found.unknown and not of and last != "permalink":
            notes.doubts.append(f"The configuration is not run, and works {last} out")


def _is_installed(folder: Path) -> bool:
    file = first_file(folder, "package.json")
    return file is not None and b'"@11ty/eleventy"' in file.read_bytes()[: 4 * _LARGEST_SCRIPT]


def _ignored(folder: Path, content: str, notes: Configuration) -> Iterator[str]:
    for name in _IGNORE_FILES:
        for place in dict.fromkeys(("", content)):
            file = file_within(folder / place, name)
            lines = notes.script(file).split("\n") if file else []
            names = [line.strip().strip("/") for line in lines]
            yield from (f"{place}/{name}" for name in names if name and name[0] not in "#!")


def _found(folder: Path, name: str, suffixes: tuple[str, ...]) -> Iterator[Path]:
    return filter(None, (file_within(folder, f"{name}{suffix}") for suffix in suffixes))


def _read_file(file: Path, *, is_global: bool) -> ScriptValues:
    """Return the values of a data file or of a layout; a global one gives one value, that of its name."""
    if file.suffix in _SCRIPTS:
        found = read_script(read_text(file, most=_LARGEST_SCRIPT))
    elif file.suffix in _DATA:
        data = read_data_file(file)
        if is_global:
            return ScriptValues({file.stem.lower(): data})
        return ScriptValues(lower_names(data) if isinstance(data, dict) else {})
    else:
        document = read_document(file)
        return ScriptValues(document.metadata, document.unknown)
    if is_global:
        # What it exports is the value of its name.
        name = file.stem.lower()
        is_map = name == "eleventycomputed"
        return ScriptValues({name: found.values}, found.unknown) if is_map else ScriptValues(unknown=frozenset({name}))
    return found


def _computed(computed: Any, doubts: list[str]) -> dict[str, Any]:
    """Return the computed values that are plain; a template for a hiding value is a doubt, unless it is a URL."""
    plain = {}
    for name, value in lower_names(computed).items() if isinstance(computed, dict) else ():
        is_template = isinstance(value, str) and ("{{" in value or "{%" in value)
        if is_template and name in HIDING and name != "permalink":
            doubts.append(f"Its eleventyComputed works out {_original(name)}")
        elif not is_template or name == "permalink":
            plain[name] = value
    return plain


def _merged_with_lists(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return both, the second over the first, maps merged and lists joined at any depth."""
    merged = dict(values)
    for name, given in over.items():
        # One tag is a list of one.
        known, value = (_listed(name, one) if name in merged else one for one in (merged.get(name), given))
        if isinstance(known, dict) and isinstance(value, dict):
            merged[name] = _merged_with_lists(known, value)
        elif isinstance(known, list) and isinstance(value, list):
            merged[name] = [*known, *(one for one in value if one not in known)]
        else:
            merged[name] = value
    return merged


def _listed(name: str, value: Any) -> Any:
    return [value] if name == "tags" and isinstance(value, str) else value


def _original(name: str) -> str:
    return {
        "eleventyexcludefromcollections": "eleventyExcludeFromCollections",
        "eleventycomputed": "eleventyComputed",
    }.get(name, name)
