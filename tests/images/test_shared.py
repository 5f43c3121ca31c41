"""The copies of images for networks and feeds: JPEG or PNG, small enough, drawn when the image is stored."""

import logging
import random
from io import BytesIO

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from PIL import Image as Picture
from pytest_django import Settings

from blog_engine.images import shared, variants
from blog_engine.images.files import files_of_image
from blog_engine.images.inspect import InspectedImage, SharedCopy, inspect_image
from blog_engine.images.origin import NO_ORIGIN, FileOrigin, origin_in
from blog_engine.images.shared import MOST_SHARED_BYTES, shared_copy, with_shared_copy
from blog_engine.models import Image
from blog_engine.models.image import set_shared_copy
from blog_engine.services import draw_shared_copies, rehearsal
from blog_engine.services.writing_images import writing_images
from tests.requirements import requirement
from tests.support.factories import store_image
from tests.support.hosts import OutOfReach, all_file_names, use_storage
from tests.support.images import animation, encoded, halves, photo, plain


def noise(size: tuple[int, int], mode: str = "RGB") -> Picture.Image:
    """A picture that no format can compress."""
    pixels = random.Random(7).randbytes(size[0] * size[1] * len(mode))  # noqa: S311  no secret
    return Picture.frombytes(mode, size, pixels)


def copy_of(data: bytes, *, said: FileOrigin = NO_ORIGIN) -> SharedCopy:
    made = with_shared_copy(inspect_image(data, filename="quay"), said=said).shared
    assert made is not None
    return made


def opened(made: SharedCopy) -> Picture.Image:
    picture = Picture.open(BytesIO(made.data))
    picture.load()
    assert picture.size == (made.width, made.height)
    return picture


@requirement("media.shared")
@pytest.mark.parametrize("format", ["AVIF", "WEBP", "PNG", "JPEG"])
@pytest.mark.parametrize(("size", "drawn"), [((1600, 800), (1200, 600)), ((300, 200), (300, 200)), ((1, 1), (1, 1))])
def test_a_copy_is_a_jpeg_of_1200_pixels(format: str, size: tuple[int, int], drawn: tuple[int, int]) -> None:
    picture = opened(copy_of(encoded(halves(size=size), format)))

    assert (picture.format, picture.size) == ("JPEG", drawn)


@requirement("media.shared")
@pytest.mark.parametrize(("alpha", "format"), [(0, "PNG"), (254, "PNG"), (255, "JPEG")])
def test_a_copy_with_transparency_is_a_png(alpha: int, format: str) -> None:
    data = plain("WEBP", mode="RGBA", size=(1500, 300), color=(200, 10, 10, alpha))

    picture = opened(copy_of(data))

    assert (picture.format, picture.size) == (format, (1200, 240))


@requirement("media.shared")
@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "I;16", "CMYK", "RGBA"])
def test_every_kind_of_pixels_has_a_copy(mode: str) -> None:
    data = encoded(Picture.new(mode, (40, 30)), "JPEG" if mode == "CMYK" else "PNG")

    assert opened(copy_of(data)).size == (40, 30)


@requirement("media.shared.size")
@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("size", [(1300, 1000), (700, 2500)])
def test_a_copy_is_never_too_heavy(mode: str, size: tuple[int, int]) -> None:
    made = copy_of(encoded(noise(size, mode), "PNG"))

    picture = opened(made)
    assert MOST_SHARED_BYTES / 4 < len(made.data) <= MOST_SHARED_BYTES
    assert picture.width / picture.height == pytest.approx(size[0] / size[1], rel=0.01)


@requirement("media.shared.size")
@pytest.mark.parametrize("size", [(10, 20_000), (1000, 12_000), (20_000, 10)])
def test_a_long_image_has_a_copy(size: tuple[int, int]) -> None:
    made = copy_of(encoded(Picture.new("RGB", size, "teal"), "PNG"))

    assert made.width <= 1200
    assert opened(made).format == "JPEG"


@requirement("media.shared.size", "media.no-metadata")
def test_a_copy_is_upright_and_says_nothing_of_the_place() -> None:
    picture = opened(copy_of(photo(halves(size=(300, 100)))))

    assert picture.size == (100, 300)
    assert not picture.getexif()


