"""A disk that is full, or that nothing can be written to."""

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
    """A folder with room for a mebibyte: a file system of its own where this user may mount one."""

    def __init__(self, folder: Path, *, is_mounted: bool) -> None:
        self.folder = folder
        self.is_mounted = is_mounted
        self._filler = folder / "filler"

    def fill(self, *, leave: int = 0) -> None:
        """Leave only so many bytes free."""
        self._filler.write_bytes(bytes(SIZE - used(self.folder) - leave))

    def make_room(self) -> None:
        """Take away what filled it."""
        self._filler.unlink()

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Nothing can be written while the block runs."""
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
    """The same for who may not mount: half of the file is written, then the kernel's error comes."""

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
    """A disk at the folder, which is made; unmounted at the end."""
    folder.mkdir()
    is_mounted = os.geteuid() == 0 and _mount("-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)) == 0
    try:
        yield SmallDisk(folder, is_mounted=is_mounted)
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        shutil.rmtree(folder)


def used(folder: Path) -> int:
    """The bytes that the files of the folder take, in whole pages."""
    return sum(-(-file.stat().st_size // 4096) * 4096 for file in folder.rglob("*") if file.is_file())


def _mount(*arguments: str) -> int:
    return subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode
