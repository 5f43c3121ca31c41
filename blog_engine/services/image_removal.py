"""Removing an image that nothing uses, such as a private photo that was uploaded by mistake."""

import logging
from dataclasses import dataclass, field
from typing import Final

from django.db import IntegrityError

from blog_engine.actor import Actor, Scope
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.images.files import file_name, files_of_image
from blog_engine.models import Image, UploadTicket
from blog_engine.models.protection import delete_history
from blog_engine.queries.image_removal import keepers_of
from blog_engine.services._transaction import after_commit, savepoint, write_transaction
from blog_engine.services.images import Leftover, remove_leftover

logger = logging.getLogger("blog_engine")

_KEPT: Final = "Something uses this image, or the history names it: it stays."


@dataclass(slots=True)
class RemovedImage:
    """An image that was removed, and what is left of its files."""

    filename: str
    files_left: list[str] = field(default_factory=list)
    """The files that the storage did not delete after the commit, which ``blog_doctor --clean-storage`` removes."""


def remove_image(image_id: int, *, actor: Actor) -> RemovedImage:
    """Remove an image that nothing uses and that the history does not name; its files go after the commit.

    Versions of drafts and removed drafts that name it lose it. A write that takes the image at the same time is refused
    with ``Busy`` or ``NotFound``, or this call is refused. Raises ``ScopeRequired``, ``NotFound``, or
    ``ValidationFailed`` naming no field while something keeps the image.
    """
    actor.require(Scope.PUBLISH)
    with write_transaction():
        # Foreign keys to the row, and writes that name its digest, wait for this lock.
        image = Image.objects.select_for_update(of=("self",)).filter(pk=image_id).first()
        if image is None:
            raise NotFound(hint="No image has that image_id.")
        if not keepers_of(image).are_none:
            raise ValidationFailed(hint=_KEPT)
        UploadTicket.objects.filter(image=image).delete()
        _delete_row(image)
        removed = RemovedImage(image.filename)
        after_commit(lambda: _delete_files(image, removed))
    logger.info("The image %s (%s) was removed by %s.", image.pk, image.sha256, actor.name)
    return removed


def _delete_row(image: Image) -> None:
    try:
        with savepoint():
            delete_history(Image.objects.filter(pk=image.pk))
    except IntegrityError as fault:
        # The trigger reads the history once more: a record that names the image was stored since we looked.
        raise ValidationFailed(hint=_KEPT) from fault


def _delete_files(image: Image, removed: RemovedImage) -> None:
    """Delete the files unless the same bytes were stored again meanwhile; note and log what cannot be deleted."""
    try:
        removal = remove_leftover(Leftover(files_of_image(image.sha256), image.sha256))
    except Exception:
        # Exceptions differ by storage, and the image is gone already: its files are those of no image now.
        logger.exception("The files of the removed image %s could not be deleted.", image.sha256)
        removed.files_left.append(file_name(image.sha256, image.content_type))
        return
    for name, fault in removal.failed.items():
        logger.error("The file %s of a removed image could not be deleted.", name, exc_info=fault)
        removed.files_left.append(name)
