"""Reading the configuration of a site as far as that is possible; what cannot be read never stops an import."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from blog_engine.importing.data import FileRefused, read_data_file, read_text
from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.front_matter import lower_names
from blog_engine.importing.markdown.globs import Pattern, PatternRefused, expression_pattern, glob_pattern
from blog_engine.importing.markdown.scripts import names_hiding

_LARGEST_SCRIPT: Final = 1024 * 1024
_NO_HOST: Final = frozenset({"example.org", "example.com", "www.example.com", "localhost", "127.0.0.1", ""})
"""Hosts that new sites have until someone enters their own."""
_HIDING: Final = re.compile(
    r"cascade|ignore|disable|exclude|mounts|defaults|collections|limit_posts|metadata|article_paths", re.IGNORECASE
)
"""Names in configurations that can keep posts from readers."""
UTC: Final = ZoneInfo("UTC")


@dataclass(slots=True)
class Configuration:
    """The notes on the files of a configuration while they are read."""

    folder: Path
    doubts: list[str] = field(default_factory=list)
    """Why readers did not see any post, or why that is not known."""
    guesses: list[str] = field(default_factory=list)
    """Why URLs may have been others."""
    unread: list[tuple[str, str]] = field(default_factory=list)
    """The files that cannot be read, each with the reason."""

    def data(self, file: Path) -> dict[str, Any]:
        """Return the values of a file of YAML, TOML or JSON by names in lower case; nothing if it cannot be read."""
        try:
            found = read_data_file(file)
        except FileRefused as fault:
            self.refuse(file, fault)
            return {}
        return lower_names(found) if isinstance(found, dict) else {}

    def script(self, file: Path, *, most: int = _LARGEST_SCRIPT) -> str:
        """Return the text of a program of at most ``most`` bytes; nothing if it cannot be read."""
        try:
            return read_text(file, most=most)
        except FileRefused as fault:
            self.refuse(file, fault)
            return ""

    def refuse(self, file: Path, fault: Exception) -> None:
        """Note a file that cannot be read; it is a doubt if it can keep posts from readers."""
        name = file.relative_to(self.folder).as_posix()
        self.unread.append((name, str(fault)))
        self.guesses.append(f"{name} cannot be read")
        if can_hide(file):
            self.doubts.append(f"{name} cannot be read, and can keep posts from readers")

    def globs(self, found: Any, *, name: str, stars_cross: bool) -> Iterator[Pattern]:
        """Yield the patterns of a list of globs for paths from the root; one that is not understood is a doubt."""
        for one in texts_in(found):
            try:
                yield glob_pattern(one.removeprefix("./").removeprefix("/"), stars_cross=stars_cross)
            except PatternRefused:
                self.doubts.append(f"{name} is not understood")

    def expressions(self, found: Any, *, name: str) -> Iterator[Pattern]:
        """Yield the patterns of a list of regular expressions; one that is not understood is a doubt."""
        for one in texts_in(found):
            try:
                yield expression_pattern(one)
            except PatternRefused:
                self.doubts.append(f"{name} is not understood")

    def notes(self) -> dict[str, Any]:
        """Return the fields of ``MarkdownSite`` for what was noted."""
        return {name: tuple(dict.fromkeys(getattr(self, name))) for name in ("doubts", "guesses", "unread")}


def can_hide(file: Path) -> bool:
    """Return whether the text of a file that cannot be read has names that can keep posts from readers."""
    try:
        text = file.read_bytes()[:_LARGEST_SCRIPT].decode(errors="replace")
    except OSError:
        return True
    # A list of ignored files says so by its name.
    return bool(_HIDING.search(f"{file.name}\n{text}") or names_hiding(text))


def first_file(folder: Path, *names: str) -> Path | None:
    """Return the first of these files that there is."""
    return next((file for name in names if (file := file_within(folder, name))), None)


def nested_map(found: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Return the map at a path of names, by names in lower case; an empty one if there is none."""
    inner: Any = found
    for name in names:
        inner = lower_names(inner).get(name) if isinstance(inner, dict) else None
    return lower_names(inner) if isinstance(inner, dict) else {}


def value_at(found: Mapping[str, Any], path: str) -> str | None:
    """Return the plain value at a path such as ``author.name`` as text; ``None`` if there is none."""
    *above, last = path.lower().split(".")
    value = nested_map(found, *above).get(last) if above else found.get(last)
    return str(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def texts_in(found: Any) -> list[str]:
    """Return the texts of a list, or a text as the only one."""
    values = found if isinstance(found, list | tuple) else [found]
    return [one for one in values if isinstance(one, str) and one]


def relative_folder(name: Any, default: str) -> str:
    """Return the name of a folder of the site; one that leads out of it is not used."""
    path = PurePosixPath((name if isinstance(name, str) and name else default).strip("/") or ".")
    return "" if ".." in path.parts or path == PurePosixPath(".") else path.as_posix()


def site_url(url: Any) -> str | None:
    """Return scheme and host of a URL; ``None`` if it is that of a site which is not public yet."""
    try:
        parts = urlsplit(str(url or ""))
        host = parts.hostname or ""
    except ValueError:
        return None
    known = parts.scheme in {"http", "https"} and host not in _NO_HOST and not host.endswith(".example.org")
    return f"{parts.scheme}://{parts.netloc}" if known else None


def path_of_url(url: Any) -> str:
    """Return the path of a URL without a slash at the end."""
    try:
        path = urlsplit(str(url or "")).path.strip("/")
    except ValueError:
        return ""
    return f"/{path}" if path else ""


def zone_named(name: Any) -> ZoneInfo:
    """Return the time zone of this name, else UTC."""
    try:
        return ZoneInfo(str(name or "UTC"))
    except (ValueError, KeyError, OSError):
        return UTC
