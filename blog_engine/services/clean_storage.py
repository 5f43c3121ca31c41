"""Image files that no image refers to: found and removed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import IntegrityError

from blog_engine.images.files import image_folders, image_storage
from blog_engine.models import Image
from blog_engine.queries.images import stored_digests
from blog_engine.services._transaction import roll_back, savepoint, write_transaction


@dataclass(frozen=True, slots=True)
class Leftover:
    """Files in the folder of images that no image refers to."""

    sha256: str | None
    """The digest in their names; ``None`` for a file that the blog did not write."""
    names: list[str]


@dataclass(frozen=True, slots=True)
class Removal:
    """What happened to the files of a leftover; files of an image that was stored meanwhile are in neither list."""

    removed: list[str] = field(default_factory=list)
    failed: dict[str, Exception] = field(default_factory=dict)


def find_leftovers() -> Iterator[Leftover]:
    """Yield the files that no image refers to, folder by folder; an upload in progress can still need one of them.

    Raises ``Unavailable`` when the storage cannot be listed.
    """
    for folder in image_folders():
        yield from (Leftover(None, [name]) for name in folder.strangers)
        stored = stored_digests(folder.prefix) if folder.images else set()
        yield from (Leftover(sha256, names) for sha256, names in folder.images.items() if sha256 not in stored)


def remove_leftover(leftover: Leftover) -> Removal:
    """Remove the files of a digest unless an image has it by now; files that the blog did not write stay.

    A row that is inserted and rolled back holds the digest meanwhile: of two writers with one digest, the second waits
    at the unique index until the first has ended. So an upload in progress ends first, and its file stays; one that
    begins now finds no file and writes its own.
    """
    removal = Removal()
    if leftover.sha256 is None:
        return removal
    with write_transaction():
        if _hold_digest(leftover.sha256):
            for name in leftover.names:
                _remove(name, removal)
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


def _remove(name: str, removal: Removal) -> None:
    storage = image_storage()
    try:
        # Another process may be cleaning at the same time.
        if storage.exists(name):
            storage.delete(name)
            removal.removed.append(name)
    except Exception as fault:
        # Django names no exceptions for storages; the other files can still be removed.
        removal.failed[name] = fault
