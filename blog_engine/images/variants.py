"""Variants of images: chosen, drawn and stored."""

import hashlib
import logging
import re
from contextlib import suppress
from io import BytesIO
from typing import Any, Final

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from PIL import Image as PillowImage
from PIL import ImageCms

from blog_engine.conf import get_settings
from blog_engine.content.figures import VARIANT_TYPES, variant_size
from blog_engine.images._decoding import DECODER, FORMATS, is_turned, orientation_of
from blog_engine.images._structure import MOST_BYTES, bytes_to_decode, is_jpeg, jpeg_scale
from blog_engine.images.files import folder_of, image_storage, open_original, save_file
from blog_engine.models import Image

_ENCODING: Final[dict[str, dict[str, Any]]] = {
    "avif": {"quality": 60, "speed": 8},
    "webp": {"quality": 80, "method": 4},
}
_UPRIGHT: Final = {
    2: PillowImage.Transpose.FLIP_LEFT_RIGHT,
    3: PillowImage.Transpose.ROTATE_180,
    4: PillowImage.Transpose.FLIP_TOP_BOTTOM,
    5: PillowImage.Transpose.TRANSPOSE,
    6: PillowImage.Transpose.ROTATE_270,
    7: PillowImage.Transpose.TRANSVERSE,
    8: PillowImage.Transpose.ROTATE_90,
}
_NO_CONVERSION: Final = (ImportError, OSError, ImageCms.PyCMSError)
"""No LittleCMS in this Pillow, a broken profile, or one for other pixels, which browsers ignore too."""

_MOST_DRAWN: Final = 5_000_000
"""Pixels of a variant: encoding takes up to 35 bytes for each."""

_GAP: Final = 3
"""Pixels are averaged until the image is that much larger than its variant, as ``reducing_gap`` in Pillow does."""

_STRIP: Final = 250_000
"""Pixels, more in an image whose rows are longer."""

_STRAIGHT: Final = {"RGBa": "RGBA", "La": "LA"}
_AS_IT_IS: Final = frozenset({"RGB", "RGBA", "L", "LA", "CMYK"})


class TooLargeToDraw(Exception):
    """The image cannot be made smaller within ``MOST_BYTES``."""


def draw(data: bytes, *, size: tuple[int, int], format: str) -> bytes:
    """Return the first frame of an inspected image in ``size`` (as shown, in pixels), as ``avif`` or ``webp``.

    Raises ``TooLargeToDraw`` before anything is decoded.
    """
    if size[0] * size[1] > _MOST_DRAWN:
        raise TooLargeToDraw
    small, orientation, profile = _read_smaller(data, size=size)
    shown = _in_srgb(small, profile)
    if orientation in _UPRIGHT:
        shown = shown.transpose(_UPRIGHT[orientation])
    shown.info.clear()
    target = BytesIO()
    shown.save(target, format.upper(), **_ENCODING[format])
    return target.getvalue()


def _read_smaller(data: bytes, *, size: tuple[int, int]) -> tuple[PillowImage.Image, int, bytes | None]:
    """The image in ``size`` (as shown), not yet upright, with its orientation and its ICC profile.

    The large one is out of memory when this returns.
    """
    with PillowImage.open(BytesIO(data), formats=list(FORMATS)) as original:
        orientation, profile = orientation_of(original), original.info.get("icc_profile")
        raw_size = size[::-1] if is_turned(original) else size
        _choose_scale(original, data, raw_size)
        return _smaller(original, raw_size), orientation, profile


