"""Folders and zip files of a source, read so that a hostile one neither fills the disk nor leads out of itself."""

import errno
import os
import re
import stat
import struct
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from shutil import disk_usage
from tempfile import TemporaryDirectory
from typing import IO, Final
from zipfile import BadZipFile, ZipFile, ZipInfo, is_zipfile

from blog_engine.importing.source import SourceRefused

MOST_FILES: Final = 200_000
LARGEST_FILE: Final = 4 * 1024**3
LARGEST_ARCHIVE: Final = 64 * 1024**3
"""Bytes of all files of an archive together."""
HIGHEST_RATIO: Final = 200
"""Bytes of the files for each byte of the archive; text is packed to a tenth or a twentieth."""
_ALWAYS_ALLOWED: Final = 32 * 1024**2
"""Bytes below which the ratio does not matter."""
_LARGEST_DIRECTORY: Final = 64 * 1024**2
"""Bytes of an archive's table of contents, which is read into memory."""

_CHUNK: Final = 1024 * 1024
_ENCRYPTED: Final = 0x1
_LEFT_OUT: Final = frozenset({"__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini"})
"""What operating systems add to archives."""
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_DEVICE: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22
_LONGEST_COMMENT: Final = 65_535


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield a folder: ``path`` itself, or a temporary one of its name with the files of a zip.

    Raises ``SourceRefused`` for anything else, for an archive that is damaged, encrypted or larger than the limits, and
    for one with names or kinds of files that lead out of it. Then nothing is left behind.
    """
    if path.is_dir():
        yield path
        return
    if not is_archive(path):
        raise SourceRefused(f"{path}: neither a folder nor a zip file.")
    with TemporaryDirectory(prefix="blog-import-") as name:
        folder = Path(name).resolve() / path.stem
        folder.mkdir()
        _extract(path, folder)
        yield folder


def is_archive(path: Path) -> bool:
    """Return whether the path is a zip file; raises ``SourceRefused`` if it does not exist or cannot be read."""
    try:
        with path.open("rb") as file:
            return is_zipfile(file)
    except IsADirectoryError:
        return False
    except OSError as fault:
        raise SourceRefused(f"{path}: {fault.strerror or fault}.") from fault


def files_under(folder: Path) -> Iterator[Path]:
    """Yield the regular files of a folder and its folders, in the order of their names.

    Links that lead out of the folder are left out, and links to folders are not followed.
    """
    root = folder.resolve()
    for parent, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            file = Path(parent, name)
            if _is_inside(file, root):
                yield file


def file_within(folder: Path, name: str) -> Path | None:
    """Return the regular file with this relative path, ``None`` if there is none or if it is outside of the folder."""
    if not name or "\0" in name or name.startswith("/"):
        return None
    file = folder / name
    return file if _is_inside(file, folder.resolve()) else None


def _is_inside(file: Path, root: Path) -> bool:
    try:
        real = file.resolve(strict=True)
        return real.is_relative_to(root) and stat.S_ISREG(real.stat().st_mode)
    except (OSError, RuntimeError, ValueError):
        # It is missing, its name is too long, or it is a link in a circle.
        return False


def _extract(path: Path, folder: Path) -> None:
    try:
        with path.open("rb") as file:
            _refuse_long_directory(path, file)
            with ZipFile(file) as archive:
                members = _members(path, archive.infolist())
                _refuse_size(path, [member for member, _ in members], folder)
                _write(path, archive, members, folder)
    except (BadZipFile, zlib.error, EOFError, struct.error, NotImplementedError, UnicodeDecodeError) as fault:
        raise SourceRefused(f"{path}: the archive is damaged or incomplete: {fault}") from fault
    except RuntimeError as fault:
        # What zipfile raises for passwords of a kind that it does not know.
        raise SourceRefused(f"{path}: the archive cannot be read: {fault}") from fault
    except OSError as fault:
        if fault.errno in (errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL, errno.ENOSPC, errno.EIO):
            raise SourceRefused(f"{path}: the archive cannot be unpacked: {fault.strerror}.") from fault
        raise


def _refuse_long_directory(path: Path, file: IO[bytes]) -> None:
    """Refuse an archive whose table of contents would fill the memory."""
    size = file.seek(0, os.SEEK_END)
    start = file.seek(max(0, size - _END_BYTES - _LONGEST_COMMENT))
    end = start + file.read().rfind(_END)
    file.seek(end)
    (directory,) = struct.unpack("<12xL6x", file.read(_END_BYTES))
    if directory == 0xFFFFFFFF:
        # Zip64: twenty bytes before are the way to a record with the real number.
        file.seek(end - 20)
        (record,) = struct.unpack("<8xQ4x", file.read(20))
        file.seek(record)
        (directory,) = struct.unpack("<40xQ8x", file.read(56))
    if directory > _LARGEST_DIRECTORY:
        raise SourceRefused(f"{path}: the archive has too many files: at most {MOST_FILES} are unpacked.")


def _members(path: Path, infos: Iterable[ZipInfo]) -> list[tuple[ZipInfo, PurePosixPath]]:
    """Return the files of an archive with the paths under which they are written."""
    members: list[tuple[ZipInfo, PurePosixPath]] = []
    seen = set[PurePosixPath]()
    for info in infos:
        name = _safe_name(path, info)
        if info.is_dir() or not _LEFT_OUT.isdisjoint(name.parts):
            continue
        if info.flag_bits & _ENCRYPTED:
            raise SourceRefused(f"{path}: {name} is encrypted: unpack the archive first.")
        if name in seen:
            raise SourceRefused(f"{path}: the archive has two files named {name}.")
        seen.add(name)
        members.append((info, name))
        if len(members) > MOST_FILES:
            raise SourceRefused(f"{path}: the archive has too many files: at most {MOST_FILES} are unpacked.")
    if folders := seen.intersection(parent for name in seen for parent in name.parents):
        raise SourceRefused(f"{path}: {min(folders)} is both a file and a folder.")
    return members


def _safe_name(path: Path, info: ZipInfo) -> PurePosixPath:
    sent = info.filename.replace("\\", "/")
    name = PurePosixPath(sent)
    kind = stat.S_IFMT(info.external_attr >> 16)
    leads_out = sent.startswith("/") or ".." in name.parts or _DRIVE.match(sent) or not name.parts
    if leads_out or any(_DEVICE.fullmatch(part) for part in name.parts):
        raise SourceRefused(f"{path}: the name {info.filename!r} does not belong into an archive.")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise SourceRefused(f"{path}: {info.filename!r} is a link or a device, not a file.")
    return name


def _refuse_size(path: Path, members: list[ZipInfo], folder: Path) -> None:
    total = sum(member.file_size for member in members)
    largest = max(members, key=lambda member: member.file_size, default=None)
    if largest is not None and largest.file_size > LARGEST_FILE:
        raise SourceRefused(f"{path}: {largest.filename!r} has more than {LARGEST_FILE} bytes.")
    if total > LARGEST_ARCHIVE:
        raise SourceRefused(f"{path}: the files of the archive have more than {LARGEST_ARCHIVE} bytes together.")
    if total > max(_ALWAYS_ALLOWED, HIGHEST_RATIO * path.stat().st_size):
        raise SourceRefused(f"{path}: the files are more than {HIGHEST_RATIO} times as large as the archive.")
    if total > disk_usage(folder).free:
        raise SourceRefused(f"{path}: {folder.parent} has too little free space for the {total} bytes of its files.")


def _write(path: Path, archive: ZipFile, members: Iterable[tuple[ZipInfo, PurePosixPath]], folder: Path) -> None:
    for info, name in members:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        left = info.file_size
        with archive.open(info) as packed, target.open("xb") as file:
            while chunk := packed.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise SourceRefused(f"{path}: {info.filename!r} is larger than the archive declares.")
                file.write(chunk)
        if left:
            raise SourceRefused(f"{path}: {info.filename!r} is shorter than the archive declares.")
