"""Reading the manifest of an export, and comparing the files with it."""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from blog_engine.archives import LONGEST_NAME, is_safe_name
from blog_engine.exporting.targets import FORMAT, MANIFEST

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LONGEST_LINE: Final = 100_000_000
"""A line lists all missing images."""
_OF_HUGO: Final = frozenset({"public", "resources", ".hugo_build.lock"})


class RestoreRefused(Exception):
    """An export cannot be restored; the message names the file, and nothing is stored."""


def refuse_name(name: str) -> None:
    """Raise ``RestoreRefused`` for a path that is not safely below a folder, or that UTF-8 cannot have."""
    if not is_safe_name(name) or _SURROGATE.search(name):
        raise RestoreRefused(f"{name[:200]!r}: the name of the file is not safe.")


@dataclass(frozen=True, slots=True)
class Manifest:
    """The head of a manifest."""

    engine: str
    """The release that made the export."""
    exported_at: str
    media: str
    """The folder of the images."""
    missing: list[str]
    """The images whose files the exported blog did not have."""


def read_manifest(folder: Path, *, source: Path) -> Manifest:
    """Return the head of the manifest. Raises ``RestoreRefused``, also for an export of a later release.

    ``source`` is what the folder was unpacked from, for the message.
    """
    path = folder / MANIFEST
    if path.is_symlink() or not path.is_file():
        raise RestoreRefused(
            f"{source}: {MANIFEST} is missing, so this is no export of a blog, or not the whole of one."
        )
    head: dict[str, Any] = {}
    with path.open("rb") as file:
        _expect(file.readline(10), b"{\n")
        while (line := file.readline(_LONGEST_LINE)) != b' "files": [\n':
            if not line.endswith(b",\n"):
                raise _damaged()
            head |= _object(b"{" + line[:-2] + b"}")
    if head.get("format") != FORMAT:
        raise RestoreRefused(
            f"{MANIFEST}: the export has the format {head.get('format')!r}, and this release reads {FORMAT}. "
            f"It was made by blog_engine {head.get('engine')!r}: use that release or a later one."
        )
    texts, missing = [head.get(name) for name in ("engine", "exported_at", "media")], head.get("missing")
    if not all(isinstance(text, str) for text in texts) or not isinstance(missing, list):
        raise _damaged()
    refuse_name(str(head["media"]))
    return Manifest(str(texts[0]), str(texts[1]), str(texts[2]), [str(one) for one in missing])


def check_files(folder: Path) -> Iterator[int]:
    """Compare each file with the manifest, and yield the number of files after each.

    Raises ``RestoreRefused`` for a file that is missing, changed or not listed. The manifest is as the export wrote
    it, a file on each line in the order of their paths, so that it is never in memory as a whole.
    """
    count, last = 0, ""
    with (folder / MANIFEST).open("rb") as file:
        while (line := file.readline(_LONGEST_LINE)) != b' "files": [\n':
            if not line:
                raise _damaged()
        line = b",\n"
        while line.endswith(b",\n"):
            line = file.readline(10 * LONGEST_NAME)
            entry = _object(line.strip().removesuffix(b","))
            if entry.keys() != {"path", "bytes", "sha256"} or not isinstance(entry["path"], str):
                raise _damaged()
            path = entry["path"]
            refuse_name(path)
            if count and path.encode() <= last.encode():
                raise _damaged()
            _check_file(folder, path, size=entry["bytes"], sha256=entry["sha256"])
            count, last = count + 1, path
            yield count
        _expect(file.read(10), b" ]\n}\n")
    there = sum(1 for _ in _files_in(folder))
    if there != count + 1:
        raise RestoreRefused(
            f"{folder} has {there - count - 1} files that {MANIFEST} does not list: restore the export as it was made."
        )


def _check_file(folder: Path, path: str, *, size: object, sha256: object) -> None:
    file = folder / path
    if not file.is_file() or _has_link(folder, path):
        raise RestoreRefused(f"{path} is missing, or is no ordinary file.")
    if file.stat().st_size != size:
        raise RestoreRefused(f"{path} has {file.stat().st_size} bytes instead of {size}.")
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256")
    if digest.hexdigest() != sha256:
        raise RestoreRefused(f"{path} was changed after the export: it has another SHA-256.")


def _has_link(folder: Path, path: str) -> bool:
    """Return whether the path leads out of the folder over a symbolic link."""
    below = Path(path)
    return any((folder / part).is_symlink() for part in (below, *below.parents[:-1]))


def _files_in(folder: Path) -> Iterator[str]:
    for place, folders, names in os.walk(folder):
        if Path(place) == folder:
            # What Hugo makes is not read.
            folders[:] = [name for name in folders if name not in _OF_HUGO]
            names = [name for name in names if name not in _OF_HUGO]
        yield from names
        # Links to folders, which are not walked through.
        yield from (name for name in folders if (Path(place) / name).is_symlink())


def _object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as fault:
        raise _damaged() from fault
    if not isinstance(value, dict):
        raise _damaged()
    return value


def _expect(found: bytes, wanted: bytes) -> None:
    if found != wanted:
        raise _damaged()


def _damaged() -> RestoreRefused:
    return RestoreRefused(f"{MANIFEST} is truncated, or not as the export wrote it.")
