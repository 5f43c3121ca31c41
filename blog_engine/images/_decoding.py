"""Decoding bytes that strangers sent: bounded, complete, and without touching Pillow's settings."""

from dataclasses import dataclass
from io import BytesIO
from threading import Lock
from typing import Final

from PIL import Image

from blog_engine.errors import ImageNotPermitted
from blog_engine.images._formats import FORMATS
from blog_engine.images._memory import MOST_BYTES, bytes_to_decode, bytes_to_decode_all, is_jpeg, jpeg_scale
from blog_engine.images._metadata import has_location, is_turned
from blog_engine.images._structure import boxes_are_whole, gif_canvas, jpeg_segments

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
