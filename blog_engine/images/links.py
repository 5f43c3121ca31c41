"""URLs of stored files, and signed references to files of the host's storage."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import parse_qs, urlsplit

from django.core import signing
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import FileSystemStorage, Storage
from django.urls import get_script_prefix
from django.utils.dateparse import parse_datetime

from blog_engine.conf import get_settings
from blog_engine.errors import ImageNotPermitted
from blog_engine.images.files import image_storage, unavailable_on_fault
from blog_engine.images.inspect import InspectedImage, inspect_image, refuse_size

_PLAIN: Final = timedelta(days=1)
_UNKNOWN: Final = timedelta(minutes=5)
"""For a URL with a query that names no end, such as a signature or a version."""

_LONGEST: Final = timedelta(days=365)
_MARGIN: Final = timedelta(minutes=1)
"""For clocks that differ, and for the time between signing and caching."""

_SALT: Final = "blog_engine.images.signed"
_LIFETIME: Final = timedelta(hours=24)

_NOT_THERE: Final = (FileNotFoundError, IsADirectoryError, NotADirectoryError, SuspiciousFileOperation, ValueError)
"""Exceptions of storages for a name that is none of their files."""


@dataclass(frozen=True, slots=True)
class StorageLink:
    """A URL of the storage."""

    url: str
    lifetime: timedelta
    """The time for which a redirect to the URL can be cached, less than the URL is valid."""


def storage_link(name: str, *, now: datetime) -> StorageLink | None:
    """Return the URL of a file in the storage, ``None`` if browsers cannot open one."""
    storage = image_storage()
    if isinstance(storage, FileSystemStorage) and storage.base_url in {None, get_script_prefix()}:
        # Without MEDIA_URL, Django builds URLs that lead nowhere.
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
    """Return how long a signed URL is valid, by its query or else by its storage."""
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


def sign_stored_file(name: str) -> str:
    """Return a reference to a stored file, valid for 24 hours (``signed_id``).

    ``name`` is the return value of ``Storage.save``, in the storage of the setting ``storage``. Anyone who has the
    reference and a token can publish the file as an image.
    """
    return signing.dumps(name, salt=_SALT)


def read_signed_file(signed_id: str) -> InspectedImage:
    """Return the image that a reference names, checked like an upload.

    Raises ``ImageNotPermitted`` for a reference that is forged or expired, and for a file that is missing or no
    accepted image, and ``Unavailable`` when the storage fails.
    """
    name = _name_in(signed_id)
    return inspect_image(_read(name), filename=name)


def _name_in(signed_id: str) -> str:
    refusal = ImageNotPermitted(
        hint="The signed_id was not made by this site or is older than 24 hours: send a new one, an image_id or a url."
    )
    try:
        name: object = signing.loads(signed_id, salt=_SALT, max_age=_LIFETIME)
    except (signing.BadSignature, ValueError) as fault:
        # The host may have signed something else with our salt.
        raise refusal from fault
    if not isinstance(name, str):
        raise refusal
    return name


def _read(name: str) -> bytes:
    storage = image_storage()
    with unavailable_on_fault(f"The file {name!r} of a signed_id could not be read."):
        try:
            # First the size: an object storage may load the whole file before the first byte can be read.
            refuse_size(storage.size(name))
            with storage.open(name, "rb") as file:
                return bytes(file.read(get_settings().max_image_bytes + 1))
        except _NOT_THERE as fault:
            raise ImageNotPermitted(
                hint="The file of the signed_id does not exist: send another one, an image_id or a url."
            ) from fault
