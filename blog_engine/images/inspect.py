"""Inspecting an uploaded image: type, dimensions, filename."""

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from blog_engine.conf import get_settings
from blog_engine.content.figures import VARIANT_NAME
from blog_engine.content.text import has_long_mark_run
from blog_engine.errors import ImageNotPermitted
from blog_engine.images._decoding import FORMATS, decode, foreign_type, has_libmagic, media_type

_LONGEST: Final = 255
_LONGEST_SUFFIX: Final = 16
_UNSEEN: Final = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Control and format characters (those that turn the writing direction are among them) and line separators."""

_FORBIDDEN_SOMEWHERE: Final = re.compile(r'[<>:"|?*]')
_LIKE_A_VARIANT: Final = re.compile(VARIANT_NAME)


def safe_filename(text: str) -> str:
    """The last part of a path as a file name that every system can store; at most 255 characters.

    Percent signs mean nothing here. Raises ``ImageNotPermitted`` when nothing readable is left, for NUL, for text
    that is not Unicode, and for more than 30 combining marks in a row.
    """
    if "\0" in text or has_long_mark_run(text) or any("\ud800" <= character <= "\udfff" for character in text):
        raise ImageNotPermitted(
            hint="The file name has a character that no file name can have: send one such as photo.jpg."
        )
    last = re.split(r"[/\\]", text)[-1]
    seen = "".join(c for c in unicodedata.normalize("NFC", last) if unicodedata.category(c) not in _UNSEEN)
    name = _FORBIDDEN_SOMEWHERE.sub("-", seen).lstrip(". ").rstrip(". ")
    name = _shortened(" ".join(name.split()))
    if not name:
        raise ImageNotPermitted(hint="The file needs a name, such as photo.jpg.")
    # That address belongs to a smaller version of the image.
    return f"image-{name}" if _LIKE_A_VARIANT.fullmatch(name) else name


def _shortened(name: str) -> str:
    if len(name) <= _LONGEST:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix) > _LONGEST_SUFFIX:
        return name[:_LONGEST].rstrip(". ")
    return stem[: _LONGEST - len(suffix) - 1].rstrip(". ") + dot + suffix


__all__ = ["InspectedImage", "has_libmagic", "inspect_image", "refuse_size"]


@dataclass(frozen=True, slots=True)
class InspectedImage:
    """Bytes that were decoded completely and may be stored.

    ``width`` and ``height`` are pixels as shown, after the orientation that the file asks for. ``has_location`` tells
    that the bytes say where a photo was taken. ``source_url`` is where they were fetched, ``None`` for an upload.
    """

    data: bytes = field(repr=False)
    sha256: str
    filename: str
    content_type: str
    width: int
    height: int
    is_animated: bool
    has_location: bool
    source_url: str | None


def inspect_image(
    data: bytes, *, filename: str, declared_type: str | None = None, source_url: str | None = None
) -> InspectedImage:
    """Prove that the bytes are a whole image of a type this blog accepts.

    ``filename`` may be a path of any system; its last part is kept, made safe. ``declared_type`` is the media type an
    upload came with; blank or ``None`` claims nothing. Raises ``ImageNotPermitted``.
    """
    name = safe_filename(filename)
    refuse_size(len(data))
    decoded = decode(data, formats=_accepted_formats(), most_pixels=get_settings().max_image_pixels)
    foreign = foreign_type(data, content_type=decoded.content_type)
    if foreign:
        raise ImageNotPermitted(
            hint=f"The bytes are {decoded.content_type} and {foreign} at the same time: send the image alone."
        )
    _compare(declared_type, decoded.content_type)
    return InspectedImage(
        data=data,
        sha256=hashlib.sha256(data).hexdigest(),
        filename=name,
        content_type=decoded.content_type,
        width=decoded.width,
        height=decoded.height,
        is_animated=decoded.is_animated,
        has_location=decoded.has_location,
        source_url=source_url,
    )


def refuse_size(size: int) -> None:
    """Raise ``ImageNotPermitted`` for a number of bytes that ``max_image_bytes`` does not allow."""
    limit = get_settings().max_image_bytes
    if size == 0:
        raise ImageNotPermitted(hint="The file is empty: send the whole of it.")
    if size > limit:
        raise ImageNotPermitted(hint=f"An image has at most {limit} bytes here: send a smaller version.")


def _accepted_formats() -> list[str]:
    accepted = get_settings().image_content_types
    return [name for name, content_type in FORMATS.items() if content_type in accepted]


def _compare(declared_type: str | None, detected: str) -> None:
    declared = media_type(declared_type or "")
    if declared and declared != detected:
        raise ImageNotPermitted(hint=f"The bytes are {detected}: send that as their content type.")