@requirement("media.shared.size", "media.origin")
@pytest.mark.parametrize("color", [(1, 2, 3, 255), (1, 2, 3, 0)])
def test_a_copy_says_where_the_image_comes_from(color: tuple[int, ...]) -> None:
    said = FileOrigin(credit="Ana & Ben", source_type="trainedAlgorithmicMedia")

    made = copy_of(plain(mode="RGBA", color=color), said=said)

    assert origin_in(opened(made), made.data) == said


@requirement("media.shared.size")
@pytest.mark.parametrize("format", ["GIF", "WEBP", "PNG"])
def test_an_animation_has_a_copy_of_its_first_frame(format: str) -> None:
    picture = opened(copy_of(animation(format, size=(40, 20)))).convert("RGB")

    assert tuple(round(value / 51) * 51 for value in picture.getpixel((20, 10))) == (255, 0, 0)  # type: ignore[union-attr]


@requirement("media.shared.made")
def test_a_copy_is_stored_with_its_image(db: None, storage: Storage) -> None:
    image = store_image(encoded(halves(size=(1600, 800)), "AVIF"))

    image.refresh_from_db()
    name = shared_copy(image)
    assert name is not None
    with storage.open(name) as file:
        data = bytes(file.read())
    assert Picture.open(BytesIO(data)).size == (image.shared_width, image.shared_height) == (1200, 600)
    assert (image.shared_type, image.shared_bytes) == ("jpg", len(data))
    assert len(all_file_names(storage)) == 3
    assert sorted(files_of_image(image.sha256)) == all_file_names(storage)


@requirement("media.shared.made", "images.storage.row-and-file")
def test_a_write_that_fails_leaves_no_copy(db: None, storage: Storage) -> None:
    image = with_shared_copy(inspect_image(plain(), filename="quay.png"), said=NO_ORIGIN)
    row = Image(sha256=image.sha256, content_type=image.content_type)
    assert image.shared is not None

    with pytest.raises(KeyboardInterrupt), writing_images() as files:
        files.write(image)
        shared.store_shared_copy(row, image.shared, files=files)
        assert len(all_file_names(storage)) == 3
        raise KeyboardInterrupt

    assert all_file_names(storage) == []


@requirement("media.shared.made")
def test_a_rehearsal_stores_no_copy(db: None, storage: Storage) -> None:
    with rehearsal():
        store_image()

    assert all_file_names(storage) == []


@requirement("media.shared.made")
def test_an_image_without_a_copy_is_stored_all_the_same(
    db: None, storage: Storage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(shared, "_QUALITIES", ("none",))

    image = store_image()

    assert image.shared_type == ""
    assert len(all_file_names(storage)) == 1
    assert "could not be drawn" in caplog.text
    monkeypatch.undo()
    assert draw_shared_copies() == 1
    assert Image.objects.get().shared_type == "jpg"


@requirement("media.shared.urls")
def test_an_image_that_is_too_large_to_draw_is_noted(
    db: None, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variants, "MOST_BYTES", 1)

    image = store_image()

    assert (image.shared_type, image.shared_bytes) == ("none", 0)
    assert len(all_file_names(storage)) == 1


@requirement("media.shared.made")
def test_the_images_of_an_earlier_version_get_their_copies(
    db: None, storage: Storage, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    image = store_image()
    set_shared_copy(image.pk, shared_type="", shared_width=0, shared_height=0, shared_bytes=0)
    use_storage(settings, OutOfReach)
    with caplog.at_level(logging.WARNING, logger="blog_engine"):
        assert draw_shared_copies() == 0
    assert "was not drawn" in caplog.text
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"}}

    assert (draw_shared_copies(), draw_shared_copies()) == (1, 0)

    found = Image.objects.get()
    assert (found.shared_type, found.shared_width, found.shared_height) == ("jpg", 30, 20)


def test_known_bytes_of_a_process_that_died_are_replaced(db: None, storage: Storage) -> None:
    first: InspectedImage = with_shared_copy(inspect_image(plain(), filename="quay.png"), said=NO_ORIGIN)
    row = Image(sha256=first.sha256, content_type=first.content_type)
    assert first.shared is not None
    name = variants.variant_name(row, first.shared.data, width=1200, format="jpg")
    storage.save(name, ContentFile(b"\xff\xd8"))

    image = store_image(plain())

    found = shared_copy(image)
    assert found == name
    with storage.open(name) as file:
        assert file.read() == first.shared.data
