"""Storing an image that no post shows yet."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.images.fetched import fetch_image
from blog_engine.images.files import image_files
from blog_engine.images.inspect import InspectedImage, inspect_image
from blog_engine.inputs.images import UploadImage
from blog_engine.models import Image
from blog_engine.services._images import stored_image
from blog_engine.services._transaction import write_transaction


def store_image(data: UploadImage, *, actor: Actor, now: datetime) -> Image:
    """Store an uploaded image, or import the one at an address (records.md 9).

    Known bytes give the image that has them already. Raises ``ScopeRequired`` before anything is fetched,
    ``ImageNotPermitted``, or ``Unavailable`` when the storage fails; then nothing is stored.
    """
    actor.require(Scope.WRITE)
    image = _inspected(data)
    with write_transaction(), image_files() as files:
        return stored_image(image, files=files, actor_name=actor.name, now=now)


def _inspected(data: UploadImage) -> InspectedImage:
    if data.file is None:
        return fetch_image(data.url or "")
    return inspect_image(data.file.data, filename=data.file.filename, declared_type=data.file.content_type)
