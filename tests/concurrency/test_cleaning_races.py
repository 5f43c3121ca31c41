"""Cleaning the storage during uploads: a row never loses its file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage

from blog_engine import services
from blog_engine.errors import Unavailable
from blog_engine.images.files import file_name, image_storage, open_original
from blog_engine.images.inspect import inspect_image
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.models import Image
from blog_engine.services.images import find_leftovers, remove_leftover
from tests.concurrency.races import Held, race, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW
from tests.support.hosts import blog_settings
from tests.support.images import png

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]


class StoppingStorage(FileSystemStorage):
    """A storage in which the first writer of a race stops: after saving, before deleting, or while reading."""

    held: ClassVar[Held]
    stops: ClassVar[str]
    fails: ClassVar[bool]

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        stored = super().save(name, content, max_length)
        self._stop("save")
        return stored

    def exists(self, name: str) -> bool:
        found = super().exists(name)
        self._stop("exists")
        return found

    def delete(self, name: str) -> None:
        self._stop("delete")
        super().delete(name)

    def open(self, name: str, mode: str = "rb") -> Any:
        self._stop("open")
        return super().open(name, mode)

    def _stop(self, where: str) -> None:
        if where != self.stops:
            return
        is_first = self.held.armed and not self.held.arrived.is_set()
        self.held(None, None)
        if is_first and self.fails:
            raise OSError("disk full")


@pytest.fixture
def held(settings: Any) -> Iterator[Held]:
    settings.STORAGES = settings.STORAGES | {"stopping": {"BACKEND": f"{__name__}.StoppingStorage"}}
    settings.BLOG_ENGINE = blog_settings(storage="stopping")
    StoppingStorage.held, StoppingStorage.fails = Held(), False
    yield StoppingStorage.held
    del StoppingStorage.held, StoppingStorage.fails, StoppingStorage.stops


def upload(colour: str = "teal") -> Image:
    file = ImageBytes(data=png(colour), filename="quay.png")
    return services.store_image(UploadImage(file=file), actor=EDITOR, now=NOW)


def clean() -> list[str]:
    """The removed names."""
    return [name for leftover in list(find_leftovers()) for name in remove_leftover(leftover).removed]


def leave_behind(colour: str = "teal") -> str:
    """Store a file without an image."""
    image = inspect_image(png(colour), filename="quay.png")
    return image_storage().save(file_name(image.sha256, image.content_type), ContentFile(image.data))


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def assert_whole(image: Image, colour: str = "teal") -> None:
    with open_original(image) as file:
        assert file.read() == png(colour)


@pytest.mark.postgres
@requirement("images.storage.cleaned-meanwhile")
def test_the_file_of_an_upload_that_is_not_committed_stays(held: Held) -> None:
    StoppingStorage.stops = "save"

    image, removed = race(held, upload, clean)

    assert (image, removed) == (Image.objects.get(), [])
    assert_whole(image)


@pytest.mark.postgres
@requirement("images.storage.cleaned-meanwhile")
def test_a_left_file_that_an_upload_just_took_over_stays(held: Held) -> None:
    StoppingStorage.stops = "open"
    leave_behind()

    image, removed = race(held, upload, clean)

    assert (image, removed) == (Image.objects.get(), [])
    assert_whole(image)


@pytest.mark.postgres
@requirement("images.storage.cleaned-meanwhile")
@pytest.mark.parametrize("stops", ["exists", "delete"])
def test_an_upload_that_begins_while_its_file_is_being_removed_writes_its_own(held: Held, stops: str) -> None:
    StoppingStorage.stops = ""
    name = leave_behind()
    StoppingStorage.stops = stops

    removed, image = race(held, clean, upload)

    assert (removed, image) == ([name], Image.objects.get())
    assert_whole(image)


@pytest.mark.postgres
def test_a_left_file_whose_upload_failed_meanwhile_is_removed(held: Held, tmp_path: Path) -> None:
    StoppingStorage.stops, StoppingStorage.fails = "", True
    name = leave_behind()
    StoppingStorage.stops = "open"

    refusal, removed = race(held, upload, clean)

    assert (refusal, removed) == (Unavailable, [name])
    assert (Image.objects.count(), files(tmp_path)) == (0, [])


@pytest.mark.postgres
def test_two_that_clean_at_once_remove_each_file_once(held: Held, tmp_path: Path) -> None:
    StoppingStorage.stops = ""
    name = leave_behind()
    StoppingStorage.stops = "delete"

    assert race(held, clean, clean) == ([name], [])
    assert files(tmp_path) == []


@requirement("images.storage.cleaned-meanwhile")
def test_uploads_in_the_middle_of_much_cleaning_have_their_files() -> None:
    for colour in ("teal", "red", "white", "black", "navy", "olive"):
        leave_behind(colour)

        results = together(*[clean, lambda c=colour: upload(c)] * 3)

        assert_whole(Image.objects.latest("id"), colour)
        assert results[1::2] == [Image.objects.latest("id")] * 3

    assert clean() == []
