"""Image files that no image refers to, and drawn pictures that no post shows: found and removed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import IntegrityError

from blog_engine.conf import get_settings
from blog_engine.images.files import image_folders, image_storage
from blog_engine.images.social import picture_files
from blog_engine.models import Image
from blog_engine.queries.image_uses import ids_without_image
from blog_engine.queries.images import stored_digests
from blog_engine.services._transaction import roll_back, savepoint, write_transaction


@dataclass(frozen=True, slots=True)
class Leftover:
    """Files in the folders of the blog that nothing refers to."""

    names: list[str]
    sha256: str | None = None
    """The digest in the names of files of an image."""
    is_ours: bool = True
    """Whether the blog wrote them."""


@dataclass(frozen=True, slots=True)
class Removal:
    """The result for the files of a leftover; files of an image that was stored meanwhile are in neither list."""

    removed: list[str] = field(default_factory=list)
    failed: dict[str, Exception] = field(default_factory=dict)


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
    """Remove the files of a digest unless an image has it by now; files that the blog did not write stay.

    A drawn picture that a post shows by now is drawn again. For images, a row that is inserted and rolled back holds
    the digest meanwhile: of two writers with one digest, the second waits at the unique index until the first has
    ended. So an upload in progress ends first, and its file stays; one that begins now finds no file and writes its
    own.
    """
    removal = Removal()
    if not leftover.is_ours:
        return removal
    if leftover.sha256 is None:
        _remove_all(leftover, removal)
        return removal
    with write_transaction():
        if _hold_digest(leftover.sha256):
            _remove_all(leftover, removal)
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


def _remove_all(leftover: Leftover, removal: Removal) -> None:
    storage = image_storage()
    for name in leftover.names:
        try:
            # Another process may be cleaning at the same time.
            if storage.exists(name):
                storage.delete(name)
                removal.removed.append(name)
        except Exception as fault:
            # Django names no exceptions for storages; the other files can still be removed.
            removal.failed[name] = fault
