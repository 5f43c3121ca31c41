"""The reasons for which an image of the other blog is not stored here, in words for its owner."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from blog_engine.conf import get_settings
from blog_engine.errors import ImageFault, ImageNotPermitted
from blog_engine.fetching import TOO_LARGE, FetchRefused

_SVG_NAME: Final = re.compile(r"\.svgz?$", re.IGNORECASE)
_SVG: Final = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>\[]*>\s*)*<svg[\s>]", re.DOTALL
)
_BEGINNING: Final = 2048
"""Bytes in which a drawing says what it is."""
_GIT_LFS: Final = b"version https://git-lfs.github.com/spec/"
_SHOWN_BY_BROWSERS: Final = frozenset({ImageFault.SIZE, ImageFault.PIXELS})


@dataclass(frozen=True, slots=True)
class MissingImage:
    """The reason for which an image could not be had."""

    reason: str
    is_absent: bool = False
    """Whether there is neither a file of it nor an answer of the old blog."""
    stays_there: bool = False
    """Whether browsers show it, although it is not stored here."""


NOT_IN_SOURCE: Final = MissingImage("It is not in the source.", is_absent=True)


def is_svg(url: str) -> bool:
    """Return whether a URL or path is that of an SVG drawing, by its suffix."""
    try:
        return _SVG_NAME.search(urlsplit(url).path) is not None
    except ValueError:
        return False


def drawing(name: str) -> MissingImage:
    """Return why a drawing is not stored."""
    return MissingImage(f"{name} is an SVG drawing, which the blog does not store.", stays_there=True)


def unusable_file(name: str, start: bytes, fault: ImageNotPermitted) -> MissingImage:
    """Return why a file that is there cannot be used; ``start`` are its first bytes."""
    if is_svg(name) or _SVG.match(start[:_BEGINNING]):
        return drawing(name)
    if start.startswith(_GIT_LFS):
        return MissingImage(f"{name} is only a pointer of Git LFS: run “git lfs pull” in the source.")
    stays_there = fault.fault in _SHOWN_BY_BROWSERS
    return MissingImage(f"{name} cannot be stored: {_words(fault)}", stays_there=stays_there)


def not_fetched(name: str, refusal: ImageNotPermitted) -> MissingImage:
    """Return why an image that is not in the source could not be fetched either."""
    cause = refusal.__cause__
    if isinstance(cause, FetchRefused) and cause.reason == TOO_LARGE:
        refusal = ImageNotPermitted(fault=ImageFault.SIZE)
    elif refusal.fault is ImageFault.CONTENT:
        # Why it did not answer is not said (images.fetch.discreet).
        return MissingImage(
            f"{name} is not in the source, and its server did not answer with an image.", is_absent=True
        )
    stays_there = refusal.fault in _SHOWN_BY_BROWSERS
    return MissingImage(f"{name} cannot be stored: {_words(refusal)}", stays_there=stays_there)


def _words(fault: ImageNotPermitted) -> str:
    settings = get_settings()
    match fault.fault:
        case ImageFault.EMPTY:
            return "the file is empty."
        case ImageFault.SIZE:
            return f"it has more than {settings.max_image_bytes} bytes (max_image_bytes)."
        case ImageFault.PIXELS:
            return f"{fault.hint} (max_image_pixels)" if fault.hint else "it has too many pixels."
        case ImageFault.CONTENT:
            types = ", ".join(settings.image_content_types)
            return f"it is damaged, or no image of a type that is accepted here ({types})."
        case _:
            return fault.hint
