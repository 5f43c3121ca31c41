"""Image files in the storage: written, named, listed."""

import hashlib
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import File
from django.core.files.storage import Storage, storages
from django.core.files.uploadedfile import SimpleUploadedFile

from blog_engine.conf import get_settings
from blog_engine.content.figures import VARIANT_TYPES
from blog_engine.errors import Refusal, Unavailable
from blog_engine.images._decoding import SUFFIXES
from blog_engine.images.inspect import InspectedImage
from blog_engine.models import Image

logger = logging.getLogger("blog_engine")

FOLDER: Final = "blog_engine/images"
"""Where originals and their variants are kept in the storage; nothing else is."""


def image_storage() -> Storage:
    """The storage the host chose in ``BLOG_ENGINE["storage"]``."""
    return storages[get_settings().storage]


def file_name(sha256: str, content_type: str) -> str:
    """The name of an original in the storage."""
    return f"{folder_of(sha256)}/{sha256}.{SUFFIXES[content_type]}"


def folder_of(sha256: str) -> str:
    """Where the files of an image are: each name begins with the digest."""
    return f"{FOLDER}/{sha256[:2]}"


def open_original(image: Image) -> "File[bytes]":
    """The stored bytes. Raises ``FileNotFoundError``, or what the storage raises when it is out of reach."""
    return image_storage().open(file_name(image.sha256, image.content_type), "rb")


def save_file(storage: Storage, name: str, data: bytes, *, content_type: str) -> str:
    """Save a file; the name that the storage gives it. An object storage will serve it as ``content_type``."""
    return storage.save(name, SimpleUploadedFile(name, data, content_type=content_type))


@contextmanager
def unavailable_on_fault(message: str) -> Iterator[None]:
    """Raise ``Unavailable`` for what goes wrong with the storage in this block, and log it with ``message``.

    Refusals pass, and so does ``ImproperlyConfigured``, which is the host's own mistake.
    """
    try:
        yield
    except (ImproperlyConfigured, Refusal):
        raise
    except Exception as fault:
        # Django names no exceptions for storages: boto3, google-cloud, Azure and the file system each raise their own.
        logger.exception(message)
        raise Unavailable from fault


class ImageFiles:
    """The files that one write makes, so that a write that fails takes them away again."""

    def __init__(self) -> None:
        self._created: list[str] = []

    def write(self, image: InspectedImage) -> None:
        """Make sure that the bytes are stored under their digest.

        A whole file that is there already is kept; what a crash left of one is replaced. Raises ``Unavailable`` when
        the storage cannot be used.
        """
        storage = image_storage()
        name = file_name(image.sha256, image.content_type)
        with unavailable_on_fault(f"The image file {name} could not be stored."):
            if storage.exists(name):
                if digest_of(storage, name) == image.sha256:
                    return
                storage.delete(name)
            self._create(storage, name, image)

    def restore(self, image: InspectedImage) -> None:
        """Write the file of a stored image again when it is lost or has another size.

        It stays when the write fails, because its row does. Raises ``Unavailable`` as ``write`` does.
        """
        storage = image_storage()
        name = file_name(image.sha256, image.content_type)
        with unavailable_on_fault(f"The image file {name} could not be restored."):
            if storage.exists(name):
                if storage.size(name) == len(image.data):
                    return
                storage.delete(name)
            logger.warning("The image file %s was lost and is written again.", name)
            stored = save_file(storage, name, image.data, content_type=image.content_type)
            if stored != name:
                # Another writer was faster, with the same bytes.
                storage.delete(stored)

    def undo(self) -> None:
        """Remove the files that this object created; a file that cannot be removed is logged."""
        for name in reversed(self._created):
            try:
                image_storage().delete(name)
            except Exception:
                # Of any storage, as above; and the caller is already failing for the reason that must be told.
                logger.exception("The unused image file %s could not be removed.", name)
        self._created.clear()

    def _create(self, storage: Storage, name: str, image: InspectedImage) -> None:
        self._created.append(name)
        stored = save_file(storage, name, image.data, content_type=image.content_type)
        if stored != name:
            self._created[-1] = stored
            logger.error("The storage keeps %s as %s: image files need their own names.", name, stored)
            raise Unavailable


class DryImageFiles(ImageFiles):
    """Takes images and stores nothing, for a rehearsal."""

    def write(self, image: InspectedImage) -> None:
        """Store nothing."""

    def restore(self, image: InspectedImage) -> None:
        """Store nothing."""


