"""Targets of an export: a folder, a zip or a tar.gz, which gets its name when it is complete."""

import gzip
import hashlib
import json
import os
import re
import shutil
import sqlite3
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final, Protocol, cast

from blog_engine import __version__
from blog_engine.archives import owner_only
from blog_engine.exporting.tables import as_json

MANIFEST: Final = "manifest.json"
FORMAT: Final = 1
"""The number of the layout; it changes when an older release cannot restore a newer export."""

_UNPRINTED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_IN_MEMORY: Final = 1_000_000
_FIRST_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""The first one that a zip can hold."""
_MODE: Final = 0o644
_LEFT: Final = (
    "{} exists: another export is writing it, or one was interrupted. If none is running, remove it and start again."
)


class TargetRefused(Exception):
    """The export cannot be written there; the message names the path."""


def quoted(value: object, **form: Any) -> str:
    """Return a value as JSON on one line that is also a value of YAML, and if it is a text or a number, of TOML.

    Characters that some readers take for the end of a line, or that YAML does not allow, are escaped; ``form`` are
    options of ``json.dumps``.
    """
    text = json.dumps(value, ensure_ascii=False, **form)
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Store(Protocol):
    """A store that takes files one after the other."""

    def open(self, path: str) -> AbstractContextManager[IO[bytes]]: ...
    def close(self) -> None: ...


class FileWriter:
    """One file of an export; what is written is counted and digested."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        """Append bytes."""
        self._file.write(data)
        self._digest.update(data)
        self.size += len(data)

    def write_json(self, value: dict[str, Any]) -> None:
        """Append an object as one line of JSON."""
        self.write(f"{quoted(value, sort_keys=True, separators=(',', ':'))}\n".encode())

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


class ExportTarget:
    """Writes the files of an export, and at last the manifest that lists them."""

    def __init__(self, store: _Store) -> None:
        self._store = store
        # A temporary file of SQLite, which removes it: the list is as long as the blog is large.
        self._written = sqlite3.connect("")
        self._written.execute("CREATE TABLE file (path TEXT PRIMARY KEY, bytes INTEGER, sha256 TEXT) WITHOUT ROWID")

    @contextmanager
    def open(self, path: str) -> Iterator[FileWriter]:
        """Yield a new file; ``path`` is relative, with slashes. One file is open at a time."""
        with self._store.open(path) as file:
            writer = FileWriter(file)
            yield writer
        self._written.execute("INSERT INTO file VALUES (?, ?, ?)", (path, writer.size, writer.sha256))

    def write(self, path: str, content: str | bytes) -> None:
        """Write a whole file."""
        with self.open(path) as file:
            file.write(content.encode() if isinstance(content, str) else content)

    def finish(self, *, moment: datetime, media: str, missing: list[str]) -> None:
        """Write the manifest: a JSON object with a line for each file, in the order of their paths.

        ``media`` is the folder of the images, ``missing`` has the images whose files could not be read.
        """
        self.list_files(
            {
                "format": FORMAT,
                "engine": __version__,
                "exported_at": as_json(moment),
                "media": media,
                "missing": missing,
            }
        )

    def list_files(self, head: dict[str, Any]) -> None:
        """Write a manifest: these values, and then ``files`` with a line for each file."""
        with self._store.open(MANIFEST) as file:
            lines = (f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)},\n" for name, value in head.items())
            file.write(("{\n" + "".join(lines) + ' "files": [').encode())
            rows = self._written.execute("SELECT path, bytes, sha256 FROM file ORDER BY path")
            for number, (path, size, sha256) in enumerate(rows):
                entry = json.dumps({"path": path, "bytes": size, "sha256": sha256}, ensure_ascii=False)
                file.write(f"{',' if number else ''}\n  {entry}".encode())
            file.write(b"\n ]\n}\n")

    def close(self) -> None:
        """Close what is open; the manifest makes the export whole."""
        self._written.close()
        self._store.close()


@contextmanager
def open_target(target: Path) -> Iterator[ExportTarget]:
    """Yield what writes an export; it gets its name at the end, after ``ExportTarget.finish``.

    Until then it is called ``<name>.partial``, and an exception removes it. Raises ``TargetRefused`` for a name that
    is taken, or that another export has left or is writing.
    """
    name = target.name.lower()
    with _renamed_when_complete(target) as partial, closing(ExportTarget(_store_at(partial, name=name))) as written:
        yield written


@contextmanager
def open_single(target: Path) -> Iterator[FileWriter]:
    """Yield a writer for an export that is one file, under the same conditions as ``open_target``."""
    with (
        _renamed_when_complete(target) as partial,
        open(partial, "xb", opener=owner_only) as file,
        _stored_durably(file),
    ):
        yield FileWriter(file)


@contextmanager
def _renamed_when_complete(target: Path) -> Iterator[Path]:
    """Yield the path to write to, which is renamed at the end and removed on an exception."""
    partial = target.with_name(f"{target.name}.partial")
    _refuse_taken_names(target, partial)
    try:
        yield partial
        _rename(partial, target)
    except OSError as fault:
        if isinstance(fault, FileExistsError) and str(fault.filename) == str(partial):
            # Another export was faster, and it is writing there.
            raise TargetRefused(_LEFT.format(partial)) from fault
        _remove(partial)
        raise TargetRefused(f"{target} could not be written: {fault.strerror or fault}.") from fault
    except BaseException:
        _remove(partial)
        raise


def _refuse_taken_names(target: Path, partial: Path) -> None:
    if os.path.lexists(target):
        raise TargetRefused(f"{target} exists already, and nothing is overwritten: choose another name.")
    if os.path.lexists(partial):
        raise TargetRefused(_LEFT.format(partial))
    if not target.parent.is_dir():
        raise TargetRefused(f"The folder {target.parent} does not exist: make it first.")


def _store_at(partial: Path, *, name: str) -> _Store:
    if name.endswith(".zip"):
        return _Zip(partial)
    return _Tar(partial) if name.endswith((".tar.gz", ".tgz")) else _Folder(partial)


def _rename(partial: Path, target: Path) -> None:
    if partial.is_dir():
        # Fails if something took the name meanwhile, unless that is an empty folder.
        partial.rename(target)
        return
    try:
        # In contrast to a renaming, this never replaces a file.
        os.link(partial, target)
        partial.unlink()
    except OSError as fault:
        if os.path.lexists(target):
            raise TargetRefused(f"{target} was made by something else meanwhile.") from fault
        # A file system without hard links.
        partial.rename(target)


def _remove(partial: Path) -> None:
    if partial.is_dir():
        shutil.rmtree(partial, ignore_errors=True)
    else:
        partial.unlink(missing_ok=True)


class _Folder:
    def __init__(self, path: Path) -> None:
        path.mkdir(mode=0o700)
        self._path = path

    def open(self, path: str) -> AbstractContextManager[IO[bytes]]:
        file = self._path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        return file.open("xb")

    def close(self) -> None:
        """Do nothing: each file is closed."""


class _Zip:
    def __init__(self, path: Path) -> None:
        self._file = open(path, "xb", opener=owner_only)  # noqa: SIM115  closed by close
        self._zip = zipfile.ZipFile(self._file, "w")

    def open(self, path: str) -> AbstractContextManager[IO[bytes]]:
        entry = zipfile.ZipInfo(path, _FIRST_MOMENT)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3  # Unix, on every system
        entry.external_attr = _MODE << 16
        return self._zip.open(entry, "w", force_zip64=True)

    def close(self) -> None:
        with _stored_durably(self._file):
            self._zip.close()


class _Tar:
    def __init__(self, path: Path) -> None:
        self._file = open(path, "xb", opener=owner_only)  # noqa: SIM115  closed by close
        self._packed = gzip.GzipFile(filename="", mode="wb", fileobj=self._file, mtime=0, compresslevel=6)
        self._tar = tarfile.TarFile(fileobj=self._packed, mode="w", format=tarfile.PAX_FORMAT)

    @contextmanager
    def open(self, path: str) -> Iterator[IO[bytes]]:
        # The size comes before the bytes.
        with SpooledTemporaryFile(_IN_MEMORY) as spool:
            yield cast(IO[bytes], spool)
            entry = tarfile.TarInfo(path)
            entry.size, entry.mode = spool.tell(), _MODE
            spool.seek(0)
            self._tar.addfile(entry, spool)
        # It keeps all entries, which only reading needs.
        self._tar.getmembers().clear()

    def close(self) -> None:
        with _stored_durably(self._file), self._packed:
            self._tar.close()


@contextmanager
def _stored_durably(file: IO[bytes]) -> Iterator[None]:
    """Have the bytes on the disk at the end, so that a file with its final name is whole after a loss of power."""
    with file:
        yield
        file.flush()
        os.fsync(file.fileno())
