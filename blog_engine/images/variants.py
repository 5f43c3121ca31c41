"""Draw and store the variants of images that pages show."""

import hashlib
import json
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
from blog_engine.images._structure import (
    MOST_BYTES,
    bytes_to_decode,
    has_too_many_parts,
    has_too_many_scans,
    is_jpeg,
    jpeg_scale,
)
from blog_engine.images.files import folder_of, image_storage, open_original, save_file
from blog_engine.images.origin import NO_ORIGIN, FileOrigin, origin_in, xmp_of
from blog_engine.models import Image

logger = logging.getLogger("blog_engine")

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
"""Pillow without LittleCMS, or a profile that is broken or for other pixels, which browsers ignore as well."""

MOST_DRAWN: Final = 5_000_000
"""The most pixels of a variant: encoding takes up to 35 bytes for each."""

_GAP: Final = 3
"""Pixels are averaged until the image is this many times as large as the variant, like Pillow's ``reducing_gap``."""

_STRIP: Final = 250_000
"""Pixels of a strip; more if a row has more."""

_STRAIGHT: Final = {"RGBa": "RGBA", "La": "LA"}
_AS_IT_IS: Final = frozenset({"RGB", "RGBA", "L", "LA", "CMYK"})

_LONGEST_NOTE: Final = 500


class TooLargeToDraw(Exception):
    """The image cannot be scaled down within ``MOST_BYTES`` of memory, or has parts that would take too long."""


def variant(image: Image, *, width: int, format: str) -> str | None:
    """Return the name of a variant in the storage; draw it if there is none.

    ``width`` is one of the ``variant_widths`` of the image. Returns ``None`` while this process decodes or draws
    another image: the request does not wait, and a later one draws the variant (media.no-waiting).

    The name of a variant contains its digest, and a note beside it says which file is complete. So a file that is
    still being written, or that a crash left incomplete, is never delivered (media.made-once).

    Raises ``TooLargeToDraw`` for a variant that is never drawn, ``FileNotFoundError`` when the original is missing,
    and any exception of the storage.
    """
    found = stored_variant(image, width=width, format=format)
    if found or not DECODER.acquire(blocking=False):
        return found
    try:
        return stored_variant(image, width=width, format=format) or _draw_and_store(image, width=width, format=format)
    finally:
        DECODER.release()


def stored_variant(image: Image, *, width: int, format: str) -> str | None:
    """Return the name of a complete variant in the storage, ``None`` if there is none."""
    storage, stem, note = (
        image_storage(),
        variant_stem(image, width=width),
        note_name(image, width=width, format=format),
    )
    try:
        with storage.open(note, "rb") as file:
            name = bytes(file.read(_LONGEST_NOTE)).decode("ascii", "replace")
    except FileNotFoundError:
        return None
    whole = re.fullmatch(rf"{re.escape(stem)}-[0-9a-f]{{16}}\w*\.{format}", name)
    return name if whole and storage.exists(name) else None


def _draw_and_store(image: Image, *, width: int, format: str) -> str:
    with open_original(image) as original:
        data = bytes(original.read())
    size = variant_size(image.width, image.height, to=width)
    drawn = draw(data, size=size, format=format, said=said_of(image))
    return store_variant(image, drawn, width=width, format=format, content_type=VARIANT_TYPES[format])


def said_of(image: Image) -> FileOrigin:
    """Return what a variant says of the origin of an image, beside the copyright in its file."""
    return FileOrigin(credit=image.credit, source_type=image.digital_source_type)


def store_variant(image: Image, drawn: bytes, *, width: int, format: str, content_type: str) -> str:
    """Store a variant and the note about it, and return its name. Raises any exception of the storage."""
    storage = image_storage()
    # Another name means that another process is writing the same bytes, or died while writing them.
    free = storage.get_available_name(variant_name(image, drawn, width=width, format=format))
    name = ""
    try:
        name = save_file(storage, free, drawn, content_type=content_type)
        _write_note(storage, note_name(image, width=width, format=format), name)
    except Exception:
        _remove_unused(storage, name or free, unless_size=None if name else len(drawn))
        raise
    return name


def _remove_unused(storage: Storage, name: str, *, unless_size: int | None) -> None:
    """Remove the file of a variant that failed.

    Otherwise each further request would leave one more on a disk that is full. A file of ``unless_size`` bytes is kept:
    another process was faster.
    """
    try:
        if storage.exists(name) and storage.size(name) != unless_size:
            storage.delete(name)
    except Exception:
        # Exceptions differ by storage, and the one that made the variant fail must reach the caller.
        logger.exception("The unused image file %s could not be removed.", name)


def _write_note(storage: Storage, note: str, name: str) -> None:
    storage.delete(note)
    written = storage.save(note, ContentFile(name.encode()))
    if written != note:
        # Another process was faster, and its variant is as good as this one.
        storage.delete(written)


def variant_stem(image: Image, *, width: int) -> str:
    """Return how the names of the files of a variant begin."""
    return f"{folder_of(image.sha256)}/{image.sha256}-w{width}"


def variant_name(image: Image, drawn: bytes, *, width: int, format: str) -> str:
    """Return the name of the file of a variant with these bytes."""
    return f"{variant_stem(image, width=width)}-{hashlib.sha256(drawn).hexdigest()[:16]}.{format}"


def note_name(image: Image, *, width: int, format: str) -> str:
    """Return the name of the note of a variant; another one when something else is said of where the image is from."""
    said = json.dumps([image.credit, image.digital_source_type]).encode()
    mark = f"-{hashlib.sha256(said).hexdigest()[:8]}" if image.credit or image.digital_source_type else ""
    return f"{variant_stem(image, width=width)}{mark}-{format}.txt"


