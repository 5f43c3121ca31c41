"""A folder, zip or tar.gz as a folder: a hostile archive fills neither disk nor memory and leads nowhere else."""

import gzip
import io
import os
import re
import stat
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj, disk_usage
from struct import error as struct_error
from tempfile import TemporaryDirectory
from typing import IO, Final, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, is_zipfile

LONGEST_NAME: Final = 4_096
_DEEPEST: Final = 100
_MOST_FILES: Final = 1_000_000
_LARGEST_FILE: Final = 64 * 1024**3
_LARGEST_TOTAL: Final = 256 * 1024**3
_HIGHEST_RATIO: Final = 200
"""Bytes of the files for each byte of the archive; repetitive rows are packed to a fortieth."""
_ALWAYS_ALLOWED: Final = 32 * 1024**2
"""Bytes below which the ratio does not matter."""
_LARGEST_DIRECTORY: Final = 128 * 1024**2
"""Bytes of a zip's table of contents, which is read into memory."""
_LARGEST_HEADER: Final = 256 * 1024
"""Bytes of the metadata that a tar can have for each file, which are read into memory."""

_CHUNK: Final = 1024 * 1024
_GZIP: Final = b"\x1f\x8b"
_ENCRYPTED: Final = 0x1
_LEFT_OUT: Final = re.compile(r"(?:^|/)(?:__MACOSX/|\._[^/]*$|\.DS_Store$)")
"""What macOS adds to archives."""
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_HAS_DEVICE_NAMES: Final = os.name == "nt"
"""Elsewhere a post can have the slug ``aux``."""
_METADATA: Final = frozenset(
    {tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK}
)
_BROKEN: Final = (
    *(BadZipFile, gzip.BadGzipFile, tarfile.TarError, zlib.error, struct_error),
    *(EOFError, ValueError, RuntimeError),
)
"""What the readers of archives raise."""


def owner_only(path: str, flags: int) -> int:
    """Return the descriptor of a file, new ones readable by their owner alone: for what holds drafts and names."""
    return os.open(path, flags, 0o600)


class ArchiveRefused(Exception):
    """A source cannot be unpacked; the message names it, and nothing of it is left."""


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield a folder: ``path`` itself, or a temporary one of its name with the files of a zip or tar.gz.

    Raises ``ArchiveRefused`` for anything else, for an archive that is truncated, damaged, encrypted or larger than the
    limits, and for one with unsafe or repeated names, links or devices.
    """
    if path.is_dir():
        yield path
        return
    if not is_archive(path):
        raise ArchiveRefused(f"{path}: neither a folder nor a zip or tar.gz.")
    with TemporaryDirectory(prefix="blog-engine-") as place:
        name = path.stem.removesuffix(".tar")
        folder = Path(place).resolve() / (name if name.strip(".") else "archive")
        try:
            _unpack(path, folder)
        except _BROKEN as fault:
            raise ArchiveRefused(f"{path}: the archive is truncated or damaged ({fault}).") from fault
        except OSError as fault:
            raise ArchiveRefused(f"{path}: it could not be unpacked ({fault.strerror or fault}).") from fault
        yield folder


def is_archive(path: Path) -> bool:
    """Return whether the path is a zip or gzip file; raises ``ArchiveRefused`` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(2) == _GZIP or is_zipfile(file)
    except OSError as fault:
        raise ArchiveRefused(f"{path}: {fault.strerror or fault}.") from fault


def is_safe_name(name: str) -> bool:
    """Return whether a relative path, with slashes, is below its folder on every system."""
    parts = name.split("/")
    return not (
        len(name) > LONGEST_NAME
        or len(parts) > _DEEPEST
        or not {"", ".", ".."}.isdisjoint(parts)
        or any(one in name for one in "\\\0")
        or _DRIVE.match(name)
        or (_HAS_DEVICE_NAMES and any(map(_DEVICE.fullmatch, parts)))
    )


def _unpack(path: Path, folder: Path) -> None:
    folder.mkdir()
    with _ShortReads(path) as file:
        unpacking = _Unpacking(path, folder)
        if file.read(2) == _GZIP:
            file.seek(0)
            _unpack_tar(file, unpacking)
        else:
            _unpack_zip(file, unpacking)


class _ShortReads(io.BufferedReader):
    """A file of which a zip cannot have an endless table of contents read, wherever it declares the size."""

    def __init__(self, path: Path) -> None:
        super().__init__(path.open("rb", buffering=0))
        self._path = path

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _LARGEST_DIRECTORY:
            raise ArchiveRefused(f"{self._path}: the archive has too many files: unpack it, and name the folder.")
        return super().read(size)


