"""The revision identifier: a digest of everything a reviewer would have checked (records.md 6)."""

import hashlib
import json
import unicodedata
from dataclasses import dataclass
from typing import Final

from blog_engine.content.faq import FaqPair

PAYLOAD_VERSION: Final = "1"


@dataclass(frozen=True, slots=True)
class ImageEntry:
    """One image of the payload.

    ``role`` is ``cover``, ``body`` or ``social``. ``url`` is the canonical media path of a stored image (decisions.md
    9.9) or an external address; ``sha256`` is empty when the bytes are not known.
    """

    role: str
    url: str
    sha256: str
    alt: str


@dataclass(frozen=True, slots=True)
class RevisionContent:
    """What the identifier covers; ``None`` counts as empty. ``faq`` and ``images`` are in their final order."""

    title: str | None = None
    description: str | None = None
    search_title: str | None = None
    search_description: str | None = None
    author: str | None = None
    body: str | None = None
    faq: tuple[FaqPair, ...] = ()
    images: tuple[ImageEntry, ...] = ()


def revision_payload(content: RevisionContent) -> str:
    """The canonical JSON text of the content: compact, keys in alphabetical order, non-ASCII literal."""
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
    """The lower-case hex SHA-256 of a payload's UTF-8 bytes."""
    return hashlib.sha256(payload.encode()).hexdigest()


def _lines(text: str | None) -> str:
    return unicodedata.normalize("NFC", text or "").replace("\r\n", "\n").replace("\r", "\n")


def _value(text: str | None) -> str:
    return _lines(text).strip(" \t\n")
