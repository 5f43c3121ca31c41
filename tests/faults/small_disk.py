"""A disk that can be full or read-only."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

SIZE = 1024 * 1024


class SmallDisk:
    """A directory with a capacity of one mebibyte: a file system where this user can mount one."""

    def __init__(self, folder: Path, *, is_mounted: bool) -> None:
        self.folder = folder
        self.is_mounted = is_mounted
        self._filler = folder / "filler"

    def fill(self, *, leave: int = 0) -> None:
        """Leave this many bytes free."""
        self._filler.write_bytes(bytes(SIZE - used(self.folder) - leave))

    def make_room(self) -> None:
        """Remove the file that filled the disk."""
        self._filler.unlink()

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Make the disk read-only while the block runs."""
        if self.is_mounted:
            _mount("-o", "remount,ro", str(self.folder))
        else:
            (self.folder / READ_ONLY).touch()
        yield
        if self.is_mounted:
            _mount("-o", "remount,rw", str(self.folder))
        else:
            (self.folder / READ_ONLY).unlink()


class SmallStorage(FileSystemStorage):
    """A simulation for users who cannot mount: half of the file is written before the error."""

    def _save(self, name: str, content: Any) -> str:
        if Path(self.path(READ_ONLY)).exists():
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        left = SIZE - used(Path(self.location))
        if content.size > left:
            super()._save(name, ContentFile(content.read(left)))  # type: ignore[misc]
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return str(super()._save(name, content))  # type: ignore[misc]


READ_ONLY = "read-only"


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """Create and mount a disk at the directory; unmount it at the end."""
    folder.mkdir()
    is_mounted = os.geteuid() == 0 and _mount("-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)) == 0
    try:
        yield SmallDisk(folder, is_mounted=is_mounted)
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        shutil.rmtree(folder)


def used(folder: Path) -> int:
    """Return the bytes that the files of the directory take, in whole pages."""
    return sum(-(-file.stat().st_size // 4096) * 4096 for file in folder.rglob("*") if file.is_file())


def _mount(*arguments: str) -> int:
    return subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode
