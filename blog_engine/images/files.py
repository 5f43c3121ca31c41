"""Image files in the storage: name, write, list and compare them."""

import hashlib
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import File
from django.core.files.storage import Storage, storages
from django.core.files.uploadedfile import SimpleUploadedFile

from blog_engine.conf import get_settings
from blog_engine.content.figures import SHARED_TYPES, SHARED_WIDTH, VARIANT_TYPES
from blog_engine.errors import Refusal, Unavailable
from blog_engine.models import Image

if TYPE_CHECKING:
    from blog_engine.images.inspect import InspectedImage

logger = logging.getLogger("blog_engine")

SUFFIXES: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/avif": "avif",
}
"""Suffixes of stored files by media type."""

FOLDER: Final = "blog_engine/images"
"""The folder of originals and variants in the storage; it contains nothing else."""

_PREFIX: Final = re.compile("[0-9a-f]{2}")

_VARIANTS: Final = "|".join(VARIANT_TYPES)
_COPIES: Final = "|".join(SHARED_TYPES)
# An original, a variant or copy and its note. Storages insert _ and some letters before the suffix of a taken name.
_OURS: Final = re.compile(
    rf"(?P<sha256>[0-9a-f]{{64}})"
    rf"(?:(?:_\w+)?\.(?:{'|'.join(SUFFIXES.values())})"
    rf"|-w[0-9]+-[0-9a-f]{{16}}(?:_\w+)?\.(?:{_VARIANTS})"
    rf"|-w[0-9]+(?:-[0-9a-f]{{8}})?-(?:{_VARIANTS})(?:_\w+)?\.txt"
    rf"|-w{SHARED_WIDTH}-[0-9a-f]{{16}}(?:_\w+)?\.(?:{_COPIES})"
    rf"|-w{SHARED_WIDTH}(?:-[0-9a-f]{{8}})?-(?:{_COPIES})(?:_\w+)?\.txt)",
    re.ASCII,
)


def image_storage() -> Storage:
    """Return the storage of the setting ``storage``."""
    return storages[get_settings().storage]


def file_name(sha256: str, content_type: str) -> str:
    """Return the name of an original in the storage."""
    return f"{folder_of(sha256)}/{sha256}.{SUFFIXES[content_type]}"


def folder_of(sha256: str) -> str:
    """Return the folder of an image; the names of its files start with the digest."""
    return f"{FOLDER}/{sha256[:2]}"


def open_original(image: Image) -> "File[bytes]":
    """Open the original. Raises ``FileNotFoundError`` or an exception of the storage."""
    return image_storage().open(file_name(image.sha256, image.content_type), "rb")


def save_file(storage: Storage, name: str, data: bytes, *, content_type: str) -> str:
    """Save a file and return the name that the storage gave it.

    An object storage serves the file as ``content_type``.
    """
    return storage.save(name, SimpleUploadedFile(name, data, content_type=content_type))


@contextmanager
def unavailable_on_fault(message: str) -> Iterator[None]:
    """Log an exception of the storage with ``message``, and raise ``Unavailable``.

    Refusals and ``ImproperlyConfigured``, which is a mistake of the host, are raised unchanged.
    """
    try:
        yield
    except (ImproperlyConfigured, Refusal):
        raise
    except Exception as fault:
        # Django defines no exceptions for storages: boto3, google-cloud, Azure and the file system raise their own.
        logger.exception(message)
        raise Unavailable from fault


class ImageFiles:
    """The files that a write creates."""

    def __init__(self) -> None:
        self._created: list[str] = []

    def created(self) -> dict[str, list[str]]:
        """Return the names of the created files, the last ones first, by the digest of their image."""
        by_digest = dict[str, list[str]]()
        for name in reversed(self._created):
            by_digest.setdefault(name.rpartition("/")[2][:64], []).append(name)
        return by_digest

    def write(self, image: "InspectedImage") -> None:
        """Store the bytes under their digest.

        A complete file is kept; a partial one that a crash left is replaced. Raises ``Unavailable`` when the storage
        fails.
        """
        storage = image_storage()
        name = file_name(image.sha256, image.content_type)
        with unavailable_on_fault(f"The image file {name} could not be stored."):
            if storage.exists(name):
                if _sha256_of(storage, name) == image.sha256:
                    return
                storage.delete(name)
            self._create(storage, name, image)

    def restore(self, image: "InspectedImage") -> None:
        """Write the file of a stored image again if it is missing or has another size.

        It does not count as created, because its row stays (images.storage.restored). Raises ``Unavailable`` when the
        storage fails.
        """
        storage = image_storage()
        name = file_name(image.sha256, image.content_type)
        with unavailable_on_fault(f"The image file {name} could not be restored."):
            if storage.exists(name):
                if storage.size(name) == len(image.data):
                    return
                storage.delete(name)
            logger.warning("The image file %s was missing or damaged; it is written again.", name)
            stored = save_file(storage, name, image.data, content_type=image.content_type)
            if stored != name:
                # Another process was faster, with the same bytes.
                storage.delete(stored)

    def write_beside(self, name: str, data: bytes, *, content_type: str) -> str | None:
        """Store a file that can be made again, and return its name; ``None`` if the storage fails, which is logged."""
        storage = image_storage()
        try:
            if storage.exists(name):
                # No row had the image: a process died while it wrote this.
                storage.delete(name)
            self._created.append(name)
            self._created[-1] = save_file(storage, name, data, content_type=content_type)
        except Exception:
            # Exceptions differ by storage, and the image is stored.
            logger.exception("The image file %s could not be stored.", name)
            return None
        return self._created[-1]

    def _create(self, storage: Storage, name: str, image: "InspectedImage") -> None:
        self._created.append(name)
        stored = save_file(storage, name, image.data, content_type=image.content_type)
        if stored != name:
            self._created[-1] = stored
            logger.error("The storage saved %s as %s: it must keep the names of image files.", name, stored)
            raise Unavailable


