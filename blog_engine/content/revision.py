"""The revision identifier: a digest of the content that a reviewer checks."""

import hashlib
import json
import unicodedata
from dataclasses import dataclass
from typing import Final

from blog_engine.content.faq import FaqPair

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
    """The content that the identifier covers; ``None`` counts as empty."""

    title: str | None = None
    description: str | None = None
    search_title: str | None = None
    search_description: str | None = None
    author: str | None = None
    body: str | None = None
    faq: tuple[FaqPair, ...] = ()
    images: tuple[ImageEntry, ...] = ()


def revision_payload(content: RevisionContent) -> str:
    """Return the canonical JSON of the content (history.identifier.payload)."""
    payload = {
        "author": _value(content.author),
        "body": _lines(content.body).rstrip("\n"),
        "description": _value(content.description),
        "faq": [{"answer": _value(pair.answer), "question": _value(pair.question)} for pair in content.faq],
        "images": [
            {"alt": _value(i.alt), "role": _value(i.role), "sha256": _value(i.sha256), "url": _value(i.url)}
            for i in content.images
        ],
        "search_description": _value(content.search_description),
        "search_title": _value(content.search_title),
        "title": _value(content.title),
        "version": PAYLOAD_VERSION,
    }
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))


def revision_identifier(payload: str) -> str:
    """Return the lower-case hexadecimal SHA-256 of a payload."""
    return hashlib.sha256(payload.encode()).hexdigest()


def _lines(text: str | None) -> str:
    return unicodedata.normalize("NFC", text or "").replace("\r\n", "\n").replace("\r", "\n")


def _value(text: str | None) -> str:
    return _lines(text).strip(" \t\n")
