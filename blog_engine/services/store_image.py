"""Storing an image that no post shows yet."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.images.files import image_files
from blog_engine.images.inspect import inspect_image
from blog_engine.inputs.images import UploadImage
from blog_engine.models import Image
from blog_engine.services._images import Gathered, gather_url, stored_image
from blog_engine.services._transaction import write_transaction


def store_image(data: UploadImage, *, actor: Actor, now: datetime) -> Image:
    """Store an uploaded image, or import the one at a URL.

    A URL of this blog's own media gives the stored image and is not fetched; so do known bytes. Raises
    ``ScopeRequired`` before anything is fetched, ``ImageNotPermitted``, or ``Unavailable`` when the storage fails;
    then nothing is stored.
    """
    actor.require(Scope.WRITE)
    image = _gathered(data)
    with write_transaction(), image_files() as files:
        return stored_image(image, files=files, actor_name=actor.name, now=now)


def _gathered(data: UploadImage) -> Gathered:
    if data.file is None:
        return gather_url(data.url or "")
    return inspect_image(data.file.data, filename=data.file.filename, declared_type=data.file.content_type)
