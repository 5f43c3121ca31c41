"""The image formats of the engine, and what they are called elsewhere (records.md 9)."""

from typing import Final

FORMATS: Final = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "AVIF": "image/avif",
}
"""Media types by Pillow's names."""

SUFFIXES: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/avif": "avif",
}
"""What file names of a media type end in."""

_OTHER_NAMES: Final = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "image/apng": "image/png",
    "image/vnd.mozilla.apng": "image/png",
}


def media_type(text: str) -> str:
    """A media type without its parameters, in lower case, and one of ours by the name that ``FORMATS`` has for it."""
    name = text.partition(";")[0].strip().lower()
    return _OTHER_NAMES.get(name, name)
