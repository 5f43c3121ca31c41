"""Where a storage itself serves its files, and for how long (decisions.md 4, Redirect delivery)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import parse_qs, urlsplit

from django.core.files.storage import FileSystemStorage, Storage
from django.urls import get_script_prefix
from django.utils.dateparse import parse_datetime

from blog_engine.images.files import image_storage

_PLAIN: Final = timedelta(days=1)
_UNKNOWN: Final = timedelta(minutes=5)
"""For an address with a query that says nothing of its end: a signature, or a version."""

_LONGEST: Final = timedelta(days=365)
_MARGIN: Final = timedelta(minutes=1)
"""For clocks that differ, and for the time between signing and keeping."""


@dataclass(frozen=True, slots=True)
class StorageLink:
    """An address of the storage, and how long a redirect to it may be kept: less than it works, as far as it says."""

    url: str
    lifetime: timedelta


def storage_link(name: str, *, now: datetime) -> StorageLink | None:
    """The storage's own address of a file; ``None`` when the storage has none that a browser could open."""
    storage = image_storage()
    if isinstance(storage, FileSystemStorage) and storage.base_url in {None, get_script_prefix()}:
        # A host without MEDIA_URL: Django then makes addresses that nothing serves.
        return None
    try:
        url = storage.url(name)
    except (NotImplementedError, ValueError):
        return None
    return StorageLink(url, _lifetime(url, storage, now=now))


def _lifetime(url: str, storage: Storage, *, now: datetime) -> timedelta:
    query = parse_qs(urlsplit(url).query)
    if not query:
        return _PLAIN
    signed_for = _signed_for(query, storage, now=now)
    return max(min(signed_for - min(_MARGIN, signed_for / 10), _LONGEST), timedelta())


def _signed_for(query: dict[str, list[str]], storage: Storage, *, now: datetime) -> timedelta:
    """How long a signed address works, as it says itself, else as its storage says."""
    for name in ("X-Amz-Expires", "X-Goog-Expires"):
        if name in query:
            return _seconds(query[name][0])
    if "Expires" in query:
        return _seconds(query["Expires"][0]) - timedelta(seconds=now.timestamp())
    if "se" in query:  # Azure's
        return _until(query["se"][0], now=now)
    return _seconds(getattr(storage, "querystring_expire", None))


def _until(text: str, *, now: datetime) -> timedelta:
    try:
        end = parse_datetime(text)
    except ValueError:
        end = None
    return _UNKNOWN if end is None or end.tzinfo is None else end - now


def _seconds(value: object) -> timedelta:
    try:
        return timedelta(seconds=int(str(value)))
    except (ValueError, OverflowError):
        return _UNKNOWN
