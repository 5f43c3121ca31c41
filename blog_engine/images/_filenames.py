"""The name under which an image is offered to readers (records.md 9)."""

import re
import unicodedata
from typing import Final

from blog_engine.content.figures import VARIANT_NAME
from blog_engine.content.text import has_long_mark_run
from blog_engine.errors import ImageNotPermitted

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
