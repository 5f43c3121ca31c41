"""The site that a folder of Markdown is for: its program, and its places, URLs, times and inherited values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, Final
from zoneinfo import ZoneInfo

from blog_engine.importing.markdown.globs import Pattern

_UTC: Final = ZoneInfo("UTC")


class SiteKind(StrEnum):
    """A program that makes sites of Markdown."""

    HUGO = "Hugo"
    JEKYLL = "Jekyll"
    ASTRO = "Astro"
    ELEVENTY = "Eleventy"
    PELICAN = "Pelican"
    PLAIN = "plain"
    """Only files in folders."""


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
    rank: tuple[int, bool] = (0, False)
    """What decides between values of Jekyll: the length of the path, and whether the kind of file is named."""


@dataclass(frozen=True, slots=True)
class MarkdownSite:
    """The kind and configuration of a site."""

    kind: SiteKind
    root: Path
    content: tuple[str, ...] = ("",)
    """Folders with posts, relative to the root; source ids are relative to the first that has the file."""
    url: str | None = None
    path: str = ""
    """The path of its home page, without a slash at the end."""
    zone: ZoneInfo = _UTC
    permalinks: Mapping[str, str] = field(default_factory=dict)
    """Patterns of URLs by section; for ``""`` that of all others."""
    author: str | None = None
    """Who wrote the posts that name no author."""
    slug_from: str = "title"
    """What Pelican makes slugs of."""
    has_ugly_urls: bool = False
    has_raw_html: bool = True
    """Whether readers saw HTML that is in Markdown."""
    has_hard_breaks: bool = False
    languages: frozenset[str] = frozenset()
    """Suffixes of the file names of translations."""
    translated: Mapping[str, str] = field(default_factory=dict)
    """The languages of folders of contents that hold translations."""
    date_in_name: bool = False
    """Whether the name of the file can begin with the date."""
    date_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further names of fields with the times of Hugo, by its names."""
    language: str = "en"
    """The language of files that name none."""
    inherited: tuple[InheritedValues, ...] = ()
    """What the configuration gives to posts, in its order."""
    main_sections: frozenset[str] = frozenset()
    """The folders whose pages are posts, in lower case; default: all."""
    left_out: tuple[Pattern, ...] = ()
    """The paths of files and folders, from the root, that the program does not read."""
    only: tuple[Pattern, ...] = ()
    """The paths of files and folders, from the root, that the program reads; default: all."""
    layouts: tuple[str, ...] = ("_includes", "_layouts")
    """Names of the folders of layouts of Eleventy, in the folder of contents."""
    layout_names: Mapping[str, str] = field(default_factory=dict)
    """The files of layouts that have other names."""
    data_folder: str = "_data"
    """The name of the folder of data for all posts of Eleventy."""
    data_suffixes: tuple[str, ...] = (".11tydata",)
    """What is behind the name of a post or folder in the name of its data file."""
    data_name: str = ""
    """The name of the data file of each folder of Eleventy; default: that of the folder."""
    doubts: tuple[str, ...] = ()
    """Why readers did not see any post, or why that is not known."""
    hidden_languages: frozenset[str] = frozenset()
    """Languages that the program does not publish."""
    guesses: tuple[str, ...] = ()
    """Why URLs may have been others."""
    unread: tuple[tuple[str, str], ...] = ()
    """Files of the configuration that cannot be read, each with the reason."""

    def leaves_out(self, path: PurePosixPath) -> bool:
        """Return whether the program does not read the file with this path from the root."""
        names = [str(one) for one in (path, *path.parents) if str(one) != "."]
        is_read = not self.only or any(pattern.matches(name) for pattern in self.only for name in names)
        return not is_read or any(pattern.matches(name) for pattern in self.left_out for name in names)
