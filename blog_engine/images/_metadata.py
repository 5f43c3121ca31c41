"""What an image file says besides its pixels: which way is up, and where it was taken."""

import re
import struct
from contextlib import suppress
from typing import Final

from PIL import ExifTags, Image

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