@contextmanager
def image_files() -> Iterator[ImageFiles]:
    """The files of one write; use it inside the write's transaction.

    On any exception the files go before the transaction rolls back. While it is open the unique digest of the image
    row keeps every other writer of the same bytes waiting; one that went on earlier could find a file that is about
    to disappear.
    """
    files = ImageFiles()
    try:
        yield files
    except BaseException:
        files.undo()
        raise


def digest_of(storage: Storage, name: str) -> str:
    """Return the SHA-256 of a file, which is read in pieces. Raises what the storage raises."""
    digest = hashlib.sha256()
    with storage.open(name, "rb") as file:
        for chunk in file.chunks():
            digest.update(chunk)
    return digest.hexdigest()


_PREFIX: Final = re.compile("[0-9a-f]{2}")

_VARIANTS: Final = "|".join(VARIANT_TYPES)
# An original, a variant and its note. Storages put _ and some letters before the suffix when a name is taken.
_OURS: Final = re.compile(
    rf"(?P<sha256>[0-9a-f]{{64}})"
    rf"(?:(?:_\w+)?\.(?:{'|'.join(SUFFIXES.values())})"
    rf"|-w[0-9]+-[0-9a-f]{{16}}(?:_\w+)?\.(?:{_VARIANTS})"
    rf"|-w[0-9]+-(?:{_VARIANTS})(?:_\w+)?\.txt)",
    re.ASCII,
)


@dataclass(slots=True)
class ListedImage:
    """One folder of the storage: the files of each image by its digest, and names that are not of our making.

    ``prefix`` is what the digests begin with; empty for the folder above those of the images.
    """

    prefix: str = ""
    images: dict[str, list[str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)


def listed_folders() -> Iterator[ListedImage]:
    """The folders of the engine, one after the other, so that no more than a 256th part is in memory.

    Folders of others are not opened; their names end in a slash. Raises ``Unavailable`` when the storage cannot be
    listed.
    """
    storage = image_storage()
    folders, files = _list(storage, FOLDER)
    prefixes = sorted(name for name in folders if _PREFIX.fullmatch(name))
    others = sorted(set(folders) - set(prefixes))
    yield ListedImage(strangers=[f"{FOLDER}/{name}" for name in (*files, *(f"{other}/" for other in others))])
    for prefix in prefixes:
        yield _folder(storage, prefix)


@dataclass(frozen=True, slots=True)
class WrongFile:
    """An image whose file is not what its row says: its name in the storage, and what is wrong.

    ``fault`` is what the storage raised, if it did.
    """

    name: str
    filename: str
    problem: str
    fault: Exception | None = None


def compare_files() -> Iterator[WrongFile | None]:
    """Compare the file of every image with its row; ``None`` for one that is right.

    Rows come in portions and files in pieces, so that memory does not grow with them.
    """
    storage = image_storage()
    columns = ("sha256", "content_type", "byte_size", "filename")
    for sha256, content_type, size, filename in Image.objects.order_by("pk").values_list(*columns).iterator(500):
        name = file_name(sha256, content_type)
        try:
            problem = _problem_of(storage, name, sha256=sha256, size=size)
        except Exception as fault:
            # Django names no exceptions for storages, and the other files can still be compared.
            yield WrongFile(name, filename, "cannot be read", fault)
        else:
            yield WrongFile(name, filename, problem) if problem else None


def _problem_of(storage: Storage, name: str, *, sha256: str, size: int) -> str | None:
    if not storage.exists(name):
        return "is missing"
    found = storage.size(name)
    if found != size:
        return f"has {found} bytes instead of {size}"
    return None if digest_of(storage, name) == sha256 else "has other bytes"


def _folder(storage: Storage, prefix: str) -> ListedImage:
    path = f"{FOLDER}/{prefix}"
    folders, files = _list(storage, path)
    listed = ListedImage(prefix, strangers=[f"{path}/{name}/" for name in sorted(folders)])
    for name in files:
        ours = _OURS.fullmatch(name)
        if ours and name.startswith(prefix):
            listed.images.setdefault(ours["sha256"], []).append(f"{path}/{name}")
        else:
            listed.strangers.append(f"{path}/{name}")
    return listed


def _list(storage: Storage, path: str) -> tuple[list[str], list[str]]:
    """Folders and files in a folder; none when there is no such folder, as before the first image."""
    with unavailable_on_fault(f"The folder {path} of the storage could not be listed."):
        try:
            folders, files = storage.listdir(path)
        except FileNotFoundError:
            return [], []
    # Some object storages list the folder itself, without a name.
    return [name for name in folders if name.strip("./")], sorted(name for name in files if name.strip("./"))
