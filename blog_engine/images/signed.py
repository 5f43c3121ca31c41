"""Signed references to files that the host already has in the storage (decisions.md 4, signed_id)."""

from datetime import timedelta
from typing import Final

from django.core import signing
from django.core.exceptions import SuspiciousFileOperation

from blog_engine.conf import get_settings
from blog_engine.errors import ImageNotPermitted
from blog_engine.images.files import image_storage, unavailable_on_fault
from blog_engine.images.inspect import InspectedImage, inspect_image, refuse_size

_SALT: Final = "blog_engine.images.signed"
_LIFETIME: Final = timedelta(hours=24)

_NOT_THERE: Final = (FileNotFoundError, IsADirectoryError, NotADirectoryError, SuspiciousFileOperation, ValueError)
"""What storages raise for a name that is not one of their files'."""


def sign_stored_file(name: str) -> str:
    """A reference to a file of the storage that holds for 24 hours, to be sent as ``signed_id``.

    ``name`` is what ``Storage.save`` answered, in the storage that ``BLOG_ENGINE["storage"]`` names. Whoever has the
    reference may publish the file as an image.
    """
    return signing.dumps(name, salt=_SALT)


def read_signed_file(signed_id: str) -> InspectedImage:
    """The file that a reference names, checked like an upload; its file name is the last part of its name.

    Raises ``ImageNotPermitted`` for a reference that is not ours or too old, and for a file that is gone or no image
    this blog takes; ``Unavailable`` when the storage is out of reach.
    """
    name = _name_in(signed_id)
    return inspect_image(_read(name), filename=name)


def _name_in(signed_id: str) -> str:
    refusal = ImageNotPermitted(
        hint="The signed_id is not one of this site, or older than 24 hours: send a new one, an image_id or a url."
    )
    try:
        name: object = signing.loads(signed_id, salt=_SALT, max_age=_LIFETIME)
    except (signing.BadSignature, ValueError) as fault:
        # A host may have signed something else with our salt, which then is no JSON.
        raise refusal from fault
    if not isinstance(name, str):
        raise refusal
    return name


def _read(name: str) -> bytes:
    storage = image_storage()
    with unavailable_on_fault(f"The file {name!r} of a signed_id could not be read."):
        try:
            # Asked first: an object storage may bring the whole file into memory before the first byte can be read.
            refuse_size(storage.size(name))
            with storage.open(name, "rb") as file:
                return bytes(file.read(get_settings().max_image_bytes + 1))
        except _NOT_THERE as fault:
            raise ImageNotPermitted(
                hint="The file of the signed_id is not there: send another one, an image_id or a url."
            ) from fault
