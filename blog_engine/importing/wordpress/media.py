"""Find the files of images in a copy of WordPress' folder of uploads."""

import os
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from blog_engine.importing.folders import file_within

_PLACES: Final = ("", "uploads", "wp-content/uploads", "public_html/wp-content/uploads", "htdocs/wp-content/uploads")
"""Where the uploads are in what owners copy: the folder itself, its parents, the whole site."""
_SIZE: Final = re.compile(r"-[0-9]{1,5}x[0-9]{1,5}(?=\.[A-Za-z0-9]{2,5}$)")
_MADE: Final = re.compile(r"-(?:scaled|rotated)(?=\.[A-Za-z0-9]{2,5}$)")
_UPLOADS: Final = "/uploads/"
_MOST_NAMES: Final = 100_000
"""The most files of a folder that are compared without regard to case."""


class UploadsFolder:
    """A copy of the uploads, of ``wp-content`` or of the whole site."""

    def __init__(self, folder: Path) -> None:
        self._roots = [folder / place for place in _PLACES if (folder / place).is_dir()]

    def find(self, url: str) -> Path | None:
        """Return the file of an image: the original if it is there, else the size that the URL names.

        A path that leads out of the folder finds no file.
        """
        try:
            path = unquote(urlsplit(url).path)
        except ValueError:
            return None
        relative = path.rpartition(_UPLOADS)[2] if _UPLOADS in path else path.lstrip("/")
        for name in _originals_first(relative):
            for root in self._roots:
                file = file_within(root, name) or _similar(root, name)
                if file is not None:
                    return file
        return None


def _originals_first(name: str) -> Iterator[str]:
    """Yield the names under which the original of an image may be, then the name itself."""
    unsized = _SIZE.sub("", name)
    original = _MADE.sub("", unsized)
    stem, dot, suffix = original.rpartition(".")
    yield from dict.fromkeys(
        [original, unsized, f"{stem}-scaled{dot}{suffix}", name] if unsized != name else [original, name]
    )


def _similar(root: Path, name: str) -> Path | None:
    """Return the file whose name differs in case or in the form of its accents only."""
    folder, _, last = name.rpartition("/")
    found = _names(root / folder).get(_folded(last))
    return file_within(root, f"{folder}/{found}" if folder else found) if found else None


@lru_cache(maxsize=64)
def _names(folder: Path) -> dict[str, str]:
    names: dict[str, str] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names[_folded(entry.name)] = entry.name
                if len(names) >= _MOST_NAMES:
                    break
    except (OSError, ValueError):
        # There is no such folder, or its name is not possible.
        return {}
    return names


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
