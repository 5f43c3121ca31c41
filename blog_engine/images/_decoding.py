"""Decode images: formats, metadata, and a second opinion from libmagic."""

import ctypes
import logging
import re
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

from blog_engine.errors import ImageFault, ImageNotPermitted
from blog_engine.images._decoding_program import load_frames
from blog_engine.images._limited import decode_limited
from blog_engine.images._structure import (
    MOST_BYTES,
    bytes_to_decode,
    bytes_to_decode_all,
    gif_canvas,
    has_too_many_parts,
    has_too_many_scans,
    is_jpeg,
    jpeg_scale,
)
from blog_engine.images.origin import UNREADABLE, FileOrigin, origin_in

logger = logging.getLogger("blog_engine")

FORMATS: Final = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "AVIF": "image/avif",
}
"""Media types by Pillow's name of the format."""


_OTHER_NAMES: Final = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "image/apng": "image/png",
    "image/vnd.mozilla.apng": "image/png",
}

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

_MAX_FRAMES: Final = 10_000
"""The limit on pixels does not bound the time that many tiny frames take."""

_END_OF_PNG: Final = b"\0\0\0\0IEND\xaeB`\x82"

DECODER: Final = Lock()
"""Held while an image is decoded or drawn: each takes up to 300 MB (images.bytes.one-at-a-time)."""

_ENOUGH: Final = 65_536
_KNOWS_NOTHING: Final = frozenset({"", "application/octet-stream", "text/plain", "application/x-empty"})

_KIN_OF_AVIF: Final = frozenset({"image/avif-sequence", "image/heif", "image/heif-sequence", "image/heic", "video/mp4"})
"""AVIF shares its container with HEIF and MP4, and older databases of libmagic know only those."""


def media_type(text: str) -> str:
    """Return a media type in lower case, without parameters, synonyms replaced."""
    name = text.partition(";")[0].strip().lower()
    return _OTHER_NAMES.get(name, name)


def orientation_of(image: Image.Image) -> int:
    """Return the EXIF orientation from 1 to 8; 1 when there is no valid one."""
    orientation = None
    with suppress(*UNREADABLE):
        orientation = image.getexif().get(ExifTags.Base.Orientation)
    return orientation if isinstance(orientation, int) and 1 <= orientation <= 8 else 1


def is_turned(image: Image.Image) -> bool:
    """Return whether the image is shown with width and height exchanged."""
    return orientation_of(image) in _SIDEWAYS


def has_location(image: Image.Image, data: bytes) -> bool:
    """Return whether EXIF or XMP metadata contain GPS data (images.location)."""
    xmp = image.info.get("xmp", b"")
    packets = [data, xmp.encode() if isinstance(xmp, str) else xmp]
    return _has_gps_tags(image) or any(_GPS_IN_XMP.search(packet) for packet in packets)


def _has_gps_tags(image: Image.Image) -> bool:
    with suppress(*UNREADABLE):
        return bool(_LOCATION_TAGS & set(image.getexif().get_ifd(ExifTags.IFD.GPSInfo)))
    return False


@dataclass(frozen=True, slots=True)
class Decoded:
    """Facts from decoding; ``width`` and ``height`` are in pixels as shown."""

    content_type: str
    width: int
    height: int
    is_animated: bool
    has_location: bool
    origin: FileOrigin


def decode(data: bytes, *, formats: list[str], most_pixels: int) -> Decoded:
    """Decode every frame; raise ``ImageNotPermitted`` unless that succeeds.

    ``formats`` are the accepted keys of ``FORMATS``. ``most_pixels`` bounds all frames of an animation together.
    """
    if has_too_many_parts(data):
        raise _too_many_parts()
    try:
        with DECODER, Image.open(BytesIO(data), formats=formats) as image:
            return _examine(image, data, most_pixels=most_pixels)
    except ImageNotPermitted:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as fault:
        raise _too_many_pixels(most_pixels) from fault
    except Exception as fault:
        # Pillow does not document its exceptions: damaged files raise OSError, SyntaxError, IndexError, RuntimeError
        # or ValueError. All of them mean that the bytes are at fault.
        raise ImageNotPermitted(hint=_hint(formats)) from fault


