"""A storage that is full or read-only: refused as unavailable, nothing left behind."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from PIL import Image as Picture
from pytest_django import Settings

from blog_engine.images.variants import variant
from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.backends import use_storage
from tests.support.clients import client_with, refusal_in, tool_refusal
from tests.support.hosts import blog_settings
from tests.support.images import encoded, picture_url
from tests.support.invariants import assert_nothing_is_half, rows
from tests.support.servers import SmallDisk, SmallStorage, small_disk
from tests.support.web import Server

pytestmark = pytest.mark.django_db(transaction=True)

API = "/blog/api/v1"
NOISE = encoded(Picture.effect_noise((300, 300), 100).convert("RGB"), "PNG")
"""Return an image of several hundred kilobytes that does not compress."""


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
