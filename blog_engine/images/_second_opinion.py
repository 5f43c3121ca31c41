"""libmagic's opinion on bytes that Pillow took for an image; optional."""

import ctypes
import logging
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

from blog_engine.images._formats import media_type

logger = logging.getLogger("blog_engine")

_ENOUGH: Final = 65_536
_KNOWS_NOTHING: Final = frozenset({"", "application/octet-stream", "text/plain", "application/x-empty"})

_KIN_OF_AVIF: Final = frozenset({"image/avif-sequence", "image/heif", "image/heif-sequence", "image/heic", "video/mp4"})
"""The container of AVIF is that of HEIF and MP4; older databases know its parents only."""


class _Magic(Protocol):
    def from_buffer(self, buffer: bytes) -> str: ...


def has_libmagic() -> bool:
    """Whether there is a second opinion on this machine."""
    return _libmagic() is not None


def foreign_type(data: bytes, *, content_type: str) -> str | None:
    """The other type that libmagic sees in the bytes, such as ``text/html``; ``None`` when it has nothing to add."""
    named = media_type(_named(data[:_ENOUGH]))
    if named in _KNOWS_NOTHING or named == content_type:
        return None
    return None if content_type == "image/avif" and named in _KIN_OF_AVIF else named


def _named(start: bytes) -> str:
    magic = _libmagic()
    if magic is None:
        return ""
    try:
        return magic.from_buffer(start)
    except Exception:
        # Its exception has no name here, where the package may be missing, and Pillow has proved the image already.
        logger.warning("libmagic failed on the bytes of an image.", exc_info=True)
        return ""


@cache
def _libmagic() -> _Magic | None:
    for load in (_of_the_system, _of_pylibmagic):
        try:
            return load()
        except Exception as fault:
            # Absent, broken, or another package of that name: whatever it is, Pillow decides alone, as the doctor says.
            logger.info("libmagic was not loaded: %r", fault)
    return None


def _of_the_system() -> _Magic:
    return _magic(database=None)


def _of_pylibmagic() -> _Magic:
    # Found without importing it: pylibmagic changes the environment of every subprocess and patches ctypes.
    spec = find_spec("pylibmagic")
    if spec is None or spec.origin is None:
        raise ImportError("pylibmagic is not installed.")
    folder = Path(spec.origin).parent
    # The loader of python-magic takes the library that is in the process already.
    ctypes.CDLL(str(folder / "libmagic.so.1"), mode=ctypes.RTLD_GLOBAL)
    return _magic(database=folder / "magic.mgc")


def _magic(*, database: Path | None) -> _Magic:
    magic: _Magic = import_module("magic").Magic(mime=True, magic_file=str(database) if database else None)
    return magic
