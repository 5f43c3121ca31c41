"""The reasons why an image file was refused, in words for the person who chose it."""

import re
from collections.abc import Mapping
from typing import Any, Final

from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from blog_engine.conf import get_settings
from blog_engine.errors import ImageFault, ImageNotPermitted, Refusal

IMAGE_WORDS: Final[Mapping[str, Promise]] = {
    "uploading": gettext_lazy("Uploading {name}…"),
    "uploaded": gettext_lazy("Uploaded. Describe the images below the text."),
    "uploadFailed": gettext_lazy("{name} was not uploaded."),
    "image": pgettext_lazy("admin", "Image"),
    "heic": gettext_lazy("{name} is a HEIC photo, which browsers cannot show. Save it as JPEG, and add it again."),
    "svg": gettext_lazy("{name} is an SVG drawing, which can contain programs. Save it as PNG, and add it again."),
    "pdf": gettext_lazy("{name} is a PDF document, not an image."),
    "noImage": gettext_lazy("{name} is not an image that can be shown here."),
    "tooLargeImage": gettext_lazy("{name} has {size}; at most {most}. Make it smaller, and add it again."),
}
"""The sentences about files that scripts show as well; names in braces are filled in."""

_FAULTS: Final[Mapping[ImageFault, Promise]] = {
    ImageFault.EMPTY: gettext_lazy("{name} is an empty file. Save it again, and add it."),
    ImageFault.CONTENT: gettext_lazy("{name} is damaged or was cut off. Save it again, and add it."),
    ImageFault.PIXELS: gettext_lazy(
        "{name} has too many pixels, those of all frames of an animation together: at most {pixels} million. "
        "Make it smaller or shorter, and add it again."
    ),
    ImageFault.PARTS: gettext_lazy("{name} takes too much to open. Save it again as JPEG, and add it."),
    ImageFault.MIXED: gettext_lazy("{name} is an image and another file at once. Save it as JPEG or PNG, and add it."),
    ImageFault.NAME: gettext_lazy("The name of this file cannot be used. Rename it to one such as photo.jpg."),
}

_HEAD: Final = 1024
_KINDS: Final = (
    ("image/jpeg", re.compile(rb"\xff\xd8\xff")),
    ("image/png", re.compile(rb"\x89PNG")),
    ("image/gif", re.compile(rb"GIF8")),
    ("image/webp", re.compile(rb"RIFF....WEBP", re.DOTALL)),
    ("image/avif", re.compile(rb"....ftypavi[fs]", re.DOTALL)),
    ("heic", re.compile(rb"....ftyp(?:hei[cxms]|hev[cx]|mif1|msf1)", re.DOTALL)),
    ("pdf", re.compile(rb"%PDF")),
    ("svg", re.compile(rb"\s*(?:<\?xml|<!DOCTYPE svg|<!--|<svg)", re.IGNORECASE)),
)
"""The first bytes of the kinds of files that people take for images."""


def sentence_for_image(refusal: Refusal, file: "UploadedFile[Any]") -> str:
    """Return why an uploaded file was refused, with its name."""
    if not isinstance(refusal, ImageNotPermitted):
        return _("The storage or the database is out of reach. Nothing was saved: try again later.")
    sentence = _FAULTS.get(refusal.fault) or IMAGE_WORDS["tooLargeImage"]
    if refusal.fault is ImageFault.CONTENT:
        sentence = _by_content(file)
    return _filled(sentence, file)


def too_large_words() -> str:
    """Return the sentence for a file with too many bytes, whose name and size a script fills in."""
    return str(IMAGE_WORDS["tooLargeImage"]).replace("{most}", filesizeformat(get_settings().max_image_bytes))


def _by_content(file: "UploadedFile[Any]") -> Promise:
    file.seek(0)
    head = file.read(_HEAD).removeprefix(b"\xef\xbb\xbf")
    kind = next((kind for kind, beginning in _KINDS if beginning.match(head)), "")
    if kind in get_settings().image_content_types:
        return _FAULTS[ImageFault.CONTENT]
    return IMAGE_WORDS.get(kind, IMAGE_WORDS["noImage"])


def _filled(sentence: Promise, file: "UploadedFile[Any]") -> str:
    settings = get_settings()
    values = {
        "{name}": str(file.name or _("The file")),
        "{size}": filesizeformat(file.size or 0),
        "{most}": filesizeformat(settings.max_image_bytes),
        "{pixels}": str(settings.max_image_pixels // 1_000_000),
    }
    return re.sub(r"\{\w+\}", lambda found: values.get(found[0], found[0]), str(sentence))
