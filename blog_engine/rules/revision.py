"""The content of a revision, and its identifier: a digest of what a reviewer checks."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypedDict

from blog_engine.blog_urls import stored_media_path
from blog_engine.content.faq import FaqPair
from blog_engine.models import Image, Post
from blog_engine.rules.content_fields import CONTENT_FIELDS, OPTIONAL_TEXTS, REVISION_TEXTS

PAYLOAD_VERSION: Final = "1"


@dataclass(frozen=True, slots=True)
class ImageEntry:
    """An image of the payload."""

    role: str
    """``cover``, ``body`` or ``social``."""
    url: str
    """The canonical media path of a stored image, or the URL of an external one."""
    sha256: str
    """Empty when the bytes are not known."""
    alt: str


@dataclass(frozen=True, slots=True)
class RevisionContent:
    """The content that the identifier covers."""

    texts: Mapping[str, str | None]
    """``body`` and the texts of ``REVISION_TEXTS``; one that is missing or ``None`` counts as empty."""
    faq: tuple[FaqPair, ...] = ()
    images: tuple[ImageEntry, ...] = ()

    def text(self, name: str) -> str:
        """Return a text as it is stored, empty if there is none."""
        return self.texts.get(name) or ""


class BodyImageEntry(TypedDict):
    """An image of a body; ``sha256`` is ``""`` while its bytes are not known."""

    url: str
    sha256: str
    alt: str


_COLUMNS_OF_TEXTS: Final = tuple(
    (one.name, one.stored_in) for one in CONTENT_FIELDS if one.name in {"body", *REVISION_TEXTS}
)


def content_of(post: Post, *, faq: Iterable[FaqPair]) -> RevisionContent:
    """Return the content of the revision of a post with this FAQ; reads the two images if they are not loaded."""
    texts = {name: getattr(post, column) for name, column in _COLUMNS_OF_TEXTS}
    return RevisionContent(texts, faq=tuple(faq), images=tuple(_image_entries(post)))


def _image_entries(post: Post) -> list[ImageEntry]:
    entries: list[ImageEntry] = []
    if post.cover_image:
        entries.append(_stored_image_entry(post.cover_image, role="cover", alt=post.cover_alt))
    manifest: list[BodyImageEntry] = post.body_image_manifest
    entries += [ImageEntry(role="body", url=one["url"], sha256=one["sha256"], alt=one["alt"]) for one in manifest]
    if post.social_image:
        entries.append(_stored_image_entry(post.social_image, role="social", alt=""))
    return entries


def _stored_image_entry(image: Image, *, role: str, alt: str) -> ImageEntry:
    """Return the entry of a stored image; its path does not depend on the mount."""
    path = stored_media_path(image.sha256, image.filename)
    return ImageEntry(role=role, url=path, sha256=image.sha256, alt=alt)


def revision_payload(content: RevisionContent) -> str:
    """Return the canonical JSON of the content (history.identifier.payload)."""
    payload: dict[str, object] = {name: _value(content.text(name)) for name in REVISION_TEXTS}
    for name in OPTIONAL_TEXTS:
        # Only where there is one: the identifiers of other posts are older than the field.
        if not payload[name]:
            del payload[name]
    payload |= {
        "body": _lines(content.text("body")).rstrip("\n"),
        "faq": [{"answer": _value(pair.answer), "question": _value(pair.question)} for pair in content.faq],
        "images": [
            {"alt": _value(i.alt), "role": _value(i.role), "sha256": _value(i.sha256), "url": _value(i.url)}
            for i in content.images
        ],
        "version": PAYLOAD_VERSION,
    }
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def revision_text(payload: str) -> str:
    """Return the content of a payload as readable text; different contents have different texts.

    A line for each field comes first, then the images, the FAQ, an empty line and the body. Further lines of a value
    are indented by four spaces, so that no value can look like another field.
    """
    content = json.loads(payload)
    lines = [_text_line(name, content[name]) for name in REVISION_TEXTS if name in content]
    for image in content["images"]:
        lines += [_text_line("image", image["role"]), *(f"  {_text_line(key, image[key])}" for key in _IMAGE_KEYS)]
    for pair in content["faq"]:
        lines += [_text_line("question", pair["question"]), _text_line("answer", pair["answer"])]
    return "\n".join([*lines, "", content["body"], ""])


_IMAGE_KEYS: Final = ("url", "sha256", "alt")


def _text_line(name: str, value: str) -> str:
    indented = value.replace("\n", "\n    ")
    return f"{name}: {indented}" if value else f"{name}:"


def differing_fields(old: str, new: str) -> list[str]:
    """Return the names of the fields in which two payloads differ, in the order of ``revision_text``."""
    before, after = json.loads(old), json.loads(new)
    return [name for name in (*REVISION_TEXTS, "images", "faq", "body") if before.get(name) != after.get(name)]


def revision_identifier(payload: str) -> str:
    """Return the lower-case hexadecimal SHA-256 of a payload."""
    return hashlib.sha256(payload.encode()).hexdigest()


def _lines(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")


def _value(text: str) -> str:
    return _lines(text).strip(" \t\n")