class _Unpacking:
    """The limits of one archive, and the folder that it is unpacked into."""

    def __init__(self, path: Path, folder: Path) -> None:
        self._path = path
        self._folder = folder
        self._files = _MOST_FILES
        ratio = max(_ALWAYS_ALLOWED, _HIGHEST_RATIO * path.stat().st_size)
        self._most = self._left = min(_LARGEST_TOTAL, ratio, disk_usage(folder).free)

    def refusal(self, reason: str) -> ArchiveRefused:
        """Return the refusal of this archive."""
        return ArchiveRefused(f"{self._path}: {reason}")

    def admit(self, name: str, size: int) -> None:
        """Check the name and the declared size of a file."""
        self._files -= 1
        if self._files < 0:
            raise self.refusal(f"the archive has too many files: at most {_MOST_FILES} are unpacked.")
        if not is_safe_name(name):
            raise self.refusal(f"{name[:200]!r}: the name of the file is not safe.")
        if size > _LARGEST_FILE:
            raise self.refusal(f"{name!r} has more than {_LARGEST_FILE} bytes.")
        self._require(size)

    def take(self, size: int) -> None:
        """Count bytes that are unpacked."""
        self._require(size)
        self._left -= size

    def _require(self, size: int) -> None:
        if size > self._left:
            raise self.refusal(
                f"the archive is too large: {self._most} bytes of it are unpacked, which is what {self._folder.parent} "
                f"has free, {_HIGHEST_RATIO} times its size or the most for any archive."
            )

    def write(self, name: str, source: IO[bytes], size: int) -> None:
        """Write a file that was admitted."""
        target = self._folder / name
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as file:
                copyfileobj(source, file, _CHUNK)
                if file.tell() != size:
                    raise EOFError(f"{name!r} does not have {size} bytes")
        except (FileExistsError, NotADirectoryError) as fault:
            raise self.refusal(f"the archive has two files, or a file and a folder, named {name!r}.") from fault


def _unpack_zip(file: IO[bytes], unpacking: _Unpacking) -> None:
    with ZipFile(file) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir() and not _LEFT_OUT.search(info.filename)]
        for info in infos:
            if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
                raise unpacking.refusal(f"{info.filename!r} is a link or a device, not a file.")
            if info.flag_bits & _ENCRYPTED or info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                raise unpacking.refusal(
                    f"{info.filename!r} is encrypted, or packed by another method than Deflate: unpack the archive, "
                    "and name the folder."
                )
            unpacking.admit(_relative(info.filename), info.file_size)
            unpacking.take(info.file_size)
        for info in infos:
            with archive.open(info) as content:
                unpacking.write(_relative(info.filename), content, info.file_size)


def _unpack_tar(file: IO[bytes], unpacking: _Unpacking) -> None:
    with (
        _Counted(file, unpacking) as stream,
        tarfile.open(fileobj=stream, mode="r|", tarinfo=_ShortMetadata, encoding="utf-8") as archive,
    ):
        while (member := archive.next()) is not None:
            # It keeps all members, which only a later look needs, and metadata for all, which can be endless.
            archive.members.clear()  # type: ignore[attr-defined]  # missing in typeshed
            archive.pax_headers = {}
            if member.isdir() or _LEFT_OUT.search(member.name):
                continue
            content = archive.extractfile(member) if member.isreg() and not member.issparse() else None
            if content is None:
                raise unpacking.refusal(f"{member.name!r} is a link or a device, not a file.")
            unpacking.admit(_relative(member.name), member.size)
            unpacking.write(_relative(member.name), content, member.size)
        _refuse_early_end(cast(IO[bytes], archive.fileobj))


def _refuse_early_end(rest: IO[bytes]) -> None:
    """Read what follows the files: Python takes a damaged header for the end, and the checksum comes last."""
    found = 0
    while block := rest.read(_CHUNK):
        found += len(block)
        if block.strip(b"\0"):
            raise tarfile.ReadError("a header is damaged")
    if not found:
        raise tarfile.ReadError("the end is missing")


def _relative(name: str) -> str:
    return name.removeprefix("./")


class _Counted(gzip.GzipFile):
    """A stream of which each byte counts, also those between the files."""

    def __init__(self, file: IO[bytes], unpacking: _Unpacking) -> None:
        super().__init__(fileobj=file, mode="rb")
        self._unpacking = unpacking

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self._unpacking.take(len(data))
        return data


class _ShortMetadata(tarfile.TarInfo):
    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo | None:
        # Not frombuf, which Python's releases since its correction of directories in metadata no longer call.
        if self.type in _METADATA and not 0 <= self.size <= _LARGEST_HEADER:
            raise tarfile.ReadError(f"metadata of {self.size} bytes")
        found: tarfile.TarInfo | None = super()._proc_member(archive)  # type: ignore[misc]  # missing in typeshed
        return found