def _choose_scale(original: PillowImage.Image, data: bytes, size: tuple[int, int]) -> None:
    """Let a JPEG be decoded at a half, a quarter or an eighth, in a fraction of the time and the memory."""
    pixels = original.width * original.height
    if pixels > get_settings().max_image_pixels:
        raise TooLargeToDraw
    # Twice as large looks best.
    for wanted in ((size[0] * 2, size[1] * 2), size):
        scale = jpeg_scale(original.size, wanted=wanted) if is_jpeg(original) else 1
        bytes_of_copies = _bytes_of_copies(original.width // scale, original.height // scale, size)
        if bytes_to_decode(original, data, pixels=pixels, scale=scale) + bytes_of_copies <= MOST_BYTES:
            original.draft(None, wanted)
            return
    raise TooLargeToDraw


def _bytes_of_copies(width: int, height: int, size: tuple[int, int]) -> int:
    """What ``_smaller`` takes besides the image: the narrow one, and a strip in four forms."""
    rows = _rows_averaged(height, size[1])
    return 4 * size[0] * height // rows + 4 * 4 * width * _strip_height(width, rows)


def _smaller(image: PillowImage.Image, size: tuple[int, int]) -> PillowImage.Image:
    """The image in ``size``, first narrower and then shorter.

    It is read in strips, because averaging needs copies: other pixels for a palette, premultiplied ones for alpha.
    """
    averaged = max(1, image.width // size[0] // _GAP), _rows_averaged(image.height, size[1])
    height = -(-image.height // averaged[1])
    step = _strip_height(image.width, averaged[1])
    narrow: PillowImage.Image | None = None
    for top in range(0, image.height, step):
        strip = _premultiplied(_plain(image.crop((0, top, image.width, min(top + step, image.height)))))
        rows = strip.reduce(averaged) if averaged != (1, 1) else strip
        box = (0, 0, image.width / averaged[0], rows.height)
        narrow = narrow or PillowImage.new(rows.mode, (size[0], height))
        narrow.paste(
            rows.resize((size[0], rows.height), PillowImage.Resampling.LANCZOS, box=box), (0, top // averaged[1])
        )
    if narrow is None:
        raise OSError("The image has no rows.")
    small = narrow.resize(size, PillowImage.Resampling.LANCZOS, box=(0, 0, size[0], image.height / averaged[1]))
    return small.convert(_STRAIGHT[small.mode]) if small.mode in _STRAIGHT else small


def _rows_averaged(height: int, to: int) -> int:
    """How many rows become one before the precise part of making an image smaller."""
    return max(1, height // to // _GAP)


def _strip_height(width: int, averaged: int) -> int:
    return max(1, _STRIP // width // averaged) * averaged


def _premultiplied(image: PillowImage.Image) -> PillowImage.Image:
    return image.convert({"RGBA": "RGBa", "LA": "La"}[image.mode]) if image.mode in {"RGBA", "LA"} else image


def _plain(image: PillowImage.Image) -> PillowImage.Image:
    """The image in a mode whose pixels can be averaged."""
    if image.mode.startswith("I"):
        # Pillow would cut 16 bits off at 255.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if image.has_transparency_data and image.mode not in {"RGBA", "LA"}:
        return image.convert("RGBA")
    return image if image.mode in _AS_IT_IS else image.convert("RGB")


def _in_srgb(image: PillowImage.Image, profile: bytes | None) -> PillowImage.Image:
    alpha = image.getchannel("A") if image.mode in {"RGBA", "LA"} else None
    colours = _converted(image, profile)
    if alpha:
        colours.putalpha(alpha)
    return colours


def _converted(image: PillowImage.Image, profile: bytes | None) -> PillowImage.Image:
    if profile:
        with suppress(*_NO_CONVERSION):
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
            if converted is not None:
                return converted
    return image.convert("RGB")


__all__ = ["TooLargeToDraw", "variant"]

logger = logging.getLogger("blog_engine")

_LONGEST_NOTE: Final = 500


def variant(image: Image, *, width: int, format: str) -> str | None:
    """Return the name in the storage of the image's variant; ``width`` is one of its ``variant_widths``.

    ``None`` while this process decodes or draws another image: nobody waits, and a later request draws it. A variant
    is content-addressed like its original, and a note says which file it is. So a file that another process is still
    writing, or that a crash left half-written, is given to nobody. Raises ``TooLargeToDraw`` for a variant that is
    never drawn, ``FileNotFoundError`` when the original is gone, and whatever the storage raises when it is out of
    reach.
    """
    storage = image_storage()
    stem = f"{folder_of(image.sha256)}/{image.sha256}-w{width}"
    found = _noted(storage, stem, format)
    if found or not DECODER.acquire(blocking=False):
        return found
    try:
        return _noted(storage, stem, format) or _make(storage, stem, image, width=width, format=format)
    finally:
        DECODER.release()


def _noted(storage: Storage, stem: str, format: str) -> str | None:
    try:
        with storage.open(_note_name(stem, format), "rb") as note:
            name = bytes(note.read(_LONGEST_NOTE)).decode("ascii", "replace")
    except FileNotFoundError:
        return None
    whole = re.fullmatch(rf"{re.escape(stem)}-[0-9a-f]{{16}}\w*\.{format}", name)
    return name if whole and storage.exists(name) else None


def _make(storage: Storage, stem: str, image: Image, *, width: int, format: str) -> str:
    with open_original(image) as original:
        data = bytes(original.read())
    drawn = draw(data, size=variant_size(image.width, image.height, to=width), format=format)
    # Another name than this one means that somebody is writing, or died while writing, the same bytes.
    free = storage.get_available_name(f"{stem}-{hashlib.sha256(drawn).hexdigest()[:16]}.{format}")
    name = ""
    try:
        name = save_file(storage, free, drawn, content_type=VARIANT_TYPES[format])
        _write_note(storage, _note_name(stem, format), name)
    except Exception:
        _take_away(storage, name or free, unless_size=None if name else len(drawn))
        raise
    return name


def _take_away(storage: Storage, name: str, *, unless_size: int | None) -> None:
    """Remove what a fault left: every reader who asks again would leave one more of it on a disk that is full.

    A file of the size ``unless_size`` is another process's, which was faster.
    """
    try:
        if storage.exists(name) and storage.size(name) != unless_size:
            storage.delete(name)
    except Exception:
        # Of any storage; the caller is already failing for the reason that must be told.
        logger.exception("The unused image file %s could not be removed.", name)


def _write_note(storage: Storage, note: str, name: str) -> None:
    storage.delete(note)
    written = storage.save(note, ContentFile(name.encode()))
    if written != note:
        # Another process was faster, with a file as good as ours.
        storage.delete(written)


def _note_name(stem: str, format: str) -> str:
    return f"{stem}-{format}.txt"