class DryImageFiles(ImageFiles):
    """Stores nothing: for a dry run."""

    def write(self, image: "InspectedImage") -> None:
        """Store nothing."""

    def write_beside(self, name: str, data: bytes, *, content_type: str) -> str | None:
        """Store nothing."""
        return None

    def restore(self, image: "InspectedImage") -> None:
        """Store nothing."""


_KEEPS_FILES: ContextVar[bool] = ContextVar("blog_engine_keeps_files", default=True)


@contextmanager
def without_files() -> Iterator[None]:
    """Let the writes in this block store no image files: for a transaction that is going to be rolled back."""
    before = _KEEPS_FILES.set(False)
    try:
        yield
    finally:
        _KEEPS_FILES.reset(before)


def files_of_write() -> ImageFiles:
    """Return an object for the files of a write, which in a block ``without_files`` stores none."""
    return ImageFiles() if _KEEPS_FILES.get() else DryImageFiles()


def _sha256_of(storage: Storage, name: str) -> str:
    """Return the SHA-256 of a file, read in chunks."""
    digest = hashlib.sha256()
    with storage.open(name, "rb") as file:
        for chunk in file.chunks():
            digest.update(chunk)
    return digest.hexdigest()


@dataclass(slots=True)
class ImageFolder:
    """The content of a folder in the storage."""

    prefix: str = ""
    """The first characters of the digests in the folder; empty for ``FOLDER`` itself."""
    images: dict[str, list[str]] = field(default_factory=dict)
    """The names of files by the digest of their image."""
    strangers: list[str] = field(default_factory=list)
    """Names that the engine did not create; those of folders end in a slash."""


def image_folders() -> Iterator[ImageFolder]:
    """Yield the folders of images one by one, each about a 256th of all files.

    Folders that the engine did not create are not opened. Raises ``Unavailable`` when the storage cannot be listed.
    """
    storage = image_storage()
    folders, files = list_folder(storage, FOLDER)
    prefixes = sorted(name for name in folders if _PREFIX.fullmatch(name))
    others = sorted(set(folders) - set(prefixes))
    yield ImageFolder(strangers=[f"{FOLDER}/{name}" for name in (*files, *(f"{other}/" for other in others))])
    for prefix in prefixes:
        yield _folder(storage, prefix)


def files_of_image(sha256: str) -> list[str]:
    """Return the names of all files of an image. Raises ``Unavailable`` when the storage cannot be listed."""
    return _folder(image_storage(), sha256[:2]).images.get(sha256, [])


@dataclass(frozen=True, slots=True)
class WrongFile:
    """An image whose file does not match its row."""

    name: str
    """The name of the file in the storage."""
    filename: str
    """The file name of the upload."""
    problem: str
    """A predicate to follow the name of the file: "is missing"."""
    fault: Exception | None = None
    """The exception of the storage, if it raised one."""


def compare_files() -> Iterator[WrongFile | None]:
    """Compare the file of every image with its row; yield ``None`` for a match.

    Rows are read in batches and files in chunks, so memory use stays constant.
    """
    storage = image_storage()
    columns = ("sha256", "content_type", "byte_size", "filename")
    for sha256, content_type, size, filename in Image.objects.order_by("pk").values_list(*columns).iterator(500):
        name = file_name(sha256, content_type)
        try:
            problem = _problem_of(storage, name, sha256=sha256, size=size)
        except Exception as fault:
            # Exceptions differ by storage, and the other files can still be compared.
            yield WrongFile(name, filename, "cannot be read", fault)
        else:
            yield WrongFile(name, filename, problem) if problem else None


def _problem_of(storage: Storage, name: str, *, sha256: str, size: int) -> str | None:
    if not storage.exists(name):
        return "is missing"
    found = storage.size(name)
    if found != size:
        return f"has {found} bytes instead of {size}"
    return None if _sha256_of(storage, name) == sha256 else "has other bytes"


def _folder(storage: Storage, prefix: str) -> ImageFolder:
    path = f"{FOLDER}/{prefix}"
    folders, files = list_folder(storage, path)
    listed = ImageFolder(prefix, strangers=[f"{path}/{name}/" for name in sorted(folders)])
    for name in files:
        ours = _OURS.fullmatch(name)
        if ours and name.startswith(prefix):
            listed.images.setdefault(ours["sha256"], []).append(f"{path}/{name}")
        else:
            listed.strangers.append(f"{path}/{name}")
    return listed


def list_folder(storage: Storage, path: str) -> tuple[list[str], list[str]]:
    """Return folders and files in a folder, none when it is missing (no image yet).

    Raises ``Unavailable`` when the storage cannot be listed.
    """
    with unavailable_on_fault(f"The folder {path} of the storage could not be listed."):
        try:
            folders, files = storage.listdir(path)
        except FileNotFoundError:
            return [], []
    # Some object storages list the folder itself, with an empty name.
    return [name for name in folders if name.strip("./")], sorted(name for name in files if name.strip("./"))
