"""Inspect the bytes of an image: type, size in pixels, file name."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from blog_engine.conf import get_settings
from blog_engine.content.figures import VARIANT_NAME
from blog_engine.content.text import has_long_mark_run
from blog_engine.errors import ImageFault, ImageNotPermitted
from blog_engine.images._decoding import FORMATS, decode, foreign_type, has_libmagic, media_type
from blog_engine.images._limited import can_decode_limited
from blog_engine.images._manifest import with_manifest
from blog_engine.images.origin import NO_ORIGIN, FileOrigin

__all__ = ["InspectedImage", "can_decode_limited", "has_libmagic", "inspect_image", "refuse_size"]

_LONGEST: Final = 255
_LONGEST_SUFFIX: Final = 16
_UNSEEN: Final = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Control, format (such as changes of the writing direction) and line separator characters."""

_FORBIDDEN_SOMEWHERE: Final = re.compile(r'[<>:"|?*]')
_LIKE_A_VARIANT: Final = re.compile(VARIANT_NAME)


@dataclass(frozen=True, slots=True)
class SharedCopy:
    """A JPEG or PNG of an image for networks and feeds."""

    data: bytes = field(repr=False)
    suffix: str
    """``jpg`` or ``png``; empty for an image that is too large to draw, which has none."""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True)
class InspectedImage:
    """An image whose bytes were decoded completely, ready to be stored."""

    data: bytes = field(repr=False)
    sha256: str
    filename: str
    content_type: str
    width: int
    """Pixels, after the rotation that the file asks for (images.object.size)."""
    height: int
    """Pixels, after the rotation that the file asks for."""
    is_animated: bool
    has_location: bool
    """Whether the bytes contain the place where a photo was taken."""
    source_url: str | None
    """The URL that was fetched; ``None`` for an upload."""
    origin: FileOrigin = NO_ORIGIN
    shared: SharedCopy | None = None
    """``None`` until it is drawn (``with_shared_copy``)."""


def inspect_image(
    data: bytes, *, filename: str, declared_type: str | None = None, source_url: str | None = None
) -> InspectedImage:
    """Check that the bytes are a complete image of an accepted type.

    ``filename`` can be a path; see ``safe_filename``. ``declared_type`` is the media type that an upload declares;
    blank and ``None`` declare none. Raises ``ImageNotPermitted``.
    """
    name = safe_filename(filename)
    refuse_size(len(data))
    decoded = decode(data, formats=_accepted_formats(), most_pixels=get_settings().max_image_pixels)
    foreign = foreign_type(data, content_type=decoded.content_type)
    if foreign:
        raise ImageNotPermitted(
            hint=f"The bytes are {decoded.content_type} and {foreign} at once: send a file that is only an image.",
            fault=ImageFault.MIXED,
        )
    _check_declared_type(declared_type, decoded.content_type)
    return InspectedImage(
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        filename=name,
        source_url=source_url,
        content_type=decoded.content_type,
        width=decoded.width,
        height=decoded.height,
        is_animated=decoded.is_animated,
        has_location=decoded.has_location,
        origin=with_manifest(decoded.origin, data, content_type=decoded.content_type),
    )


def refuse_size(size: int) -> None:
    """Raise ``ImageNotPermitted`` for no bytes, or more than ``max_image_bytes``."""
    limit = get_settings().max_image_bytes
    if size == 0:
        raise ImageNotPermitted(hint="The file is empty: send the whole file.", fault=ImageFault.EMPTY)
    if size > limit:
        raise ImageNotPermitted(
            hint=f"An image has at most {limit} bytes here: send a smaller version.", fault=ImageFault.SIZE
        )


def safe_filename(text: str) -> str:
    """Return the last part of a path as a file name that every system can store.

    It has at most 255 characters; nothing is percent-decoded. Raises ``ImageNotPermitted`` when nothing readable is
    left, and for NUL, lone surrogates and more than 30 combining marks in a row.
    """
    if "\0" in text or has_long_mark_run(text) or any("\ud800" <= character <= "\udfff" for character in text):
        raise ImageNotPermitted(
            hint="The file name contains characters that are not allowed: send one such as photo.jpg.",
            fault=ImageFault.NAME,
        )
    last = re.split(r"[/\\]", text)[-1]
    seen = "".join(c for c in unicodedata.normalize("NFC", last) if unicodedata.category(c) not in _UNSEEN)
    name = _FORBIDDEN_SOMEWHERE.sub("-", seen).lstrip(". ").rstrip(". ")
    name = _shorten(" ".join(name.split()))
    if not name:
        raise ImageNotPermitted(hint="The file needs a name, such as photo.jpg.", fault=ImageFault.NAME)
    # The URL with such a name is that of a variant.
    return f"image-{name}" if _LIKE_A_VARIANT.fullmatch(name) else name


def _shorten(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix) > _LONGEST_SUFFIX:
        return name[:_LONGEST].rstrip(". ")
    return stem[: _LONGEST - len(suffix) - 1].rstrip(". ") + dot + suffix


def _accepted_formats() -> list[str]:
    accepted = get_settings().image_content_types
    return [name for name, content_type in FORMATS.items() if content_type in accepted]


def _check_declared_type(declared_type: str | None, detected: str) -> None:
    declared = media_type(declared_type or "")
    if declared and declared != detected:
        raise ImageNotPermitted(hint=f"The bytes are {detected}: send that as the content type.")
