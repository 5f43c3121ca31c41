"""The copy of an image for networks, feeds and old readers: a JPEG, or a PNG if the image has transparency."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from math import sqrt
from typing import Final

from PIL import Image as PillowImage
from PIL.PngImagePlugin import PngInfo

from blog_engine.content.figures import SHARED_TYPES, SHARED_WIDTH, variant_size
from blog_engine.images._decoding import DECODER
from blog_engine.images.files import ImageFiles, open_original
from blog_engine.images.inspect import InspectedImage, SharedCopy
from blog_engine.images.origin import FileOrigin
from blog_engine.images.variants import (
    MOST_DRAWN,
    TooLargeToDraw,
    note_name,
    said_of,
    scaled,
    store_variant,
    stored_variant,
    variant_name,
)
from blog_engine.models import Image

logger = logging.getLogger("blog_engine")

MOST_SHARED_BYTES: Final = 600_000
"""Networks show no picture whose file is much larger."""
_QUALITIES: Final = (85, 75, 65, 55)
_COLORS: Final = 256
_TALLEST: Final = 16_383
_MARGIN: Final = 1.05
"""How much smaller the sides become than the bytes that are too many suggest."""
_NONE: Final = SharedCopy(b"", suffix="")


def with_shared_copy(image: InspectedImage, *, said: FileOrigin) -> InspectedImage:
    """Return an image that is about to be stored with its copy, which says ``said`` of its origin.

    A fault is logged: then the copy is drawn on its first request.
    """
    try:
        with DECODER:
            shared = _drawn(image.data, (image.width, image.height), said=said)
    except Exception:
        # Pillow does not document its exceptions, and the image itself can be stored.
        logger.exception("The copy for shared links of the image %s could not be drawn.", image.sha256)
        return image
    return replace(image, shared=shared)


def store_shared_copy(image: Image, shared: SharedCopy, *, files: ImageFiles) -> None:
    """Store the copy of a new image beside its original."""
    if not shared.suffix:
        return
    name = variant_name(image, shared.data, width=SHARED_WIDTH, format=shared.suffix)
    stored = files.write_beside(name, shared.data, content_type=SHARED_TYPES[shared.suffix])
    if stored:
        note = note_name(image, width=SHARED_WIDTH, format=shared.suffix)
        files.write_beside(note, stored.encode(), content_type="text/plain")


def shared_copy(image: Image) -> str | None:
    """Return the name of the copy in the storage; draw it if there is none.

    Returns ``None`` while this process decodes or draws another image. Raises as ``variant`` does.
    """
    found = stored_shared_copy(image)
    if found or not DECODER.acquire(blocking=False):
        return found
    try:
        return stored_shared_copy(image) or _draw_and_store(image)[0]
    finally:
        DECODER.release()


def drawn_shared_copy(image: Image) -> SharedCopy:
    """Draw and store the copy of a stored image, after the image that this process decodes now.

    Raises ``FileNotFoundError`` when the original is missing, and any exception of the storage.
    """
    with DECODER:
        try:
            return _draw_and_store(image)[1]
        except TooLargeToDraw:
            return _NONE


def stored_shared_copy(image: Image) -> str | None:
    """Return the name of the copy in the storage, ``None`` if there is none."""
    found = (stored_variant(image, width=SHARED_WIDTH, format=suffix) for suffix in SHARED_TYPES)
    return next((name for name in found if name), None)


def _draw_and_store(image: Image) -> tuple[str, SharedCopy]:
    with open_original(image) as original:
        data = bytes(original.read())
    drawn = _drawn(data, (image.width, image.height), said=said_of(image))
    if not drawn.suffix:
        raise TooLargeToDraw
    content_type = SHARED_TYPES[drawn.suffix]
    name = store_variant(image, drawn.data, width=SHARED_WIDTH, format=drawn.suffix, content_type=content_type)
    return name, drawn


def _drawn(data: bytes, size: tuple[int, int], *, said: FileOrigin) -> SharedCopy:
    """Return the copy of an image of this size in pixels, without data if it is too large to draw."""
    try:
        picture, xmp = scaled(data, size=_largest(*size), said=said)
    except TooLargeToDraw:
        return _NONE
    if picture.mode == "RGBA" and picture.getchannel("A").getextrema() != (255, 255):
        return _fitted(picture, "png", lambda one: _as_png(one, xmp))
    return _fitted(picture.convert("RGB"), "jpg", lambda one: _as_jpeg(one, xmp))


def _largest(width: int, height: int) -> tuple[int, int]:
    width, height = variant_size(width, height, to=SHARED_WIDTH)
    factor = min(1.0, sqrt(MOST_DRAWN / (width * height)), _TALLEST / height)
    return max(1, int(width * factor)), max(1, int(height * factor))


def _fitted(
    picture: PillowImage.Image, suffix: str, encodings: Callable[[PillowImage.Image], Iterator[bytes]]
) -> SharedCopy:
    """Return the best encoding of at most ``MOST_SHARED_BYTES``, in the largest size that has one."""
    while True:
        data = b""
        for data in encodings(picture):
            if len(data) <= MOST_SHARED_BYTES:
                return SharedCopy(data, suffix, *picture.size)
        factor = sqrt(len(data) / MOST_SHARED_BYTES) * _MARGIN
        width, height = (max(1, int(side / factor)) for side in picture.size)
        picture = picture.resize((width, height), PillowImage.Resampling.LANCZOS)


def _as_jpeg(picture: PillowImage.Image, xmp: bytes) -> Iterator[bytes]:
    for quality in _QUALITIES:
        target = BytesIO()
        picture.save(target, "JPEG", quality=quality, optimize=True, progressive=True, xmp=xmp)
        yield target.getvalue()


def _as_png(picture: PillowImage.Image, xmp: bytes) -> Iterator[bytes]:
    """Yield the picture with all its colours, then with 256."""
    info = PngInfo()
    if xmp:
        info.add_itxt("XML:com.adobe.xmp", xmp.decode())
    for reduce in (False, True):
        target = BytesIO()
        shown = picture.quantize(_COLORS, method=PillowImage.Quantize.FASTOCTREE) if reduce else picture
        shown.save(target, "PNG", pnginfo=info)
        yield target.getvalue()
