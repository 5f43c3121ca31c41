"""Storing images: uploads, and those that a write fetches or refers to."""

from datetime import datetime
from typing import TypeAlias

from django.db import IntegrityError

from blog_engine.actor import Actor, Scope
from blog_engine.errors import ImageNotPermitted, NotFound
from blog_engine.images.fetched import fetch_image
from blog_engine.images.files import ImageFiles, image_files
from blog_engine.images.inspect import InspectedImage, inspect_image
from blog_engine.images.links import read_signed_file
from blog_engine.inputs.images import UploadImage
from blog_engine.inputs.posts import ImageReference
from blog_engine.models import Image
from blog_engine.queries.images import image_at, image_of_digest, is_own_media
from blog_engine.services._transaction import savepoint, write_transaction

Gathered: TypeAlias = InspectedImage | int
"""An image that a write brings: its bytes, or the id of a stored one."""


def gather(sent: ImageReference | None) -> Gathered | None:
    """Fetch the image at a URL or read the host's file; never call it inside a transaction.

    An ``image_id`` stays a number, which ``stored_image`` looks up. Raises ``ImageNotPermitted``.
    """
    if sent is None:
        return None
    if sent.url is not None:
        return _gather_url(sent.url)
    if sent.signed_id is not None:
        return read_signed_file(sent.signed_id)
    return sent.image_id


def _gather_url(url: str) -> Gathered:
    """Fetch the image at a URL, or find the stored one when the URL is under this blog's ``<mount>/media/``.

    Raises ``ImageNotPermitted``, also for media of this blog that are not stored. Never call it inside a transaction.
    """
    if not is_own_media(url):
        return fetch_image(url)
    image = image_at(url)
    if image is None:
        raise ImageNotPermitted(
            hint="The url is one of this blog's own media, but no image has it: upload the file, or send an image_id."
        )
    return image.pk


def stored_image(gathered: Gathered, *, files: ImageFiles, actor_name: str | None, now: datetime) -> Image:
    """Return the row of an image, and write its file when the bytes are new; call it inside the transaction.

    Known bytes give the stored image unchanged; its file is written again when it was lost. Of two writers with the
    same new bytes, the second waits at the row until the first one's file is there, or is gone again with its row.
    Raises ``NotFound`` for an unknown id.
    """
    if isinstance(gathered, int):
        by_id = Image.objects.filter(pk=gathered).first()
        if by_id is None:
            raise NotFound(hint="No image has that image_id: upload the image to get its id, or send its url instead.")
        return by_id
    known = image_of_digest(gathered.sha256)
    if known is None:
        return _new(gathered, files=files, actor_name=actor_name, now=now)
    files.restore(gathered)
    return known


def _new(image: InspectedImage, *, files: ImageFiles, actor_name: str | None, now: datetime) -> Image:
    row = Image(
        sha256=image.sha256,
        filename=image.filename,
        content_type=image.content_type,
        byte_size=len(image.data),
        width=image.width,
        height=image.height,
        is_animated=image.is_animated,
        has_location=image.has_location,
        source_url=image.source_url,
        uploaded_by=actor_name,
        created_at=now,
    )
    try:
        with savepoint():
            row.save()
    except IntegrityError:
        stored_meanwhile = image_of_digest(image.sha256)
        if stored_meanwhile is None:
            raise
        return stored_meanwhile
    files.write(image)
    return row


def store_image(data: UploadImage, *, actor: Actor, now: datetime) -> Image:
    """Store an uploaded image, or import the one at a URL.

    A URL of this blog's own media gives the stored image and is not fetched; so do known bytes. Raises
    ``ScopeRequired`` before anything is fetched, ``ImageNotPermitted``, or ``Unavailable`` when the storage fails;
    then nothing is stored.
    """
    actor.require(Scope.WRITE)
    return _store(_gathered(data), actor=actor, now=now)


def store_inspected(image: InspectedImage, *, actor: Actor, now: datetime) -> Image:
    """Store an image that was fetched or read before; known bytes give the stored image.

    Raises ``ScopeRequired``, or ``Unavailable`` when the storage fails; then nothing is stored.
    """
    actor.require(Scope.WRITE)
    return _store(image, actor=actor, now=now)


def _store(image: Gathered, *, actor: Actor, now: datetime) -> Image:
    with write_transaction(), image_files() as files:
        return stored_image(image, files=files, actor_name=actor.name, now=now)


def _gathered(data: UploadImage) -> Gathered:
    if data.file is None:
        return _gather_url(data.url or "")
    return inspect_image(data.file.data, filename=data.file.filename, declared_type=data.file.content_type)
