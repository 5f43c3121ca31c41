"""Storing images, and removing files that no image and no post refers to."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from django.db import IntegrityError

from blog_engine.actor import Actor, Scope
from blog_engine.conf import get_settings
from blog_engine.errors import ImageNotPermitted, NotFound
from blog_engine.images.fetched import fetch_image
from blog_engine.images.files import ImageFiles, image_folders
from blog_engine.images.inspect import InspectedImage, inspect_image
from blog_engine.images.links import read_signed_file
from blog_engine.images.shared import store_shared_copy, with_shared_copy
from blog_engine.images.social import picture_files
from blog_engine.inputs.images import UploadImage
from blog_engine.inputs.posts import ImageReference
from blog_engine.models import Image
from blog_engine.queries.image_uses import ids_without_image
from blog_engine.queries.images import image_at, is_own_media, stored_digests
from blog_engine.services._held_images import held_image
from blog_engine.services._transaction import savepoint
from blog_engine.services.image_origin import (
    NOTHING_SENT,
    SentOrigin,
    origin_columns,
    read_origin,
    said_origin,
    sent_columns,
    set_sent_origin,
)
from blog_engine.services.shared_copies import shared_columns
from blog_engine.services.writing_images import Removal, remove_files, remove_unless_stored, writing_images

Gathered: TypeAlias = InspectedImage | int
"""An image that a write brings: its bytes, or the id of a stored one."""


def gather(sent: ImageReference) -> Gathered | None:
    """Fetch the image at a URL or read the host's file; never call it inside a transaction.

    An ``image_id`` stays a number, which ``stored_image`` looks up. Raises ``ImageNotPermitted``.
    """
    if sent.url is not None:
        return ready_to_store(_gather_url(sent.url))
    if sent.signed_id is not None:
        return ready_to_store(read_signed_file(sent.signed_id))
    return sent.image_id


def ready_to_store(gathered: Gathered, sent: SentOrigin = NOTHING_SENT) -> Gathered:
    """Return an image with its copy for networks and feeds; never call it inside a transaction."""
    if isinstance(gathered, int):
        return gathered
    return with_shared_copy(gathered, said=said_origin(gathered.origin, sent))


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


def stored_image(
    gathered: Gathered,
    *,
    files: ImageFiles,
    actor_name: str | None,
    now: datetime,
    sent: SentOrigin = NOTHING_SENT,
) -> Image:
    """Return the row of an image, and write its file when the bytes are new; call it inside the transaction.

    Known bytes give the stored image, changed only by what was ``sent`` of its origin, or by what its file says if no
    process has read that; its file is written again when it was lost. Its removal waits for the
    transaction. Of two writers with the same new bytes, the second waits at the row until the first one's file is
    there, or is gone again with its row. Raises ``NotFound`` for an unknown id.
    """
    if isinstance(gathered, int):
        by_id = held_image(column="id", value=gathered)
        if by_id is None:
            raise NotFound(hint="No image has that image_id: upload the image to get its id, or send its url instead.")
        set_sent_origin(by_id, sent)
        return by_id
    known = held_image(column="sha256", value=gathered.sha256)
    if known is None:
        return _new(gathered, files=files, actor_name=actor_name, now=now, sent=sent)
    files.restore(gathered)
    read_origin(known, gathered.origin)
    set_sent_origin(known, sent)
    return known


def _new(image: InspectedImage, *, files: ImageFiles, actor_name: str | None, now: datetime, sent: SentOrigin) -> Image:
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
        **origin_columns(image.origin),
        **(shared_columns(image.shared) if image.shared else {}),
    )
    for name, value in sent_columns(sent, in_file=row.source_type_in_file).items():
        setattr(row, name, value)
    try:
        with savepoint():
            row.save()
    except IntegrityError:
        stored_meanwhile = held_image(column="sha256", value=image.sha256)
        if stored_meanwhile is None:
            raise
        set_sent_origin(stored_meanwhile, sent)
        return stored_meanwhile
    files.write(image)
    if image.shared:
        store_shared_copy(row, image.shared, files=files)
    return row


def store_image(data: UploadImage, *, actor: Actor, now: datetime) -> Image:
    """Store an uploaded image, or import the one at a URL.

    A URL of this blog's own media gives the stored image and is not fetched; so do known bytes. Raises
    ``ScopeRequired`` before anything is fetched, ``ImageNotPermitted``, or ``Unavailable`` when the storage fails;
    then nothing is stored.
    """
    actor.require(Scope.WRITE)
    image = ready_to_store(_gathered(data), data.sent_origin)
    return _store(image, actor=actor, now=now, sent=data.sent_origin)


def store_inspected(image: InspectedImage, *, actor: Actor, now: datetime, sent: SentOrigin = NOTHING_SENT) -> Image:
    """Store an image that was fetched or read before; known bytes give the stored image, as for ``stored_image``.

    Raises ``ScopeRequired``, or ``Unavailable`` when the storage fails; then nothing is stored.
    """
    actor.require(Scope.WRITE)
    return _store(ready_to_store(image, sent), actor=actor, now=now, sent=sent)


def _store(image: Gathered, *, actor: Actor, now: datetime, sent: SentOrigin = NOTHING_SENT) -> Image:
    with writing_images() as files:
        return stored_image(image, files=files, actor_name=actor.name, now=now, sent=sent)


def _gathered(data: UploadImage) -> Gathered:
    if data.file is None:
        return _gather_url(data.url or "")
    return inspect_image(data.file.data, filename=data.file.filename, declared_type=data.file.content_type)


@dataclass(frozen=True, slots=True)
class Leftover:
    """Files in the folders of the blog that nothing refers to."""

    names: list[str]
    sha256: str | None = None
    """The digest in the names of files of an image."""
    is_ours: bool = True
    """Whether the blog wrote them."""


def find_leftovers() -> Iterator[Leftover]:
    """Yield the files that nothing refers to, folder by folder; an upload in progress can still need one of them.

    Raises ``Unavailable`` when the storage cannot be listed.
    """
    for folder in image_folders():
        yield from (Leftover([name], is_ours=False) for name in folder.strangers)
        stored = stored_digests(folder.prefix) if folder.images else set()
        yield from (Leftover(names, sha256) for sha256, names in folder.images.items() if sha256 not in stored)
    pictures = list(picture_files())
    posts = {picture.post_id for picture in pictures if picture.post_id}
    shown = ids_without_image(posts) if get_settings().social_pictures.enabled else set()
    yield from (Leftover([one.name], is_ours=one.is_ours) for one in pictures if one.post_id not in shown)


def remove_leftover(leftover: Leftover) -> Removal:
    """Remove the files of a leftover unless an image has its digest by now; files that the blog did not write stay.

    A drawn picture that a post shows by now is drawn again.
    """
    if not leftover.is_ours:
        return Removal()
    if leftover.sha256 is None:
        return remove_files(leftover.names)
    return remove_unless_stored(leftover.names, leftover.sha256)
