"""Variants are made once, kept, and never given to anybody half-written."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage
from PIL import Image as Picture
from pytest_django import Settings

from blog_engine.images.variants import variant
from blog_engine.models import Image
from tests.images.samples import encoded, halves, photo
from tests.images.stored import file_names, store
from tests.requirements import requirement
from tests.storages import use_storage

pytestmark = pytest.mark.django_db


@pytest.fixture
def image(storage: Storage) -> Image:
    return store(encoded(halves(size=(600, 300)), "PNG"))


class Crowded(FileSystemStorage):
    """A storage in which another process writes each note a moment earlier."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".txt"):
            super()._save(name, ContentFile(b"the other's"))  # type: ignore[misc]
        return str(super()._save(name, content))  # type: ignore[misc]


def picture_in(storage: Storage, name: str) -> Picture.Image:
    with storage.open(name) as file:
        picture = Picture.open(file)
        picture.load()
    return picture


@requirement("media:widths")
@pytest.mark.parametrize("format", ["avif", "webp"])
@pytest.mark.parametrize(("width", "size"), [(480, (480, 240)), (768, (600, 300))])
def test_a_variant_is_kept_beside_its_original(
    storage: Storage, image: Image, width: int, format: str, size: tuple[int, int]
) -> None:
    name = variant(image, width=width, format=format)

    assert name.startswith(f"blog_engine/images/{image.sha256[:2]}/{image.sha256}-w{width}-")
    assert name.endswith(f".{format}")
    picture = picture_in(storage, name)
    assert (picture.format, picture.size) == (format.upper(), size)


def test_a_turned_photo_has_upright_variants(storage: Storage) -> None:
    image = store(photo(halves(size=(300, 600))))

    picture = picture_in(storage, variant(image, width=480, format="webp"))

    assert (image.width, image.height, picture.size) == (600, 300, (480, 240))


@requirement("media:made-once")
def test_a_variant_is_made_once(storage: Storage, image: Image, tmp_path: Path) -> None:
    name = variant(image, width=480, format="webp")
    files, made = file_names(storage), (tmp_path / name).stat().st_mtime_ns

    assert variant(image, width=480, format="webp") == name
    assert (file_names(storage), (tmp_path / name).stat().st_mtime_ns) == (files, made)


@requirement("media:made-once")
def test_requests_at_the_same_moment_share_one_variant(storage: Storage, image: Image) -> None:
    start = Barrier(4)

    def ask(_: int) -> str:
        start.wait(timeout=10)
        return variant(image, width=480, format="webp")

    with ThreadPoolExecutor(4) as pool:
        names = set(pool.map(ask, range(4)))

    assert len(names) == 1
    assert len(file_names(storage)) == 3  # the original, the variant, and the note that names it


@requirement("media:made-once")
@pytest.mark.parametrize("left", [b"", b"RIFF"])
def test_what_another_process_has_not_finished_is_given_to_nobody(
    storage: Storage, image: Image, tmp_path: Path, left: bytes
) -> None:
    first = variant(image, width=480, format="webp")
    note = next(name for name in file_names(storage) if name.endswith(".txt"))
    (tmp_path / first).write_bytes(left)
    storage.delete(note)

    second = variant(image, width=480, format="webp")

    assert second != first
    assert picture_in(storage, second).size == (480, 240)
    assert variant(image, width=480, format="webp") == second


@pytest.mark.parametrize("left", [b"", b"blog_engine/im", b"../../etc/passwd", b"\xff\xfe", b"a" * 9_999])
def test_a_note_that_names_no_variant_is_written_anew(storage: Storage, image: Image, left: bytes) -> None:
    name = variant(image, width=480, format="webp")
    note = next(name for name in file_names(storage) if name.endswith(".txt"))
    storage.delete(name)
    storage.delete(note)
    storage.save(note, ContentFile(left))

    again = variant(image, width=480, format="webp")

    assert picture_in(storage, again).size == (480, 240)
    files = file_names(storage)
    assert variant(image, width=480, format="webp") == again
    assert file_names(storage) == files


def test_two_processes_that_finish_together_leave_one_note(storage: Storage, image: Image, settings: Settings) -> None:
    use_storage(settings, Crowded)

    name = variant(image, width=480, format="webp")

    assert picture_in(storage, name).size == (480, 240)
    assert [file for file in file_names(storage) if file.endswith(".txt")] == [
        f"blog_engine/images/{image.sha256[:2]}/{image.sha256}-w480-webp.txt"
    ]


def test_a_variant_that_was_deleted_is_made_again(storage: Storage, image: Image) -> None:
    name = variant(image, width=480, format="webp")
    storage.delete(name)

    assert variant(image, width=480, format="webp") == name
    assert picture_in(storage, name).size == (480, 240)


def test_a_variant_of_a_lost_original_cannot_be_made(storage: Storage, image: Image) -> None:
    for name in file_names(storage):
        storage.delete(name)

    with pytest.raises(FileNotFoundError):
        variant(image, width=480, format="webp")
    assert file_names(storage) == []
