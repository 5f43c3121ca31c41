"""Smaller versions of an image, made when first asked for and kept beside it (decisions.md 4, Variants)."""

import hashlib
import logging
import re
from typing import Final

from django.core.files.base import ContentFile
from django.core.files.storage import Storage

from blog_engine.content.figures import VARIANT_TYPES, variant_size
from blog_engine.images._decoding import DECODER
from blog_engine.images._drawing import TooLargeToDraw, draw
from blog_engine.images.files import folder_of, image_storage, open_original, save_file
from blog_engine.models import Image

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
