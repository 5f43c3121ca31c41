"""A storage that is full or read-only: refused as unavailable, nothing left behind."""

import errno
import os
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from PIL import Image as Picture
from pytest_django import Settings

from blog_engine.images.variants import variant
from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in, tool_refusal
from tests.support.hosts import blog_settings, use_storage
from tests.support.images import encoded, picture_url
from tests.support.integrity import assert_nothing_is_half, rows
from tests.support.web import Server

pytestmark = pytest.mark.django_db(transaction=True)

API = "/blog/api/v1"
NOISE = encoded(Picture.effect_noise((300, 300), 100).convert("RGB"), "PNG")
"""Return an image of several hundred kilobytes that does not compress."""

SIZE = 1024 * 1024


class SmallDisk:
    """A directory with a capacity of one mebibyte: a file system where this user can mount one."""

    def __init__(self, folder: Path, *, is_mounted: bool) -> None:
        self.folder = folder
        self.is_mounted = is_mounted
        self._filler = folder / "filler"

    def fill(self, *, leave: int = 0) -> None:
        """Leave this many bytes free."""
        self._filler.write_bytes(bytes(SIZE - used(self.folder) - leave))

    def make_room(self) -> None:
        """Remove the file that filled the disk."""
        self._filler.unlink()

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Make the disk read-only while the block runs."""
        if self.is_mounted:
            _mount("-o", "remount,ro", str(self.folder))
        else:
            (self.folder / READ_ONLY).touch()
        yield
        if self.is_mounted:
            _mount("-o", "remount,rw", str(self.folder))
        else:
            (self.folder / READ_ONLY).unlink()


class SmallStorage(FileSystemStorage):
    """A simulation for users who cannot mount: half of the file is written before the error."""

    def _save(self, name: str, content: Any) -> str:
        if Path(self.path(READ_ONLY)).exists():
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        left = SIZE - used(Path(self.location))
        if content.size > left:
            super()._save(name, ContentFile(content.read(left)))  # type: ignore[misc]
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return str(super()._save(name, content))  # type: ignore[misc]


READ_ONLY = "read-only"


@contextmanager
def small_disk(folder: Path) -> Iterator[SmallDisk]:
    """Create and mount a disk at the directory; unmount it at the end."""
    folder.mkdir()
    is_mounted = os.geteuid() == 0 and _mount("-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)) == 0
    try:
        yield SmallDisk(folder, is_mounted=is_mounted)
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
        shutil.rmtree(folder)


def used(folder: Path) -> int:
    """Return the bytes that the files of the directory take, in whole pages."""
    return sum(-(-file.stat().st_size // 4096) * 4096 for file in folder.rglob("*") if file.is_file())


def _mount(*arguments: str) -> int:
    return subprocess.run(["mount", *arguments], check=False, capture_output=True).returncode


@pytest.fixture
def disk(settings: Settings, tmp_path: Path) -> Iterator[SmallDisk]:
    """A small disk for the image storage."""
    with small_disk(tmp_path / "disk") as disk:
        settings.MEDIA_ROOT = disk.folder
        settings.BLOG_ENGINE = blog_settings(image_fetch_policy="open")
        if not disk.is_mounted:
            use_storage(settings, SmallStorage)
        yield disk


@pytest.fixture
def editor() -> Client:
    return client_with("read", "write", "publish")


def upload(editor: Client) -> Any:
    return editor.post(f"{API}/images", {"file": SimpleUploadedFile("noise.png", NOISE, "image/png")})


def original_of(image: dict[str, Any]) -> tuple[int, bytes]:
    """Return what a reader gets when this server serves the file."""
    with override_settings(BLOG_ENGINE=blog_settings(image_delivery="proxy")):
        answer = Client().get(image["url"])
    data = b"".join(answer.streaming_content)
    answer.close()
    return answer.status_code, data


def files_of(disk: SmallDisk) -> list[str]:
    return sorted(file.name for file in disk.folder.rglob("*") if file.is_file())


@requirement("host.faults.disk", "images.storage.row-and-file")
def test_an_upload_to_a_full_disk_is_refused_whole_and_passes_once_there_is_room(
    disk: SmallDisk, editor: Client
) -> None:
    disk.fill(leave=50_000)

    response = upload(editor)
    sent = {"filename": "noise.png", "content_type": "image/png", "base64": b64encode(NOISE).decode()}
    by_tool = tool_refusal(editor, "blog_upload_image", sent)

    assert refusal_in(response) == (503, "unavailable", [])
    assert response.headers["Retry-After"] == "1"
    assert by_tool == ("unavailable", [])
    assert (Image.objects.count(), files_of(disk)) == (0, ["filler"])
    disk.make_room()
    assert upload(editor).status_code == 201
    assert_nothing_is_half()


@requirement("host.faults.disk")
def test_an_article_whose_cover_finds_no_room_is_refused_with_it(disk: SmallDisk, editor: Client, quay: Server) -> None:
    sent = {"title": "Frost", "publish": True, "cover_image": {"url": picture_url(quay)}}
    disk.fill()
    before = rows()

    response = editor.post(f"{API}/posts", sent, content_type="application/json")

    assert refusal_in(response) == (503, "unavailable", [])
    assert (rows(), files_of(disk)) == (before, ["filler"])
    disk.make_room()
    assert editor.post(f"{API}/posts", sent, content_type="application/json").status_code == 201
    assert_nothing_is_half()


@requirement("host.faults.disk")
def test_readers_who_need_a_smaller_picture_wait_for_room_and_leave_nothing(disk: SmallDisk, editor: Client) -> None:
    wide = encoded(Picture.effect_noise((600, 300), 100).convert("RGB"), "PNG")
    image = editor.post(f"{API}/images", {"file": SimpleUploadedFile("wide.png", wide, "image/png")}).json()
    disk.fill()
    before = files_of(disk)

    answers = [Client().get(f"/blog/media/{image['sha256']}/w480.webp") for _ in range(3)]
    original = original_of(image)

    assert [answer.status_code for answer in answers] == [503] * 3
    assert {answer.headers["Retry-After"] for answer in answers} == {"5"}
    assert original == (200, wide)
    assert files_of(disk) == before
    disk.make_room()
    assert Client().get(f"/blog/media/{image['sha256']}/w480.webp").status_code == 302
    assert variant(Image.objects.get(), width=480, format="webp")


@requirement("host.faults.disk")
def test_a_read_only_disk_refuses_uploads_and_shows_what_it_has(disk: SmallDisk, editor: Client) -> None:
    image = upload(editor).json()
    red = SimpleUploadedFile("red.png", encoded(Picture.new("RGB", (9, 9), "red"), "PNG"), "image/png")
    before = files_of(disk)

    with disk.read_only():
        refusal = editor.post(f"{API}/images", {"file": red})
        known = upload(editor)
        original = original_of(image)

    assert refusal_in(refusal) == (503, "unavailable", [])
    assert (known.status_code, known.json()) == (201, image)
    assert original == (200, NOISE)
    assert (Image.objects.count(), files_of(disk)) == (1, before)
    assert_nothing_is_half()
