"""The files in a folder of a source; links lead nowhere else."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path


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
    # Most names that are looked for are of no file, which this finds out faster.
    return file if os.path.lexists(file) and _is_inside(file, folder.resolve()) else None


def _is_inside(file: Path, root: Path) -> bool:
    try:
        real = file.resolve(strict=True)
        return real.is_relative_to(root) and stat.S_ISREG(real.stat().st_mode)
    except (OSError, RuntimeError, ValueError):
        # It is missing, its name is too long, or it is a link in a circle.
        return False
