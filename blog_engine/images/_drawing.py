"""Drawing an image smaller: upright, in sRGB, without metadata (decisions.md 4, Variants)."""

from contextlib import suppress
from io import BytesIO
from typing import Any, Final

from PIL import Image, ImageCms

from blog_engine.images._formats import FORMATS
from blog_engine.images._metadata import is_turned, orientation_of

_ENCODING: Final[dict[str, dict[str, Any]]] = {
    "avif": {"quality": 60, "speed": 8},
    "webp": {"quality": 80, "method": 4},
}
_UPRIGHT: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_NO_CONVERSION: Final = (ImportError, OSError, ImageCms.PyCMSError)
"""No LittleCMS in this Pillow, a broken profile, or one for other pixels, which browsers ignore too."""

_AS_IT_IS: Final = frozenset({"RGB", "RGBA", "L", "LA", "CMYK"})


def draw(data: bytes, *, size: tuple[int, int], format: str) -> bytes:
    """The first frame of an inspected image in ``size`` (as shown, in pixels), encoded as ``avif`` or ``webp``."""
    with Image.open(BytesIO(data), formats=list(FORMATS)) as original:
        orientation, profile = orientation_of(original), original.info.get("icc_profile")
        raw_size = size[::-1] if is_turned(original) else size
        # A JPEG can be decoded at a half, a quarter or an eighth, in a fraction of the time and the memory.
        original.draft(None, (raw_size[0] * 2, raw_size[1] * 2))
        small = _plain(original).resize(raw_size, Image.Resampling.LANCZOS, reducing_gap=3.0)
    shown = _in_srgb(small, profile)
    if orientation in _UPRIGHT:
        shown = shown.transpose(_UPRIGHT[orientation])
    shown.info.clear()
    target = BytesIO()
    shown.save(target, format.upper(), **_ENCODING[format])
    return target.getvalue()


def _plain(image: Image.Image) -> Image.Image:
    """The image in a mode whose pixels can be averaged."""
    if image.mode.startswith("I"):
        # Pillow would cut 16 bits off at 255.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if image.has_transparency_data and image.mode not in {"RGBA", "LA"}:
        return image.convert("RGBA")
    return image if image.mode in _AS_IT_IS else image.convert("RGB")


def _in_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    alpha = image.getchannel("A") if image.mode in {"RGBA", "LA"} else None
    colours = _converted(image, profile)
    if alpha:
        colours.putalpha(alpha)
    return colours


def _converted(image: Image.Image, profile: bytes | None) -> Image.Image:
    if profile:
        with suppress(*_NO_CONVERSION):
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
            if converted is not None:
                return converted
    return image.convert("RGB")
