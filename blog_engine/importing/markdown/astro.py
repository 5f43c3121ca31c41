"""Astro: its configuration, collections, routes and components.

The rules are those of Astro's documentation: "Configuration reference", "Content collections" (with "Defining the
collection loader" and "Generating routes from content"), "Content Loader API: glob() loader", "Routing" and "MDX".
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Final, Self

from blog_engine.importing.folders import files_under
from blog_engine.importing.markdown.configuration import Configuration, first_file, relative_folder, site_url
from blog_engine.importing.markdown.dialects import REMARK
from blog_engine.importing.markdown.front_matter import Document, Metadata
from blog_engine.importing.markdown.generator import (
    Generator,
    Inherited,
    MarkdownSite,
    PlacedFile,
    Version,
    folders_and_stem,
    is_dated_or_with_posts,
    name_without_day,
    own_over_inherited,
)
from blog_engine.importing.markdown.globs import Pattern, PatternRefused, glob_pattern
from blog_engine.importing.markdown.redirects import SiteRedirect, redirects_in_script
from blog_engine.importing.markdown.scripts import outermost_text, script_text

_CONFIGURATIONS: Final = tuple(f"astro.config.{suffix}" for suffix in ("mjs", "ts", "js", "cjs", "mts"))
_COLLECTIONS: Final = tuple(
    f"src/{name}.{suffix}" for name in ("content.config", "content/config") for suffix in ("ts", "mjs", "js", "mts")
)
_UNPUBLISHED: Final = ("src/content/**/_*", "src/content/_*", "src/pages/**/_*", "src/pages/_*")
_CONTENT: Final = PurePosixPath("src/content")
_LARGEST_ROUTE: Final = 64 * 1024
_MOST_ROUTES: Final = 1_000
_DEFINED: Final = re.compile(r"(?:\b(?:const|let|var)\s+(\w+)\s*=\s*|\b(\w+)\s*:\s*)?defineCollection\(")
_EXPORTED: Final = re.compile(r"""["']?([\w-]+)["']?\s*:\s*(\w+)""")
_CONSTANT: Final = re.compile(r"""\bconst\s+(\w+)\s*(?::\s*string\s*)?=\s*["'`]([^"'`\n$]*)["'`]""")
_USED: Final = re.compile(r"\$\{(\w+)\}")
_BASE: Final = re.compile(r"""\bbase\s*:\s*(?:new\s+URL\(\s*)?(?:["'`]([^"'`\n]+)["'`]|(\w+))""")
_PATTERN: Final = re.compile(r"""\bpattern\s*:\s*(\[[^\]]*\]|["'`][^"'`\n]+["'`])""")
_QUOTED: Final = re.compile(r"""["'`]([^"'`\n]+)["'`]""")
_HIDES: Final = re.compile(
    r"\b(draft|isDraft|unlisted|hidden|private|unpublished|published|publish)[\"']?\s*:\s*z\b[^,;\n]*"
    r"\.default\(\s*(true|false)"
)
_READ: Final = re.compile(r"""\bget(?:Collection|Entry)\(\s*["'`]([\w-]+)["'`]""")
_PARAMETER: Final = re.compile(r"\[(?:\.\.\.)?(\w+)\]")
_DAY: Final = {"year": "%Y", "month": "%m", "day": "%d"}
"""The parameters of routes that are parts of the day of a post."""
_OF_DAY: Final = re.compile(r"\{(year|month|day)\}")
_NOT_SMART: Final = re.compile(r"\bsmartypants\s*:\s*false\b")
_LOCALES: Final = re.compile(r"\blocales\s*:\s*\{")
_LOCALE: Final = re.compile(r"""["']?([\w-]+)["']?\s*:\s*\{[^{}]*?(?:\blang\s*:\s*["']([\w-]+)["'][^{}]*)?\}""")
_STARLIGHT: Final = {"docs": "{}"}
"""The route that Starlight adds to those of the site."""
_RENDERS: Final = re.compile(r"\brender\(|<Content\b|\.compiledContent\(")
"""What a page does with an entry that it shows whole."""


@dataclass(frozen=True, slots=True)
class _AstroCollection:
    """Files of a collection."""

    name: str
    folder: PurePosixPath
    wanted: tuple[Pattern, ...]
    unwanted: tuple[Pattern, ...]
    defaults: Mapping[str, bool]
    """The values by which the schema makes posts drafts that do not say otherwise."""

    def has(self, path: str) -> bool:
        """Return whether the loader reads the file with this path in its folder; without patterns, it reads all."""
        is_wanted = not self.wanted or any(one.matches(path) for one in self.wanted)
        return is_wanted and not any(one.matches(path) for one in self.unwanted)


class Astro(Generator):
    """The rules of Astro."""

    dialect = REMARK
    moved: tuple[SiteRedirect, ...] = ()
    """The redirects of the configuration."""
    locales: Mapping[str, str] = {}
    """The languages of Starlight by the names of their folders, in lower case."""

    def __init__(
        self,
        site: MarkdownSite,
        collections: tuple[_AstroCollection, ...] = (),
        routes: Mapping[str, str] | None = None,
    ) -> None:
        """Take the site, its collections, and the routes of collections, in which braces are the id of a file."""
        super().__init__(site)
        self._collections = collections
        self._routes = routes or {}

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``astro.config``, or of a project that uses Astro."""
        file = first_file(folder, *_CONFIGURATIONS)
        if file is None and not _is_installed(folder):
            return None
        notes = Configuration(folder)
        text = notes.script(file) if file else ""
        base = (outermost_text(text, "base") or "").strip("/")
        notes.guesses.append("the routes of Astro are programs, which are not run")
        definitions = first_file(folder, *_COLLECTIONS)
        collections = tuple(_collections(notes.script(definitions))) if definitions else ()
        site = MarkdownSite(
            folder,
            tuple(dict.fromkeys(("src/content", *_folders(collections), "src/pages"))),
            url=site_url(outermost_text(text, "site")),
            has_month_first=True,
            path=f"/{base}" if base else "",
            has_ugly_urls=script_text(text, "format") == "file",
            left_out=tuple(notes.globs(_UNPUBLISHED, name="", stars_cross=False)),
            **notes.notes(),
        )
        added = _STARLIGHT if "@astrojs/starlight" in text else {}
        rules = cls(site, collections, {**dict(_routes(folder)), **added})
        if _NOT_SMART.search(text):
            rules.dialect = replace(REMARK, typography=frozenset())
        rules.locales = dict(_locales(text)) if added else {}
        rules.moved = tuple(redirects_in_script(text, file.name)) if file else ()
        return rules

    def redirects(self) -> Iterator[SiteRedirect]:
        """Yield those of the host, and those of the configuration."""
        yield from super().redirects()
        yield from self.moved

    def omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return that no loader reads a file in the folder of a collection, or that it is no content."""
        found = self._collection(folder / path)
        if found and not found.has(str((folder / path).relative_to(found.folder))):
            return "file that its collection leaves out"
        return None

    def _collection(self, file: PurePosixPath) -> _AstroCollection | None:
        """Return the collection of a file: of several folders the nearest, of several collections one that has it."""
        found = [one for one in self._collections if file.is_relative_to(one.folder)]
        having = [one for one in found if one.has(str(file.relative_to(one.folder)))]
        return max(having or found, key=lambda one: len(one.folder.parts), default=None)

    def omission_by_document(self, folder: PurePosixPath, path: PurePosixPath, document: Document) -> str | None:
        """Return that a file without a date, outside of folders of posts, is a page; a collection can be one."""
        return None if is_dated_or_with_posts(folder / path, document) else "page"

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over those that the schema of its collection has by default."""
        found = self._collection(folder / path)
        return own_over_inherited(own, found.defaults if found else {}), []

    def version(self, folder: PurePosixPath, path: PurePosixPath) -> Version:
        """Return the version that a folder of a language in the collection of Starlight means."""
        found = self._collection(folder / path) if self.locales else None
        if found is None or found.name not in _STARLIGHT:
            return Version(path, "", None)
        first, *inner = (folder / path).relative_to(found.folder).parts
        language = self.locales.get(first.lower(), "") if inner else ""
        return Version(path, language, "/".join(inner if language else [first, *inner]))

    def language_folder(self, language: str) -> str:
        """Return no folder, because the path of the file has it."""
        return ""

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path that the route of its collection has, else the path that collections usually have."""
        if file.url:
            return file.url
        found = self._collection(file.folder / file.path)
        placed = (file.folder / file.path).relative_to(found.folder) if found else file.path
        folders, stem = folders_and_stem(placed)
        if found is None and file.folder == _CONTENT and folders:
            name, folders = folders[0], folders[1:]
        else:
            name = found.name if found else ""
        parts = [re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in [*folders, stem]]
        id_ = file.slug or "/".join(parts)
        usual = f"{name}/{{}}" if name else "{}"
        folder = found.folder.name if found else name
        names = (name, *(f"/{one}" for one in (folder, name, f"{name}s", name.removesuffix("s"))))
        route = next((self._routes[one] for one in names if one in self._routes), usual)
        date = file.date
        if date and _OF_DAY.search(route):
            route, id_ = _OF_DAY.sub(lambda part: f"{date:{_DAY[part[1]]}}", route), name_without_day(id_)
        path = route.replace("{}", id_)
        return path + (".html" if self.site.has_ugly_urls else "/")

    def is_routed_by_files(self, folder: PurePosixPath) -> bool:
        """Return whether a folder is one of pages."""
        return folder.parts[:2] == ("src", "pages")


def _locales(text: str) -> Iterator[tuple[str, str]]:
    """Yield the folders of languages, but for that at the root, with the tags of their languages."""
    found = _LOCALES.search(text)
    at = found.end() if found else len(text)
    while one := re.compile(rf"[\s,]*{_LOCALE.pattern}").match(text, at):
        at = one.end()
        if one[1] != "root":
            yield one[1].lower(), one[2] or one[1]


def _is_installed(folder: Path) -> bool:
    file = first_file(folder, "package.json")
    has_content = (folder / "src" / "content").is_dir() or any((folder / one).is_file() for one in _COLLECTIONS)
    return file is not None and has_content and b'"astro"' in file.read_bytes()[:_LARGEST_ROUTE]


def _folders(collections: tuple[_AstroCollection, ...]) -> Iterator[str]:
    """Yield the folders of collections that are not in those that are read anyway, the outermost only."""
    folders = {one.folder for one in collections}
    for folder in sorted(folders):
        others = (folders - {folder}) | {_CONTENT, PurePosixPath("src/pages")}
        if not any(folder.is_relative_to(one) for one in others):
            yield str(folder)


def _collections(text: str) -> Iterator[_AstroCollection]:
    """Yield the collections of a configuration, as far as its text says which folders they read."""
    constants = dict(_CONSTANT.findall(text))
    exported = {variable: name for name, variable in _EXPORTED.findall(text[text.rfind("collections") :])}
    found = list(_DEFINED.finditer(text))
    for number, one in enumerate(found):
        inner = text[one.end() : found[number + 1].start() if number + 1 < len(found) else len(text)]
        variable = one[1] or one[2] or ""
        name = exported.get(variable, variable)
        base = _BASE.search(inner)
        written = (base[1] or constants.get(base[2], "")) if base else f"src/content/{name}"
        folder = _USED.sub(lambda used: constants.get(used[1], used[0]), written)
        if not name or not folder or "$" in folder:
            continue
        patterns = _PATTERN.search(inner)
        texts = _QUOTED.findall(patterns[1]) if patterns else []
        yield _AstroCollection(
            name,
            PurePosixPath(relative_folder(folder.removeprefix("./"), ".")),
            wanted=tuple(_patterns(one for one in texts if not one.startswith("!"))),
            unwanted=tuple(_patterns(one[1:] for one in texts if one.startswith("!"))),
            defaults={one.lower(): value == "true" for one, value in _HIDES.findall(inner)},
        )


def _patterns(texts: Iterator[str]) -> Iterator[Pattern]:
    """Yield the patterns of globs; with one that is not understood, all files are read."""
    for text in texts:
        # ``**/`` also means no folder.
        for one in {text, text.replace("**/", "")}:
            with suppress(PatternRefused):
                yield Pattern((("**",),)) if "(" in one else glob_pattern(one.removeprefix("./"))


def _routes(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield collections, or folders after a slash, with the routes of pages that have one parameter at their end."""
    pages = folder / "src" / "pages"
    files = [one for one in files_under(pages) if "[" in str(one)] if pages.is_dir() else []
    shown: list[tuple[str, str]] = []
    for file in files[:_MOST_ROUTES]:
        path = PurePosixPath(file.relative_to(pages.resolve()).as_posix())
        if path.suffix not in {".astro", ".ts", ".js"} or file.stat().st_size > _LARGEST_ROUTE:
            continue
        stem = str(path.parent if path.stem == "index" else path.with_suffix(""))
        route = _PARAMETER.sub(lambda found: f"{{{found[1]}}}" if found[1] in _DAY else "{}", stem)
        text = file.read_text("utf-8", errors="replace")
        names = set(_READ.findall(text))
        if route.count("{}") == 1 and route.endswith("{}") and "." not in route:
            # Without such a call, the folder of the route can be called as the collection, or its folder.
            name = names.pop() if len(names) == 1 else f"/{PurePosixPath(route).parent.name}"
            if _RENDERS.search(text):
                shown.append((name, route))
            else:
                yield name, route
    # Others, such as those of tags, only list the entries: of two routes the later counts.
    yield from shown
