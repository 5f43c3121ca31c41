"""libmagic's opinion on bytes that Pillow took for an image; optional."""

import ctypes
import logging
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Protocol

logger = logging.getLogger("blog_engine")

_ENOUGH: Final = 65_536
_KNOWS_NOTHING: Final = frozenset({"", "application/octet-stream", "text/plain", "application/x-empty"})
_SAME: Final = {
    "image/png": frozenset({"image/png", "image/apng", "image/vnd.mozilla.apng", "image/x-png"}),
    "image/jpeg": frozenset({"image/jpeg", "image/jpg", "image/pjpeg"}),
    # The container of AVIF is that of HEIF and MP4; older databases know its parents only.
    "image/avif": frozenset(
        {"image/avif", "image/avif-sequence", "image/heif", "image/heif-sequence", "image/heic", "video/mp4"}
    ),
}


class _Magic(Protocol):
    def from_buffer(self, buffer: bytes) -> str: ...


def has_libmagic() -> bool:
    """Whether there is a second opinion on this machine."""
    return _libmagic() is not None


def foreign_type(data: bytes, *, content_type: str) -> str | None:
    """The other type that libmagic sees in the bytes, such as ``text/html``; ``None`` when it has nothing to add."""
    named = _named(data[:_ENOUGH]).partition(";")[0].strip().lower()
    if named in _KNOWS_NOTHING or named in _SAME.get(content_type, {content_type}):
        return None
    return named


def _named(start: bytes) -> str:
    magic = _libmagic()
    if magic is None:
        return ""
    try:
        return magic.from_buffer(start)
    except Exception:  # an opinion that cannot be had is none
        logger.warning("libmagic failed on the bytes of an image.", exc_info=True)
        return ""


@cache
def _libmagic() -> _Magic | None:
    try:
        return _magic(database=None)
    except Exception as fault:  # absent, broken, or another package of that name: any of them leaves Pillow alone
        reason = fault
    bundled = _bundled_folder()
    if bundled is not None:
        try:
            # The loader of python-magic takes the library that is in the process already.
            ctypes.CDLL(str(bundled / "libmagic.so.1"), mode=ctypes.RTLD_GLOBAL)
            return _magic(database=bundled / "magic.mgc")
        except Exception as fault:  # as above
            reason = fault
    logger.info("Images are judged by Pillow alone, without libmagic: %s", reason)
    return None


def _magic(*, database: Path | None) -> _Magic:
    magic: _Magic = import_module("magic").Magic(mime=True, magic_file=str(database) if database else None)
    return magic


def _bundled_folder() -> Path | None:
    # Found without importing it: pylibmagic changes the environment of every subprocess and patches ctypes.
    spec = find_spec("pylibmagic")
    return Path(spec.origin).parent if spec and spec.origin else None