def _examine(image: Image.Image, data: bytes, *, most_pixels: int) -> Decoded:
    if image.format == "PNG" and _END_OF_PNG not in data:
        # Pillow accepts a file that has all pixels.
        raise OSError("The PNG ends early.")
    frames: int = 1 if is_jpeg(image) else getattr(image, "n_frames", 1)
    if frames > _MAX_FRAMES:
        raise ImageNotPermitted(
            hint=f"An animation has at most {_MAX_FRAMES} frames: send a shorter one.", fault=ImageFault.PIXELS
        )
    # A frame can be larger than the GIF says, and Pillow leaves out those that are missing.
    width, height = gif_canvas(data) if image.format == "GIF" else image.size
    if width * height * frames > most_pixels:
        raise _too_many_pixels(most_pixels)
    if has_too_many_scans(image, data, pixels=width * height):
        raise _too_many_parts()
    _decode_frames(image, data, pixels=width * height, frames=frames)
    return Decoded(
        content_type="image/jpeg" if is_jpeg(image) else FORMATS[image.format or ""],
        width=height if is_turned(image) else width,
        height=width if is_turned(image) else height,
        is_animated=frames > 1,
        has_location=has_location(image, data),
        origin=origin_in(image, data),
    )


def _decode_frames(image: Image.Image, data: bytes, *, pixels: int, frames: int) -> None:
    """Decode every frame, in a process of its own when that may take more than ``MOST_BYTES``."""
    scale = jpeg_scale(image.size, wanted=(1, 1)) if is_jpeg(image) else 1
    most = bytes_to_decode(image, data, pixels=pixels, scale=scale)
    if frames > 1:
        most = max(most, bytes_to_decode_all(image, pixels=pixels))
    if most <= MOST_BYTES:
        load_frames(image, frames)
    else:
        decode_limited(data, format="JPEG" if is_jpeg(image) else image.format or "", frames=frames)


def _too_many_pixels(most: int) -> ImageNotPermitted:
    return ImageNotPermitted(
        hint=f"An image has at most {most} pixels here, all frames of an animation together: send a smaller version.",
        fault=ImageFault.PIXELS,
    )


def _too_many_parts() -> ImageNotPermitted:
    return ImageNotPermitted(
        hint="The file has more parts, such as comments or scans of a JPEG, than its pixels need: save it again.",
        fault=ImageFault.PARTS,
    )


def _hint(formats: list[str]) -> str:
    accepted = ", ".join(FORMATS[name] for name in formats)
    return (
        f"The bytes are not a complete image of a type accepted here ({accepted}; never SVG). "
        "If they were cut on the way, send the url of the image instead."
    )


class _Magic(Protocol):
    def from_buffer(self, buffer: bytes) -> str: ...


def has_libmagic() -> bool:
    """Return whether libmagic can be loaded."""
    return _libmagic() is not None


def foreign_type(data: bytes, *, content_type: str) -> str | None:
    """Return the other type that libmagic detects, such as ``text/html``, or ``None``."""
    named = media_type(_detect(data[:_ENOUGH]))
    if named in _KNOWS_NOTHING or named == content_type:
        return None
    return None if content_type == "image/avif" and named in _KIN_OF_AVIF else named


def _detect(start: bytes) -> str:
    magic = _libmagic()
    if magic is None:
        return ""
    try:
        return magic.from_buffer(start)
    except Exception:
        # Its exception class cannot be imported where the package is missing, and Pillow has decoded the image.
        logger.warning("libmagic failed on the bytes of an image.", exc_info=True)
        return ""


@cache
def _libmagic() -> _Magic | None:
    for load in (_magic, _load_pylibmagic):
        try:
            return load()
        except Exception as fault:
            # Missing, broken, or another package of that name: then Pillow decides alone, and the doctor reports it.
            logger.info("libmagic was not loaded: %r", fault)
    return None


def _load_pylibmagic() -> _Magic:
    # Not imported: pylibmagic changes the environment of every subprocess and patches ctypes.
    spec = find_spec("pylibmagic")
    if spec is None or spec.origin is None:
        raise ImportError("pylibmagic is not installed.")
    folder = Path(spec.origin).parent
    # python-magic uses a library that is already loaded in the process.
    ctypes.CDLL(str(folder / "libmagic.so.1"), mode=ctypes.RTLD_GLOBAL)
    return _magic(folder / "magic.mgc")


def _magic(database: Path | None = None) -> _Magic:
    magic: _Magic = import_module("magic").Magic(mime=True, magic_file=str(database) if database else None)
    return magic
