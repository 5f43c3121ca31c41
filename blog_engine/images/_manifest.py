"""Reading C2PA manifests of images, with the extra ``c2pa``.

Its signature is not checked against a list of trusted signers: like XMP, a manifest is what the file says.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from io import BytesIO
from typing import Any, Final

from blog_engine.content.source_types import is_ai_source, source_type_of
from blog_engine.images.origin import FileOrigin, telling_type

logger = logging.getLogger("blog_engine")

_MARK: Final = b"c2pa"
_SETTINGS: Final = {
    # Reading a file must neither ask another server nor hash what is not trusted anyhow.
    "verify": {
        "verify_after_reading": False,
        "verify_trust": False,
        "ocsp_fetch": False,
        "remote_manifest_fetch": False,
    }
}
_LONGEST: Final = 4 * 1024 * 1024
"""Characters of the manifests as JSON."""
_MOST_MANIFESTS: Final = 100
_ACTIONS: Final = ("c2pa.actions", "c2pa.actions.v2")
_METADATA: Final = ("stds.iptc", "stds.iptc.photo-metadata", "cawg.metadata", "c2pa.metadata")
_PROPERTY: Final = "Iptc4xmpExt:DigitalSourceType"


def with_manifest(origin: FileOrigin, data: bytes, *, content_type: str) -> FileOrigin:
    """Return the origin of an image with the source type that its manifest names, if its metadata name none for AI."""
    return replace(origin, source_type=telling_type([origin.source_type, *_manifest_types(data, content_type)]))


def _manifest_types(data: bytes, content_type: str) -> list[str | None]:
    """Return the source types that the manifests of an image name; none without the extra."""
    if _MARK not in data:
        return []
    library = _library()
    if library is None:
        return []
    try:
        reader = library.Reader.try_create(content_type, BytesIO(data), context=_context())
        if reader is None:
            return []
        with reader:
            text = reader.json()
        return _types(json.loads(text)) if len(text) <= _LONGEST else []
    except Exception as fault:
        # The library has an exception for every part of a manifest, and a broken one must not refuse an image.
        logger.info("The C2PA manifest of an image was not read: %s", type(fault).__name__)
        return []


@cache
def _library() -> Any:
    try:
        return import_module("c2pa")
    except Exception as fault:
        # Missing, or its binary does not run here.
        logger.info("c2pa was not loaded: %r", fault)
        return None


@cache
def _context() -> Any:
    library = _library()
    return library.Context(library.Settings.from_dict(_SETTINGS))


def _types(store: Any) -> list[str | None]:
    manifests, active = store.get("manifests"), store.get("active_manifest")
    if not isinstance(manifests, dict):
        return []
    found: list[str | None] = []
    seen: set[str] = set()
    # An image and what it was made from; of what was placed into it, AI makes it a composite.
    waiting: list[tuple[Any, bool]] = [(active, False)]
    while waiting and len(seen) < _MOST_MANIFESTS:
        label, is_part = waiting.pop(0)
        manifest = manifests.get(label) if isinstance(label, str) and label not in seen else None
        if not isinstance(manifest, dict):
            continue
        seen.add(label)
        terms = [source_type_of(text) for text in _named(manifest)]
        found += ["compositeSynthetic" for term in terms if is_ai_source(term)][:1] if is_part else terms
        for ingredient in _dicts(manifest.get("ingredients")):
            placed = is_part or ingredient.get("relationship") != "parentOf"
            waiting.append((ingredient.get("active_manifest"), placed))
    return found


def _named(manifest: dict[str, Any]) -> Iterator[str]:
    for assertion in _dicts(manifest.get("assertions")):
        label, content = str(assertion.get("label", "")).partition("__")[0], assertion.get("data")
        if not isinstance(content, dict):
            continue
        if label in _ACTIONS:
            values = [action.get("digitalSourceType") for action in _dicts(content.get("actions"))]
        elif label in _METADATA:
            values = [content.get(_PROPERTY)]
        else:
            continue
        yield from (value for value in values if isinstance(value, str))


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