def draw(data: bytes, *, size: tuple[int, int], format: str, said: FileOrigin = NO_ORIGIN) -> bytes:
    """Return the first frame of an inspected image, scaled and encoded.

    ``size`` is in pixels as shown, ``format`` is ``avif`` or ``webp``. Credit and source type are as ``said``, the
    copyright is that of the file; the variant has no other metadata. Raises ``TooLargeToDraw`` before anything is
    decoded.
    """
    shown, xmp = scaled(data, size=size, said=said)
    target = BytesIO()
    shown.save(target, format.upper(), xmp=xmp, **_ENCODING[format])
    return target.getvalue()


def scaled(data: bytes, *, size: tuple[int, int], said: FileOrigin) -> tuple[PillowImage.Image, bytes]:
    """Return the first frame of an inspected image in a size, upright and in sRGB, and the XMP of a variant.

    Raises ``TooLargeToDraw`` before anything is decoded.
    """
    if size[0] * size[1] > MOST_DRAWN:
        raise TooLargeToDraw
    small, orientation, profile, copyright = _read_scaled(data, size=size)
    shown = _to_srgb(small, profile)
    if orientation in _UPRIGHT:
        shown = shown.transpose(_UPRIGHT[orientation])
    shown.info.clear()
    return shown, xmp_of(credit=said.credit, copyright=copyright, source_type=said.source_type)


def _read_scaled(data: bytes, *, size: tuple[int, int]) -> tuple[PillowImage.Image, int, bytes | None, str]:
    """Return the scaled image before rotation, its orientation, its ICC profile, and the copyright that it names.

    The original is out of memory when this returns.
    """
    if has_too_many_parts(data):
        raise TooLargeToDraw
    with PillowImage.open(BytesIO(data), formats=list(FORMATS)) as original:
        orientation, profile = orientation_of(original), original.info.get("icc_profile")
        copyright = origin_in(original, data).copyright
        raw_size = size[::-1] if is_turned(original) else size
        _choose_scale(original, data, raw_size)
        return _scale_down(original, raw_size), orientation, profile, copyright


def _choose_scale(original: PillowImage.Image, data: bytes, size: tuple[int, int]) -> None:
    """Decode a JPEG at 1/2, 1/4 or 1/8, in a fraction of time and memory."""
    pixels = original.width * original.height
    if pixels > get_settings().max_image_pixels or has_too_many_scans(original, data, pixels=pixels):
        raise TooLargeToDraw
    # Decoding at twice the size looks best.
    for wanted in ((size[0] * 2, size[1] * 2), size):
        scale = jpeg_scale(original.size, wanted=wanted) if is_jpeg(original) else 1
        bytes_of_copies = _bytes_of_copies(original.width // scale, original.height // scale, size)
        if bytes_to_decode(original, data, pixels=pixels, scale=scale) + bytes_of_copies <= MOST_BYTES:
            original.draft(None, wanted)
            return
    raise TooLargeToDraw


def _bytes_of_copies(width: int, height: int, size: tuple[int, int]) -> int:
    """Return the bytes that ``_scale_down`` needs: a narrow image, four strips."""
    rows = _rows_averaged(height, size[1])
    return 4 * size[0] * height // rows + 4 * 4 * width * _strip_height(width, rows)


def _scale_down(image: PillowImage.Image, size: tuple[int, int]) -> PillowImage.Image:
    """Return the image in ``size``, first made narrower and then shorter.

    It is read in strips, because averaging needs copies: of palettes with real colours, of alpha premultiplied.
    """
    averaged = max(1, image.width // size[0] // _GAP), _rows_averaged(image.height, size[1])
    height = -(-image.height // averaged[1])
    step = _strip_height(image.width, averaged[1])
    narrow: PillowImage.Image | None = None
    for top in range(0, image.height, step):
        strip = _premultiply(_to_averageable(image.crop((0, top, image.width, min(top + step, image.height)))))
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
    """Return how many rows are averaged into one before the precise scaling."""
    return max(1, height // to // _GAP)


def _strip_height(width: int, averaged: int) -> int:
    return max(1, _STRIP // width // averaged) * averaged


def _premultiply(image: PillowImage.Image) -> PillowImage.Image:
    return image.convert({"RGBA": "RGBa", "LA": "La"}[image.mode]) if image.mode in {"RGBA", "LA"} else image


def _to_averageable(image: PillowImage.Image) -> PillowImage.Image:
    """Return the image in a mode whose pixels can be averaged."""
    if image.mode.startswith("I"):
        # Pillow would clip 16-bit values at 255.
        return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    if image.has_transparency_data and image.mode not in {"RGBA", "LA"}:
        return image.convert("RGBA")
    return image if image.mode in _AS_IT_IS else image.convert("RGB")


def _to_srgb(image: PillowImage.Image, profile: bytes | None) -> PillowImage.Image:
    alpha = image.getchannel("A") if image.mode in {"RGBA", "LA"} else None
    colours = _convert_colors(image, profile)
    if alpha:
        colours.putalpha(alpha)
    return colours


def _convert_colors(image: PillowImage.Image, profile: bytes | None) -> PillowImage.Image:
    if profile:
        with suppress(*_NO_CONVERSION):
            source = ImageCms.ImageCmsProfile(BytesIO(profile))
            converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
            if converted is not None:
                return converted
    return image.convert("RGB")
