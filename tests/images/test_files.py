"""Files are stored under their digest, complete, once, and removed with a failed write."""

import logging
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage
from pytest_django import Settings

from blog_engine.errors import Unavailable
from blog_engine.images.files import DryImageFiles, ImageFiles, file_name, open_original
from blog_engine.images.inspect import InspectedImage, inspect_image
from blog_engine.models import Image
from blog_engine.services.writing_images import writing_images
from tests.requirements import requirement
from tests.support.hosts import Append, HalfWriting, Renaming, blog_settings, file_names, use_storage
from tests.support.images import plain

pytestmark = pytest.mark.django_db

QUAY = inspect_image(plain(), filename="quay.png")
QUAY_FILE = f"blog_engine/images/{QUAY.sha256[:2]}/{QUAY.sha256}.png"


class Asking(FileSystemStorage):
    """An object storage, which stores a media type with each file."""

    def _save(self, name: str, content: Any) -> str:
        if content.content_type != "image/png":
            raise OSError(f"{name} has no media type")
        return str(super()._save(name, content))  # type: ignore[misc]


def content(storage: Storage, name: str = QUAY_FILE) -> bytes:
    with storage.open(name) as file:
        return file.read()


@pytest.mark.parametrize(
    ("content_type", "suffix"),
    [("image/png", "png"), ("image/jpeg", "jpg"), ("image/webp", "webp"), ("image/gif", "gif"), ("image/avif", "avif")],
)
def test_a_file_is_named_by_its_digest_and_type(content_type: str, suffix: str) -> None:
    assert file_name("ab" * 32, content_type) == f"blog_engine/images/ab/{'ab' * 32}.{suffix}"


@requirement("images.identity")
def test_an_image_is_written_under_its_name(storage: Storage) -> None:
    with writing_images() as files:
        files.write(QUAY)

    assert file_names(storage) == [QUAY_FILE]
    assert content(storage) == QUAY.data
    with open_original(Image(sha256=QUAY.sha256, content_type=QUAY.content_type)) as original:
        assert original.read() == QUAY.data


@requirement("images.storage.alias")
def test_the_storage_of_the_setting_is_used(storage: Storage, settings: Settings, tmp_path: Path) -> None:
    use_storage(settings, FileSystemStorage, alias="images", location=tmp_path / "elsewhere")
    settings.BLOG_ENGINE = blog_settings(storage="images")

    with writing_images() as files:
        files.write(QUAY)

    assert file_names(storage) == [f"elsewhere/{QUAY_FILE}"]


@requirement("images.storage.row-and-file")
def test_a_whole_file_is_kept_also_by_a_write_that_fails(storage: Storage, tmp_path: Path) -> None:
    storage.save(QUAY_FILE, ContentFile(QUAY.data))
    inode = (tmp_path / QUAY_FILE).stat().st_ino

    with pytest.raises(KeyboardInterrupt), writing_images() as files:
        files.write(QUAY)
        raise KeyboardInterrupt

    assert (tmp_path / QUAY_FILE).stat().st_ino == inode


@requirement("images.storage.row-and-file")
@pytest.mark.parametrize("left", [b"", QUAY.data[:20], b"something else"])
def test_what_a_crash_left_of_a_file_is_replaced(storage: Storage, left: bytes) -> None:
    storage.save(QUAY_FILE, ContentFile(left))

    with writing_images() as files:
        files.write(QUAY)

    assert file_names(storage) == [QUAY_FILE]
    assert content(storage) == QUAY.data


@requirement("images.storage.row-and-file")
def test_a_write_that_fails_takes_its_files_away_and_no_others(storage: Storage) -> None:
    other = inspect_image(plain(color="red"), filename="other.png")
    with writing_images() as files:
        files.write(other)

    with pytest.raises(KeyboardInterrupt), writing_images() as files:
        files.write(QUAY)
        files.write(other)
        raise KeyboardInterrupt

    assert file_names(storage) == [file_name(other.sha256, other.content_type)]


def test_a_dry_run_stores_nothing(storage: Storage) -> None:
    files = DryImageFiles()

    files.write(QUAY)

    assert (files.created(), file_names(storage)) == ({}, [])


@requirement("images.storage.row-and-file")
@pytest.mark.parametrize("backend", [HalfWriting, Renaming])
def test_a_storage_that_fails_makes_the_write_fail_and_keeps_nothing(
    storage: Storage, settings: Settings, backend: type[Storage], caplog: pytest.LogCaptureFixture
) -> None:
    use_storage(settings, backend)

    with caplog.at_level(logging.ERROR), pytest.raises(Unavailable), writing_images() as files:
        files.write(QUAY)

    assert file_names(storage) == []
    assert [record.name for record in caplog.records] == ["blog_engine"]


def test_a_failed_removal_does_not_hide_why_the_write_failed(
    storage: Storage, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    use_storage(settings, Append)

    with pytest.raises(KeyboardInterrupt), writing_images() as files:
        files.write(QUAY)
        raise KeyboardInterrupt

    assert file_names(storage) == [QUAY_FILE]
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [PermissionError]


def test_a_storage_that_does_not_exist_is_the_hosts_mistake(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(storage="nowhere")

    with pytest.raises(ImproperlyConfigured):
        ImageFiles().write(QUAY)


def test_the_storage_gets_the_content_type(storage: Storage, settings: Settings) -> None:
    use_storage(settings, Asking)

    with writing_images() as files:
        files.write(QUAY)

    assert file_names(storage) == [QUAY_FILE]


def test_the_bytes_of_an_image_stay_out_of_logs() -> None:
    assert isinstance(QUAY, InspectedImage)
    assert "PNG" not in repr(QUAY)
