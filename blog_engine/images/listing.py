"""What lies in the storage where the engine keeps its image files (docs/how-to/images.md); looked at, never changed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from django.core.files.storage import Storage

from blog_engine.content.figures import VARIANT_TYPES
from blog_engine.images._formats import SUFFIXES
from blog_engine.images.files import FOLDER, digest_of, file_name, image_storage, unavailable_on_fault
from blog_engine.models import Image

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
class Listed:
    """One folder of the storage: the files of each image by its digest, and names that are not of our making.

    ``prefix`` is what the digests begin with; empty for the folder above those of the images.
    """

    prefix: str = ""
    images: dict[str, list[str]] = field(default_factory=dict)
    strangers: list[str] = field(default_factory=list)


def listed_folders() -> Iterator[Listed]:
    """The folders of the engine, one after the other, so that no more than a 256th part is in memory.

    Folders of others are not opened; their names end in a slash. Raises ``Unavailable`` when the storage cannot be
    listed.
    """
    storage = image_storage()
    folders, files = _list(storage, FOLDER)
    prefixes = sorted(name for name in folders if _PREFIX.fullmatch(name))
    others = sorted(set(folders) - set(prefixes))
    yield Listed(strangers=[f"{FOLDER}/{name}" for name in (*files, *(f"{other}/" for other in others))])
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


def _folder(storage: Storage, prefix: str) -> Listed:
    path = f"{FOLDER}/{prefix}"
    folders, files = _list(storage, path)
    listed = Listed(prefix, strangers=[f"{path}/{name}/" for name in sorted(folders)])
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
