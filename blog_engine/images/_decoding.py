"""Decoding images: formats, metadata and a second opinion by libmagic."""

import ctypes
import logging
import re
import struct
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Final, Protocol

from PIL import ExifTags, Image

from blog_engine.errors import ImageNotPermitted
from blog_engine.images._structure import (
    MOST_BYTES,
    boxes_are_whole,
    bytes_to_decode,
    bytes_to_decode_all,
    gif_canvas,
    is_jpeg,
    jpeg_scale,
    jpeg_segments,
)

FORMATS: Final = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "AVIF": "image/avif",
}
"""Media types by Pillow's names."""

SUFFIXES: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/avif": "avif",
}
"""What file names of a media type end in."""

_OTHER_NAMES: Final = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "image/apng": "image/png",
    "image/vnd.mozilla.apng": "image/png",
}


def media_type(text: str) -> str:
    """A media type without its parameters, in lower case, and one of ours by the name that ``FORMATS`` has for it."""
    name = text.partition(";")[0].strip().lower()
    return _OTHER_NAMES.get(name, name)


_LOCATION_TAGS: Final = frozenset(
    {
        ExifTags.GPS.GPSLatitude,
        ExifTags.GPS.GPSLongitude,
        ExifTags.GPS.GPSDestLatitude,
        ExifTags.GPS.GPSDestLongitude,
        ExifTags.GPS.GPSAreaInformation,
    }
)
_GPS_IN_XMP: Final = re.compile(rb"exif:GPS(?:Dest)?L(?:at|ong)itude\b")
_SIDEWAYS: Final = frozenset({5, 6, 7, 8})

_UNREADABLE: Final = (ArithmeticError, LookupError, OSError, SyntaxError, TypeError, ValueError, struct.error)
"""What Pillow raises on EXIF data that are broken; the pixels are whole, and shown without them."""


def orientation_of(image: Image.Image) -> int:
    """The EXIF orientation, 1 to 8; 1 when the file names none that makes sense."""
    orientation = None
    with suppress(*_UNREADABLE):
        orientation = image.getexif().get(ExifTags.Base.Orientation)
    return orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1


def is_turned(image: Image.Image) -> bool:
    """Whether the picture is shown with width and height exchanged."""
    return orientation_of(image) in _SIDEWAYS


def has_location(image: Image.Image, data: bytes) -> bool:
    """Whether EXIF or XMP metadata say where the picture was taken (decisions.md 3.22)."""
    xmp = image.info.get("xmp", b"")
    packets = [data, xmp.encode() if isinstance(xmp, str) else xmp]
    return _has_gps_tags(image) or any(_GPS_IN_XMP.search(packet) for packet in packets)


def _has_gps_tags(image: Image.Image) -> bool:
    with suppress(*_UNREADABLE):
        return bool(_LOCATION_TAGS & set(image.getexif().get_ifd(ExifTags.IFD.GPSInfo)))
    return False


_MAX_FRAMES: Final = 10_000
"""Frames of one pixel cost time, not pixels."""

_END_OF_PNG: Final = b"\0\0\0\0IEND\xaeB`\x82"

DECODER: Final = Lock()
"""Held while an image is decoded or drawn: one at a time in a process, because each takes up to 300 MB."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """What decoding found out; sizes in pixels, as shown."""

    content_type: str
    width: int
    height: int
    is_animated: bool
    has_location: bool


def decode(data: bytes, *, formats: list[str], most_pixels: int) -> Decoded:
    """Decode every frame; raises ``ImageNotPermitted`` unless that succeeds within the limits.

    ``formats`` are the keys of ``FORMATS`` that are accepted; ``most_pixels`` is for all frames of an animation
    together. Frames that would take more than ``MOST_BYTES`` are not decoded; then the structure of the file shows
    that it is whole.
    """
    try:
        with DECODER, Image.open(BytesIO(data), formats=formats) as image:
            return _look_at(image, data, most_pixels=most_pixels)
    except ImageNotPermitted:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as fault:
        raise _too_many_pixels(most_pixels) from fault
    except Exception as fault:
        # Pillow names no exceptions for bytes that it cannot read: damaged files alone give OSError, SyntaxError,
        # IndexError, RuntimeError and ValueError, and the sender must be told that the bytes are at fault.
        raise ImageNotPermitted(hint=_hint(formats)) from fault


def _look_at(image: Image.Image, data: bytes, *, most_pixels: int) -> Decoded:
    if image.format == "PNG" and _END_OF_PNG not in data:
        # Pillow is content when all pixels are there.
        raise OSError("The PNG ends early.")
    frames: int = 1 if is_jpeg(image) else getattr(image, "n_frames", 1)
    if frames > _MAX_FRAMES:
        raise ImageNotPermitted(hint=f"An animation has at most {_MAX_FRAMES} frames: send a shorter one.")
    # A frame of a GIF may grow the picture.
    width, height = gif_canvas(data)[0] if image.format == "GIF" else image.size
    if width * height * frames > most_pixels:
        raise _too_many_pixels(most_pixels)
    _decode_frames(image, data, pixels=width * height, frames=frames)
    return Decoded(
        content_type="image/jpeg" if is_jpeg(image) else FORMATS[image.format or ""],
        width=height if is_turned(image) else width,
        height=width if is_turned(image) else height,
        is_animated=frames > 1,
        has_location=has_location(image, data),
    )


def _decode_frames(image: Image.Image, data: bytes, *, pixels: int, frames: int) -> None:
    """Decode as many frames as fit into memory. Raises ``OSError`` when the file ends before the others."""
    scale = jpeg_scale(image.size, wanted=(1, 1)) if is_jpeg(image) else 1
    decodable = frames
    if bytes_to_decode(image, data, pixels=pixels, scale=scale) > MOST_BYTES:
        decodable = 0
    elif frames > 1 and bytes_to_decode_all(image, pixels=pixels) > MOST_BYTES:
        decodable = 1
    # A JPEG is read to its end at any scale.
    image.draft(None, (1, 1))
    for frame in range(decodable):
        image.seek(frame)
        image.load()
    if decodable < frames:
        _check_structure(image, data)


def _check_structure(image: Image.Image, data: bytes) -> None:
    """Raise ``OSError`` for a file that ends early. A PNG has its end marker, and Pillow opens no part of a WebP."""
    if is_jpeg(image):
        for _ in jpeg_segments(data):
            pass
    elif (image.format == "GIF" and not gif_canvas(data)[1]) or (image.format == "AVIF" and not boxes_are_whole(data)):
        raise OSError("The file ends early.")


def _too_many_pixels(most: int) -> ImageNotPermitted:
    return ImageNotPermitted(
        hint=f"An image has at most {most} pixels here, all frames of an animation together: send a smaller version."
    )


def _hint(formats: list[str]) -> str:
    accepted = ", ".join(FORMATS[name] for name in formats)
    return (
        f"The bytes are not a complete image of a type accepted here ({accepted}; never SVG). "
        "If they were cut on the way, send the url of the image instead."
    )


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
