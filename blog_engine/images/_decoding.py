"""Decoding bytes that strangers sent: bounded, complete, and without touching Pillow's settings."""

from dataclasses import dataclass
from io import BytesIO
from threading import BoundedSemaphore
from typing import Final

from PIL import Image

from blog_engine.errors import ImageNotPermitted
from blog_engine.images._formats import FORMATS
from blog_engine.images._metadata import has_location, is_turned

_MAX_PIXELS: Final = 50_000_000
"""For one picture, and for all frames of an animation together (decisions.md 3.23)."""

_MAX_FRAMES: Final = 10_000
"""Frames of one pixel cost time, not pixels."""

_TOO_MANY_PIXELS: Final = (
    f"An image has at most {_MAX_PIXELS} pixels, all frames of an animation together: send a smaller version."
)
_END_OF_PNG: Final = b"\0\0\0\0IEND\xaeB`\x82"

MOST_AT_ONCE: Final = 2
"""Images that one process decodes at the same time: each may need 200 MB."""

_DECODING: Final = BoundedSemaphore(MOST_AT_ONCE)


@dataclass(frozen=True, slots=True)
class Decoded:
    """What decoding found out; sizes in pixels, as shown."""

    content_type: str
    width: int
    height: int
    is_animated: bool
    has_location: bool


def decode(data: bytes, *, formats: list[str]) -> Decoded:
    """Decode every frame; raises ``ImageNotPermitted`` unless that succeeds within the limits.

    ``formats`` are the keys of ``FORMATS`` that are accepted.
    """
    try:
        with _DECODING, Image.open(BytesIO(data), formats=formats) as image:
            return _look_at(image, data)
    except ImageNotPermitted:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as fault:
        raise ImageNotPermitted(hint=_TOO_MANY_PIXELS) from fault
    except Exception as fault:
        # Pillow names no exceptions for bytes that it cannot read: damaged files alone give OSError, SyntaxError,
        # IndexError, RuntimeError and ValueError, and whoever sends bytes must be told that they are at fault.
        raise ImageNotPermitted(hint=_hint(formats)) from fault


def _look_at(image: Image.Image, data: bytes) -> Decoded:
    if image.format == "PNG" and _END_OF_PNG not in data:
        # Pillow is content when all pixels are there.
        raise OSError("The PNG ends early.")
    # A JPEG of several pictures is a photo with its preview or its depth map, no animation.
    is_jpeg = image.format in {"JPEG", "MPO"}
    frames: int = 1 if is_jpeg else getattr(image, "n_frames", 1)
    if frames > _MAX_FRAMES:
        raise ImageNotPermitted(hint=f"An animation has at most {_MAX_FRAMES} frames: send a shorter one.")
    for frame in range(frames):
        image.seek(frame)
        # Asked again for each: a frame of a GIF may grow the picture.
        if image.width * image.height * frames > _MAX_PIXELS:
            raise ImageNotPermitted(hint=_TOO_MANY_PIXELS)
        image.load()
    width, height = image.size
    return Decoded(
        content_type="image/jpeg" if is_jpeg else FORMATS[image.format or ""],
        width=height if is_turned(image) else width,
        height=width if is_turned(image) else height,
        is_animated=frames > 1,
        has_location=has_location(image, data),
    )


def _hint(formats: list[str]) -> str:
    accepted = ", ".join(FORMATS[name] for name in formats)
    return (
        f"The bytes are not a complete image of a type accepted here ({accepted}; never SVG). "
        "If they were cut on the way, send the url of the image instead."
    )
