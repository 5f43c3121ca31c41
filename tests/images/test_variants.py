"""Variants are drawn once, stored, and never delivered incomplete."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage
from PIL import Image as Picture
from pytest_django import Settings

from blog_engine.images._decoding import DECODER
from blog_engine.images.variants import variant
from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.factories import store_image
from tests.support.hosts import all_file_names, file_names, use_storage
from tests.support.images import encoded, halves, photo

pytestmark = pytest.mark.django_db


@pytest.fixture
def image(storage: Storage) -> Image:
    return store_image(encoded(halves(size=(600, 300)), "PNG"))


class Crowded(FileSystemStorage):
    """A storage in which another process writes each note a moment earlier."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".txt"):
            super()._save(name, ContentFile(b"the other's"))  # type: ignore[misc]
        return str(super()._save(name, content))  # type: ignore[misc]


def drawn(image: Image) -> str:
    name = variant(image, width=480, format="webp")
    assert name is not None
    return name


def picture_in(storage: Storage, name: str) -> Picture.Image:
    with storage.open(name) as file:
        picture = Picture.open(file)
        picture.load()
    return picture


@requirement("media.widths")
@pytest.mark.parametrize("format", ["avif", "webp"])
@pytest.mark.parametrize(("width", "size"), [(480, (480, 240)), (768, (600, 300))])
def test_a_variant_is_kept_beside_its_original(
    storage: Storage, image: Image, width: int, format: str, size: tuple[int, int]
) -> None:
    name = variant(image, width=width, format=format)

    assert name is not None
    assert name.startswith(f"blog_engine/images/{image.sha256[:2]}/{image.sha256}-w{width}-")
    assert name.endswith(f".{format}")
    picture = picture_in(storage, name)
    assert (picture.format, picture.size) == (format.upper(), size)


def test_a_turned_photo_has_upright_variants(storage: Storage) -> None:
    image = store_image(photo(halves(size=(300, 600))))

    picture = picture_in(storage, drawn(image))

    assert (image.width, image.height, picture.size) == (600, 300, (480, 240))


@requirement("media.made-once")
def test_a_variant_is_made_once(storage: Storage, image: Image, tmp_path: Path) -> None:
    name = drawn(image)
    files, made = file_names(storage), (tmp_path / name).stat().st_mtime_ns

    assert drawn(image) == name
    assert (file_names(storage), (tmp_path / name).stat().st_mtime_ns) == (files, made)


class Waiting(FileSystemStorage):
    """A storage that holds an original back until the test releases it."""

    asked, may_go_on = Event(), Event()

    def _open(self, name: str, mode: str = "rb") -> Any:
        if name.endswith(".png"):
            self.asked.set()
            assert self.may_go_on.wait(timeout=30)
        return super()._open(name, mode)  # type: ignore[misc]


@requirement("media.no-waiting", "media.made-once")
def test_requests_that_come_while_a_variant_is_drawn_do_not_wait(
    storage: Storage, image: Image, settings: Settings
) -> None:
    use_storage(settings, Waiting)
    Waiting.asked.clear()
    Waiting.may_go_on.clear()

    with ThreadPoolExecutor(40) as pool:
        first = pool.submit(variant, image, width=480, format="webp")
        try:
            assert Waiting.asked.wait(timeout=30)
            asked = [("webp", 480), ("avif", 480), ("webp", 768)] * 13
            others = [pool.submit(variant, image, width=width, format=format) for format, width in asked]
            answers = [other.result(timeout=30) for other in others]
            assert not first.done()
        finally:
            Waiting.may_go_on.set()

    assert answers == [None] * 39
    assert variant(image, width=480, format="webp") == first.result()
    assert variant(image, width=768, format="webp") is not None
    assert len(file_names(storage)) == 5  # the original, and two variants with the notes that name them


@requirement("images.bytes.one-at-a-time")
def test_nothing_is_drawn_while_an_image_is_decoded(image: Image) -> None:
    with DECODER:
        assert variant(image, width=480, format="webp") is None

    assert variant(image, width=480, format="webp") is not None


def test_a_drawing_that_fails_lets_the_next_one_begin(storage: Storage, image: Image) -> None:
    (original,) = file_names(storage)
    data = encoded(halves(size=(600, 300)), "PNG")
    storage.delete(original)
    storage.save(original, ContentFile(data[:200]))
    with pytest.raises(OSError, match=r"truncated|broken"):
        variant(image, width=480, format="webp")
    storage.delete(original)
    storage.save(original, ContentFile(data))

    assert variant(image, width=480, format="webp") is not None


@requirement("media.made-once")
@pytest.mark.parametrize("left", [b"", b"RIFF"])
def test_a_variant_that_another_process_has_not_finished_is_not_delivered(
    storage: Storage, image: Image, tmp_path: Path, left: bytes
) -> None:
    first = drawn(image)
    note = next(name for name in file_names(storage) if name.endswith(".txt"))
    (tmp_path / first).write_bytes(left)
    storage.delete(note)

    second = drawn(image)

    assert second != first
    assert picture_in(storage, second).size == (480, 240)
    assert drawn(image) == second


@pytest.mark.parametrize("left", [b"", b"blog_engine/im", b"../../etc/passwd", b"\xff\xfe", b"a" * 9_999])
def test_a_note_that_names_no_variant_is_written_anew(storage: Storage, image: Image, left: bytes) -> None:
    name = drawn(image)
    note = next(name for name in file_names(storage) if name.endswith(".txt"))
    storage.delete(name)
    storage.delete(note)
    storage.save(note, ContentFile(left))

    again = drawn(image)

    assert picture_in(storage, again).size == (480, 240)
    files = file_names(storage)
    assert drawn(image) == again
    assert file_names(storage) == files


def test_two_processes_that_finish_together_leave_one_note(storage: Storage, image: Image, settings: Settings) -> None:
    use_storage(settings, Crowded)

    name = drawn(image)

    assert picture_in(storage, name).size == (480, 240)
    assert [file for file in file_names(storage) if file.endswith(".txt")] == [
        f"blog_engine/images/{image.sha256[:2]}/{image.sha256}-w480-webp.txt"
    ]


def test_a_variant_that_was_deleted_is_made_again(storage: Storage, image: Image) -> None:
    name = drawn(image)
    storage.delete(name)

    assert drawn(image) == name
    assert picture_in(storage, name).size == (480, 240)


def test_a_variant_of_a_lost_original_cannot_be_made(storage: Storage, image: Image) -> None:
    for name in all_file_names(storage):
        storage.delete(name)

    with pytest.raises(FileNotFoundError):
        drawn(image)
    assert all_file_names(storage) == []
