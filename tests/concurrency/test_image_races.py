"""Two writers with the same new bytes, in real transactions on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, storages
from django.db import DataError

from blog_engine import services
from blog_engine.errors import Unavailable
from blog_engine.images.files import open_original
from blog_engine.images.inspect import inspect_image
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.models import Image, Post
from blog_engine.public import sign_stored_file
from blog_engine.services.images import stored_image
from blog_engine.services.writing_images import writing_images
from tests.concurrency.races import Held, race, together
from tests.requirements import requirement
from tests.support.factories import AGENT, EDITOR, NOW, save
from tests.support.hosts import blog_settings
from tests.support.images import png
from tests.support.tables import execute

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]


class HeldStorage(FileSystemStorage):
    """A storage in which the first file of a race waits after it was stored, and can then fail."""

    held: ClassVar[Held]
    first_fails: ClassVar[bool]

    def save(self, name: str | None, content: Any, max_length: int | None = None) -> str:
        stored = super().save(name, content, max_length)
        is_first = self.held.armed and not self.held.arrived.is_set()
        self.held(None, None)
        if is_first and self.first_fails:
            raise OSError("disk full")
        return stored


@pytest.fixture
def held(settings: Any) -> Iterator[Held]:
    """The first write that stores a file stops there, in its transaction."""
    settings.STORAGES = settings.STORAGES | {"held": {"BACKEND": f"{__name__}.HeldStorage"}}
    settings.BLOG_ENGINE = blog_settings(storage="held")
    HeldStorage.held, HeldStorage.first_fails = Held(), False
    yield HeldStorage.held
    del HeldStorage.held, HeldStorage.first_fails


def upload(name: str, *, actor: Any = EDITOR) -> Image:
    file = ImageBytes(data=png(), filename=name)
    return services.store_image(UploadImage(file=file), actor=actor, now=NOW)


def files(folder: Path) -> list[Path]:
    """Return the files of originals, without the copies for machines."""
    return [path for path in folder.rglob("*") if path.is_file() and "-w1200-" not in path.name]


def signed(data: bytes) -> dict[str, str]:
    return {"signed_id": sign_stored_file(storages["held"].save("host/quay.png", ContentFile(data)))}


@requirement("images.storage.racing")
def test_two_equal_uploads_are_one_image(held: Held, tmp_path: Path) -> None:
    one, two = race(held, lambda: upload("one.png"), lambda: upload("two.png", actor=AGENT))

    assert one == two == Image.objects.get()
    assert (two.filename, two.uploaded_by) == ("one.png", EDITOR.name)
    assert len(files(tmp_path)) == 1


@requirement("images.storage.row-and-file", "images.storage.racing")
def test_a_file_that_another_writer_found_stays_when_the_database_ended_the_first_write(tmp_path: Path) -> None:
    held = Held()
    held.armed = True

    def failing() -> None:
        with writing_images() as written:
            stored_image(inspect_image(png(), filename="one.png"), files=written, actor_name="Ada", now=NOW)
            try:
                execute("SELECT 1 / 0")
            except DataError:
                # PostgreSQL has given up the locks, and the first writer does not know it yet.
                held(None, None)
                raise

    with pytest.raises(DataError):
        race(held, failing, lambda: upload("two.png"))

    image = Image.objects.get()
    assert image.filename == "two.png"
    with open_original(image) as file:
        assert file.read() == png()


@requirement("images.storage.racing")
def test_many_equal_uploads_are_one_image(tmp_path: Path) -> None:
    images = together(*(lambda n=n: upload(f"{n}.png") for n in range(6)))

    assert set(images) == {Image.objects.get()}
    assert len(files(tmp_path)) == 1


@requirement("refusals.nothing-written", "images.storage.racing")
def test_an_upload_that_is_taken_back_leaves_the_next_one_its_file(held: Held, tmp_path: Path) -> None:
    HeldStorage.first_fails = True

    one, two = race(held, lambda: upload("one.png"), lambda: upload("two.png"))

    assert (one, two) == (Unavailable, Image.objects.get())
    assert two.filename == "two.png"
    with open_original(two) as file:
        assert file.read() == png()
    assert len(files(tmp_path)) == 1


def test_two_posts_with_the_same_images_the_other_way_round_do_not_block_each_other(held: Held) -> None:
    light, dark = signed(png("white")), signed(png("black"))
    save(slug="first")  # stores the author, so that no writer waits for its row

    one, two = race(
        held,
        lambda: save(slug="one", cover_image=light, social_image=dark).post,
        lambda: save(slug="two", cover_image=dark, social_image=light).post,
    )

    assert (one.cover_image, one.social_image) == (two.social_image, two.cover_image)
    assert (Image.objects.count(), Post.objects.count()) == (2, 3)
