"""Storing images: uploads, and those that a write fetches or refers to."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import TypeAlias

from django.db import IntegrityError

from blog_engine.actor import Actor, Scope
from blog_engine.conf import get_settings
from blog_engine.errors import ImageNotPermitted, NotFound
from blog_engine.images.fetched import fetch_digests, fetch_image
from blog_engine.images.files import ImageFiles, image_files
from blog_engine.images.inspect import InspectedImage, inspect_image
from blog_engine.images.links import read_signed_file
from blog_engine.inputs.images import UploadImage
from blog_engine.inputs.posts import ContentFields, ImageReference, SavePost
from blog_engine.models import Image, Post
from blog_engine.queries.images import body_source_digest, external_images, image_at, image_of_digest, is_own_media
from blog_engine.queries.rendering import rendering_key
from blog_engine.services._bodies import Bodies
from blog_engine.services._transaction import savepoint, write_transaction

Gathered: TypeAlias = InspectedImage | int
"""An image that a write brings: its bytes, or the id of a stored one."""


@dataclass(frozen=True, slots=True)
class PostImages:
    """What one write to a post brings: its two images, and the digests of external images of the body by address."""

    cover: Gathered | None = None
    social: Gathered | None = None
    body_digests: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


NO_IMAGES = PostImages()


def gather(sent: ImageReference | None) -> Gathered | None:
    """Fetch the address or read the host's file; never call it inside a transaction.

    An ``image_id`` stays a number, which ``stored_image`` looks up. Raises ``ImageNotPermitted``.
    """
    if sent is None:
        return None
    if sent.url is not None:
        return gather_url(sent.url)
    if sent.signed_id is not None:
        return read_signed_file(sent.signed_id)
    return sent.image_id


def gather_url(url: str) -> Gathered:
    """Fetch the image at a URL, or find the stored one when the URL is under this blog's own `<mount>/media/`.

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


def gather_for(data: ContentFields, *, bodies: Bodies, look_up: Callable[[], Post | None]) -> PostImages:
    """Gather what a write to a post brings, and prepare its body.

    ``look_up`` finds the post without locking it, ``None`` for a new one, and raises what the write itself would:
    nobody makes the blog fetch or render for a write that is refused. It is asked only when there is something to
    fetch, to read or to render. External images of a body are fetched when the write changes the body (records.md 6);
    one that cannot be fetched has no digest. Raises ``ImageNotPermitted`` for the cover and the social image.
    """
    stored = look_up() if _needs_post(data) else None
    return PostImages(
        cover=gather(data.cover_image),
        social=gather(data.social_image),
        body_digests=_prepared_digests(data, stored=stored, bodies=bodies) if _needs_post(data) else {},
    )


def stored_image(gathered: Gathered, *, files: ImageFiles, actor_name: str | None, now: datetime) -> Image:
    """The row of an image, and its file when the bytes are new; call it inside the transaction.

    Known bytes give the stored image unchanged; its file is written again when it is lost. Of two writers with the
    same new bytes the second one waits at the row until the first one's file is there, or is gone again with its row.
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


def _needs_post(data: ContentFields) -> bool:
    images = (data.cover_image, data.social_image)
    brings_image = any(image is not None and image.image_id is None for image in images)
    # A post that is new has a body, if an empty one; another format reads the stored body anew.
    return brings_image or isinstance(data, SavePost) or data.body is not None or data.body_format is not None


def _prepared_digests(data: ContentFields, *, stored: Post | None, bodies: Bodies) -> Mapping[str, str]:
    """Prepare the body of the write, unless its rendering is stored, and fetch the external images of a changed one."""
    settings = get_settings()
    body = data.body if data.body is not None else stored.body if stored else ""
    body_format = data.body_format or (stored.body_format if stored else settings.default_body_format)
    is_refused = data.body_format is not None and data.body_format not in settings.body_formats
    if is_refused or len(body.encode()) > settings.max_body_bytes:
        return {}
    if data.body is not None or data.body_format is not None:
        bodies.check(body, body_format)
    is_stored = stored is not None and stored.body_image_source_digest == body_source_digest(body, body_format)
    if stored is not None and is_stored and stored.rendered_with == rendering_key():
        return {}
    prepared = bodies.prepare(body, body_format)
    return {} if is_stored else fetch_digests(external_images(prepared.rendered))


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
