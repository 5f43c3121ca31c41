"""Writes that store images, and the removal of files that no image refers to."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.db import IntegrityError

from blog_engine.images.files import DryImageFiles, ImageFiles, files_of_write, image_storage
from blog_engine.models import Image
from blog_engine.services._transaction import roll_back, savepoint, write_transaction

logger = logging.getLogger("blog_engine")


@contextmanager
def writing_images(*, dry_run: bool = False) -> Iterator[ImageFiles]:
    """Open a ``write_transaction``, and yield the image files of the write; it leaves none when it fails.

    With ``dry_run`` no file is written.
    """
    files = DryImageFiles() if dry_run else files_of_write()
    try:
        with write_transaction():
            yield files
    except BaseException:
        remove_created(files)
        raise


def remove_created(files: ImageFiles) -> None:
    """Remove the files of a write that is rolled back, but those whose bytes another writer stored; never raise.

    Inside the transaction it would be too early: after an error of the database its locks are gone, and another
    writer can have found the file already. Files that cannot be removed are logged.
    """
    for sha256, names in files.created().items():
        try:
            failed = remove_unless_stored(names, sha256).failed
        except Exception as fault:
            # Of the database, or of one that the host routes to; what made the write fail must reach the caller.
            failed = dict.fromkeys(names, fault)
        for name, reason in failed.items():
            logger.error("The unused image file %s could not be removed.", name, exc_info=reason)


@dataclass(frozen=True, slots=True)
class Removal:
    """The result for the files of a leftover; files of an image that was stored meanwhile are in neither list."""

    removed: list[str] = field(default_factory=list)
    failed: dict[str, Exception] = field(default_factory=dict)


def remove_unless_stored(names: Sequence[str], sha256: str) -> Removal:
    """Remove the files of a digest unless an image has it by now.

    A row that is inserted and rolled back holds the digest meanwhile: of two writers with one digest, the second waits
    at the unique index until the first has ended. So an upload in progress ends first, and its file stays; one that
    begins now finds no file and writes its own.
    """
    with write_transaction():
        removal = remove_files(names) if _hold_digest(sha256) else Removal()
        roll_back()
    return removal


def _hold_digest(sha256: str) -> bool:
    """Keep other writers from storing these bytes until the transaction ends; return whether no image has them."""
    row = Image(sha256=sha256, filename="", content_type="", byte_size=0, width=1, height=1)
    try:
        with savepoint():
            # Without the signals that a host may listen to: this image never was.
            Image.objects.bulk_create([row])
    except IntegrityError:
        return False
    return True


def remove_files(names: Sequence[str]) -> Removal:
    """Remove files from the storage."""
    storage, removal = image_storage(), Removal()
    for name in names:
        try:
            # Another process may be cleaning at the same time.
            if storage.exists(name):
                storage.delete(name)
                removal.removed.append(name)
        except Exception as fault:
            # Django names no exceptions for storages; the other files can still be removed.
            removal.failed[name] = fault
    return removal
