"""How much memory decoding takes, estimated from above, so that it never takes more than a server can spare.

Measured with Pillow 13.0 at 50 megapixels (docs/how-to/images.md, Memory). The bytes of the file come on top.
"""

from typing import Final

from PIL import Image

from blog_engine.images._structure import av1_pixels, jpeg_coefficients

MOST_BYTES: Final = 275_000_000
"""For decoding one image, so that a process grows by 300 MB at most, with the file itself."""

_BYTES_A_PIXEL: Final = {"PNG": 4, "GIF": 4, "WEBP": 16, "AVIF": 20}
"""Of one picture. Pillow keeps four copies of a WebP, and three of an AVIF besides its planes of up to 16 bits."""

_BYTES_A_PIXEL_MOVING: Final = {"PNG": 17, "GIF": 18, "WEBP": 17, "AVIF": 20}
"""Of an animation: the frame, the one before, and what both are put together with."""

_SCALES: Final = (8, 4, 2)
"""At which libjpeg decodes."""


def bytes_to_decode(image: Image.Image, data: bytes, *, pixels: int, scale: int = 1) -> int:
    """Return what decoding the first picture of an opened image takes; ``pixels`` is its size, before ``scale``.

    For an AVIF that is what its data may need, not what its boxes say: an animation counts as too large.
    """
    if is_jpeg(image):
        return jpeg_coefficients(data) + 4 * pixels // scale**2
    if image.format == "AVIF":
        pixels = max(pixels, av1_pixels(data))
    return _BYTES_A_PIXEL[image.format or ""] * pixels


def bytes_to_decode_all(image: Image.Image, *, pixels: int) -> int:
    """Return what decoding all frames of an opened animation takes, one after the other; ``pixels`` is one frame."""
    return _BYTES_A_PIXEL_MOVING[image.format or ""] * pixels


def is_jpeg(image: Image.Image) -> bool:
    """Whether an opened image is a JPEG; one of several pictures is a photo with its preview or its depth map."""
    return image.format in {"JPEG", "MPO"}


def jpeg_scale(size: tuple[int, int], *, wanted: tuple[int, int]) -> int:
    """Return by how much libjpeg may divide a size in pixels that still is as large as ``wanted``."""
    most = min(size[0] // wanted[0], size[1] // wanted[1])
    return next((scale for scale in _SCALES if scale <= most), 1)
