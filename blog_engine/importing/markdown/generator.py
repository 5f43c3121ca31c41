"""The rules of a program that makes sites of Markdown. Each program has a module with its own rules."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self
from zoneinfo import ZoneInfo

from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.dialects import COMMON_MARK, Dialect
from blog_engine.importing.markdown.fields import DATES, FrontMatter, Times
from blog_engine.importing.markdown.front_matter import Document, Metadata, lower_names, read_document
from blog_engine.importing.markdown.globs import OrderedPatterns, Pattern
from blog_engine.importing.markdown.redirects import SiteRedirect, redirects_of_hosts
from blog_engine.importing.markdown.scripts import HIDING
from blog_engine.importing.source import Losses

_UTC: Final = ZoneInfo("UTC")
_DATED: Final = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[-_](.+)")
_INDEX: Final = frozenset({"index", "_index"})
_POST_FOLDERS: Final = frozenset({"_posts", "_drafts", "posts", "post", "blog", "articles", "notes", "news", "writing"})
_LANGUAGE_TAG: Final = re.compile("[a-z]{2}(?:-[a-z0-9]{2,8})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InheritedValues:
    """Values that a configuration, or the page of a section, gives to posts."""

    values: Mapping[str, Any]
    """Names in lower case."""
    path: Pattern | None = None
    """The paths of the posts that get them, as the program writes them; default: all."""
    languages: tuple[Pattern, ...] = ()
    """Their languages; default: all."""
    is_certain: bool = True
    """Whether it is known which posts get them."""
    kind: str = ""
    """The collection of Jekyll whose documents get them; default: all."""
    rank: tuple[int, bool] = (0, False)
    """What decides between values of Jekyll: the length of the path, and whether the kind of file is named."""


@dataclass(frozen=True, slots=True)
class MarkdownSite:
    """The configuration of a site."""

    root: Path
    content: tuple[str, ...] = ("",)
    """Folders with posts, relative to the root; source ids are relative to the first that has the file."""
    static: tuple[str, ...] = (
        *("", "static", "files", "assets", "public", "src/assets", "content", "content/images", "src"),
    )
    """Folders of images, from whose names URLs begin."""
    url: str | None = None
    path: str = ""
    """The path of its home page, without a slash at the end."""
    zone: ZoneInfo = _UTC
    permalinks: Mapping[str, str] = field(default_factory=dict)
    """Patterns of URLs by section; for ``""`` that of all others."""
    author: str | None = None
    """Who wrote the posts that name no author."""
    has_ugly_urls: bool = False
    has_raw_html: bool = True
    """Whether readers saw HTML that is in Markdown."""
    has_hard_breaks: bool = False
    languages: frozenset[str] = frozenset()
    """Suffixes of the file names of translations."""
    translated: Mapping[str, str] = field(default_factory=dict)
    """The languages of folders of contents that hold translations."""
    has_ruby_times: bool = False
    """Whether times are read as Jekyll does."""
    has_month_first: bool = False
    """Whether 1/2/2024 is the second of January, as it is for JavaScript and dateutil."""
    date_in_name: bool = False
    """Whether the name of the file can begin with the date."""
    date_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further names of fields with the times of Hugo, by its names."""
    language: str = "en"
    """The language of files that name none."""
    language_in_urls: str = ""
    """That language if the URLs of its pages begin with it."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values of the configuration that bodies can show, by names in lower case."""
    values_by_language: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Those of languages that have others."""
    taxonomies: Mapping[str, str] = field(default_factory=dict)
    """The fields that name the terms of Hugo, by their singular."""
    inherited: tuple[InheritedValues, ...] = ()
    """What the configuration gives to posts, in its order."""
    sections: tuple[str, ...] = ()
    """The folders whose files are posts, as the owner chose them; default: those of the program."""
    other_sections: tuple[str, ...] = ()
    """Those of them that are outside of the folders of contents."""
    main_sections: frozenset[str] = frozenset()
    """The folders whose pages are posts, in lower case; default: all."""
    left_out: tuple[Pattern, ...] = ()
    """The paths of files and folders, from the root, that the program does not read."""
    only: tuple[Pattern, ...] = ()
    """The paths of files and folders, from the root, that the program reads; default: all."""
    mounted: tuple[OrderedPatterns, ...] = ()
    """The paths of files in lower case, from the root, that Hugo mounts; default: all."""
    doubts: tuple[str, ...] = ()
    """Why readers did not see any post, or why that is not known."""
    hidden_languages: frozenset[str] = frozenset()
    """Languages that the program does not publish."""
    guesses: tuple[str, ...] = ()
    """Why URLs may have been others."""
    unread: tuple[tuple[str, str], ...] = ()
    """Files of the configuration that cannot be read, each with the reason."""

    def file_at(self, path: str) -> Path | None:
        """Return the file that has a path of a URL in a folder of contents or of images."""
        files = (file_within(self.root / place, path) for place in (*self.content, *self.static))
        return next(filter(None, files), None)

    def is_chosen(self, folder: PurePosixPath, path: PurePosixPath) -> bool | None:
        """Return whether the owner chose the section of a file; ``None`` if the owner chose none."""
        if not self.sections:
            return None
        # Jekyll's folder of a collection has an underscore before its name.
        places = [[part.removeprefix("_").lower() for part in one.parts] for one in (path, folder / path)]
        wanted = [[part.removeprefix("_").lower() for part in PurePosixPath(one).parts] for one in self.sections]
        return any(place[: len(one)] == one for place in places for one in wanted)

    def leaves_out(self, path: PurePosixPath) -> bool:
        """Return whether the program does not read the file with this path from the root."""
        names = [str(one) for one in (path, *path.parents) if str(one) != "."]
        is_read = not self.only or any(pattern.matches(name) for pattern in self.only for name in names)
        lower = PurePosixPath(str(path).lower())
        is_read = is_read and (not self.mounted or any(one.includes(lower) for one in self.mounted))
        return not is_read or any(pattern.matches(name) for pattern in self.left_out for name in names)


@dataclass(frozen=True, slots=True)
class Version:
    """One language of a post."""

    path: PurePosixPath
    """The file without the language in its name."""
    language: str
    """Empty for the language of the site."""
    key: str | None
    """What the names of the files of all versions share; ``None`` where names have no languages."""
    written_in: str = ""
    """The language of the text, if only the name of its file says so and the program does not know it."""


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """The facts that the URL of a file is made of."""

    path: PurePosixPath
    """Relative to the folder of contents."""
    title: str
    slug: str | None
    """From the front matter."""
    date: datetime | None
    categories: Sequence[str]
    url: str | None
    """From the front matter."""
    folder: PurePosixPath
    """The folder of contents."""
    language: str
    """Empty for the language of the site."""
    metadata: Metadata
    """All values of the post, by names in lower case."""


@dataclass(frozen=True, slots=True)
class Merged:
    """All values of a post."""

    metadata: Metadata
    """Its own come before those that it inherits."""
    doubts: tuple[str, ...] = ()
    """What kept the post from readers, or why that is not known."""


@dataclass(frozen=True, slots=True)
class BodyPlace:
    """The place of one file in its site, as its body needs it."""

    path: PurePosixPath
    page_path: str | None
    base: str
    """The path of the home page, without a slash at the end."""
    find_page: Callable[[str], str | None]
    """Returns the file that a name means."""
    has_file: Callable[[str], bool]
    """Returns whether a path relative to this file exists."""
    parameter: Callable[[str], str | None]
    """Returns a value of the front matter."""
    other_page_url: Callable[[str], str | None] = lambda path: None
    """Returns the URL of the page of a file, by its path relative to this one, that is no post."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """The values of the configuration that bodies can show."""
    read_file: Callable[[str], str | None] = lambda path: None
    """Returns the text of a file by its path in a folder of contents; ``None`` if there is none."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """All values of the front matter, by names in lower case."""
    page_url: Callable[[str], str | None] = lambda name: None
    """Returns the URL of the page of a file, as ``find_page`` returns it; ``None`` if it is not known."""


Inherited = tuple[Metadata, list[str]]
"""The values of a post with those that it inherits, and what keeps it from readers or leaves that open."""


class Generator:
    """The rules for a site; those of this class hold where a program has no other ones."""

    languages_in_names = False
    """Whether the name of a file can end with a language."""
    separators = ","
    """What separates tags and categories in one text."""
    category_separators = ","
    """What separates the values of ``category``."""
    shows_heading_for_title = False
    """Whether readers see the first heading of a body in place of the title."""
    has_category_last = False
    """Whether ``category`` comes after ``categories``."""
    dialect: Dialect = COMMON_MARK
    rest_suffixes = frozenset({".rst"})
    """Suffixes of files in reStructuredText."""
    more_suffixes = frozenset[str]()
    """Suffixes of posts that other programs do not have."""

    def __init__(self, site: MarkdownSite) -> None:
        """Take the site."""
        self.site = site

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site whose configuration is in a folder; ``None`` without such a configuration."""
        return None

    def document(self, file: Path) -> Document:
        """Return front matter and body of a file; raises ``FileRefused``."""
        return read_document(file)

    def omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return what a file of a folder of contents is, in words, if its path says that it is no post."""
        return None

    def omission_by_document(self, folder: PurePosixPath, path: PurePosixPath, document: Document) -> str | None:
        """Return what a file is, in words, if its own front matter says that it is no post."""
        return None

    def omission_by_values(self, values: Metadata) -> str | None:
        """Return what a file is, in words, if its values, also inherited ones, say that it is no post."""
        return None

    def version(self, folder: PurePosixPath, path: PurePosixPath) -> Version:
        """Return the version of a post that the name of a file means, such as ``a.fr.md`` beside ``a.md``."""
        if not self.languages_in_names:
            return Version(path, "", None)
        stem, dot, tag = path.stem.rpartition(".")
        plain = path.with_stem(stem) if dot and stem else path
        is_tag = dot and stem and _LANGUAGE_TAG.fullmatch(tag)
        beside = posixpath.normpath((folder / path).parent / plain.name)
        if dot and stem and (tag.lower() in self.site.languages or (is_tag and file_within(self.site.root, beside))):
            return Version(plain, tag, str(plain))
        return Version(path, self.site.translated.get(str(folder), ""), str(path))

    def merged(self, document: Document, folder: PurePosixPath, path: PurePosixPath, language: str) -> Merged:
        """Return the values of a post; ``path`` is that in the folder of contents, without a language in its name."""
        metadata, doubts = self.inherit(_with_parameters(document.metadata), folder, path, language)
        unknown = (f"Its own script works out {name}" for name in sorted(document.unknown))
        return Merged(metadata, tuple(dict.fromkeys((*self.site.doubts, *unknown, *doubts))))

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return a post's own values over inherited ones, and what keeps it from readers or leaves that open."""
        return own, []

    def opens(self, times: Times) -> datetime | None:
        """Return when a post became or becomes public."""
        return max(filter(None, (times.available, times.shown)), default=None)

    def doubts(self, path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
        """Yield why a file is not published, beside what holds for all programs."""
        return iter(())

    def categories(self, path: PurePosixPath, named: list[str]) -> list[str]:
        """Return the categories of a file, which names some itself."""
        return named

    def tags(self, named: list[str], losses: Losses) -> list[str]:
        """Return the tags of a file, which names some itself."""
        return named

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path of the page of a file below the home page; ``None`` if a pattern is not understood."""
        folders, stem = folders_and_stem(file.path)
        return file.url or "/".join([*folders, file.slug or name_without_day(stem), ""])

    def source_lines(self, text: str, losses: Losses) -> list[tuple[int, str]]:
        """Return the lines of a body with their numbers in its file, and those that the program puts between them."""
        return list(enumerate(text.split("\n"), start=1))

    def alias_path(self, path: str, file: PurePosixPath) -> str:
        """Return the path that a former path of a file in the folder of contents had as a page."""
        return path

    def language_folder(self, language: str) -> str:
        """Return the folder of a language in URLs; an empty one is that of the site."""
        return language.lower() or self.site.language_in_urls

    def is_routed_by_files(self, folder: PurePosixPath) -> bool:
        """Return whether the path of a file in a folder is certainly that of its page."""
        return False

    def redirects(self) -> Iterator[SiteRedirect]:
        """Yield the redirects of the site that are in no post."""
        return redirects_of_hosts(self.site.root)

    def term_path(self, kind: str, name: str) -> str | None:
        """Return the path of the list of a category, tag or series; ``None`` where the program makes none by itself."""
        return None

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the id of a post in the feed of the program; ``None`` where each site writes its own feed."""
        return None

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without the tags of the template language."""
        return text

    def without_attributes(self, text: str, losses: Losses) -> str:
        """Return a body in Markdown without marks that only this program reads, beside those of its dialect."""
        return text


def _with_parameters(own: Metadata) -> dict[str, Any]:
    """Return front matter with Hugo's parameters among the other values, and its options under their new name."""
    values = dict(own)
    if "_build" in values:
        values.setdefault("build", values.pop("_build"))
    parameters = values.pop("params", None)
    inner = lower_names(parameters) if isinstance(parameters, dict) else {}
    # A parameter that is called draft makes no draft, and ends none.
    return {**{name: value for name, value in inner.items() if name not in HIDING}, **values}


def own_over_inherited(own: Metadata, values: Metadata) -> dict[str, Any]:
    """Return both; a name without a value leaves what the post inherits."""
    return {**values, **{name: value for name, value in own.items() if value is not None or name not in values}}


def stem_of(path: PurePosixPath) -> str:
    """Return the name of a file without suffix; of an ``index`` file the name of its folder."""
    return path.parent.name if path.stem in _INDEX and path.parent.name else path.stem


def name_without_day(stem: str) -> str:
    """Return a name without the date that it begins with."""
    found = _DATED.fullmatch(stem)
    return found[1] if found else stem


def is_dated_or_with_posts(path: PurePosixPath, document: Document) -> bool:
    """Return whether a file has a date, in its name or in a field, or is in a folder that usually has posts."""
    has_date = any(name in document.metadata for name in DATES) or _DATED.match(path.name)
    return bool(has_date or set(path.parts[:-1]) & _POST_FOLDERS)


def folders_above(path: PurePosixPath) -> list[str]:
    """Return the folders of a file, for Jekyll those above ``_posts``: each is a category there."""
    folders = list(path.parts[:-1])
    inner = [number for number, name in enumerate(folders) if name in {"_posts", "_drafts"}]
    return folders[: inner[-1]] if inner else folders


def folders_and_stem(path: PurePosixPath) -> tuple[list[str], str]:
    """Return the folders of a page, and its name: those of an ``index`` file are the ones above its folder."""
    parent = path.parent.parent if path.stem in _INDEX else path.parent
    return list(parent.parts), stem_of(path)
