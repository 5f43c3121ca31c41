"""An export as a folder: a folder as it is, an archive unpacked beside the temporary files."""

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

MOST_FILES: Final = 5_000_000
LONGEST_PATH: Final = 4_096
_ALWAYS: Final = 1_000_000_000
_MOST_TIMES: Final = 100
"""Archives become at most this many times as large, or ``_ALWAYS`` bytes; repetitive rows shrink to a fortieth."""
_BLOCK: Final = 65_536

_BROKEN: Final = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""What the readers of archives raise: for an encrypted entry ``RuntimeError``."""


class RestoreRefused(Exception):
    """An export cannot be restored; the message names the file, and nothing is stored."""


@contextmanager
def unpacked_export(source: Path) -> Iterator[Path]:
    """Yield the folder with the files of an export; an unpacked one is removed at the end.

    Raises ``RestoreRefused``.
    """
    if source.is_dir():
        yield source
        return
    if not source.is_file():
        raise RestoreRefused(f"{source}: there is no such file or folder.")
    with TemporaryDirectory(prefix="blog_engine_restore_") as name:
        folder = Path(name)
        try:
            with source.open("rb") as file:
                _unpack(file, folder, limit=max(_ALWAYS, _MOST_TIMES * source.stat().st_size))
        except _BROKEN as fault:
            raise RestoreRefused(f"{source}: the archive is truncated or damaged ({fault}).") from fault
        except OSError as fault:
            raise RestoreRefused(f"{source}: it could not be unpacked ({fault.strerror or fault}).") from fault
        yield folder


def _unpack(file: IO[bytes], folder: Path, *, limit: int) -> None:
    budget = _UnpackingLimits(limit)
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            for entry in archive.infolist():
                if entry.is_dir() or stat.S_IFMT(entry.external_attr >> 16) not in {0, stat.S_IFREG}:
                    raise RestoreRefused(f"{entry.filename}: only ordinary files can be in an export.")
                with archive.open(entry) as packed:
                    budget.copy(packed, folder, entry.filename)
        return
    file.seek(0)
    with tarfile.open(fileobj=file, mode="r|gz") as stream:
        for member in stream:
            if not member.isreg():
                raise RestoreRefused(f"{member.name}: only ordinary files can be in an export.")
            content = stream.extractfile(member)
            if content is not None:
                budget.copy(content, folder, member.name)
            stream.members.clear()  # type: ignore[attr-defined]  # it keeps all entries, which only a later look needs


class _UnpackingLimits:
    """What may still be unpacked."""

    def __init__(self, limit: int) -> None:
        self._bytes = limit
        self._files = MOST_FILES

    def copy(self, source: IO[bytes], folder: Path, name: str) -> None:
        """Write one file. Raises ``RestoreRefused`` for an unsafe or repeated name, and past the limits."""
        self._files -= 1
        refuse_name(name)
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with target.open("xb") as file:
                while block := source.read(_BLOCK):
                    self._bytes -= len(block)
                    if self._bytes < 0 or self._files < 0:
                        raise RestoreRefused(f"{name}: the archive is far larger unpacked than an export can be.")
                    file.write(block)
        except FileExistsError as fault:
            raise RestoreRefused(f"{name}: the archive has two files of this name.") from fault


def refuse_name(name: str) -> None:
    """Raise ``RestoreRefused`` for a path that is not safely below a folder."""
    parts = name.split("/")
    is_unsafe = (
        len(name) > LONGEST_PATH
        or not {"", ".", ".."}.isdisjoint(parts)
        or any(one in name for one in "\\\0")
        or (len(parts[0]) == 2 and parts[0][1] == ":")
    )
    if is_unsafe:
        raise RestoreRefused(f"{name[:200]!r}: the name of the file is not safe.")
