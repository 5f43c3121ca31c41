"""Media over ASGI are streamed block by block."""

from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, Storage
from django.test import AsyncClient
from PIL import Image as Picture
from pytest_django import Settings

from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.factories import store_image
from tests.support.hosts import blog_settings, use_storage
from tests.support.images import encoded

pytestmark = pytest.mark.django_db

BLOCK = 65_536
DATA = encoded(Picture.effect_noise((1_000, 700), 90), "PNG")


class Counted(File):  # type: ignore[type-arg]
    """A file that records how much was read and whether it was closed."""

    read_so_far, largest, closed_files = 0, 0, 0

    def read(self, size: int = -1) -> bytes:  # type: ignore[override]
        data: bytes = self.file.read(size)
        Counted.read_so_far += len(data)
        Counted.largest = max(Counted.largest, len(data))
        return data

    def close(self) -> None:
        Counted.closed_files += not self.file.closed
        super().close()


class Counting(FileSystemStorage):
    """A storage of ``Counted`` files."""

    def _open(self, name: str, mode: str = "rb") -> Counted:
        return Counted(super()._open(name, mode).file)  # type: ignore[misc]


@pytest.fixture
def image(settings: Settings, storage: Storage) -> Iterator[Image]:
    """Store an image of several blocks in a storage that records reads."""
    image = store_image(DATA)
    use_storage(settings, Counting)
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")
    Counted.read_so_far = Counted.largest = Counted.closed_files = 0
    yield image
    assert Counted.closed_files == 1


async def _ask(image: Image, **headers: str) -> Any:
    return await AsyncClient().get(f"/blog/media/{image.sha256}/quay.png", headers=headers)


@requirement("media.proxy.streaming")
@pytest.mark.parametrize(
    ("sent", "status", "expected"),
    [
        ({}, 200, DATA),
        ({"range": "bytes=10-"}, 206, DATA[10:]),
        ({"range": f"bytes=7-{3 * BLOCK}"}, 206, DATA[7 : 3 * BLOCK + 1]),
        ({"range": "bytes=-5"}, 206, DATA[-5:]),
    ],
)
def test_a_file_is_streamed_block_by_block(image: Image, sent: dict[str, str], status: int, expected: bytes) -> None:
    async def read() -> tuple[Any, list[tuple[int, int]], bytes]:
        answer = await _ask(image, **sent)
        received, steps = b"", []
        async for block in answer.streaming_content:
            received += block
            steps.append((len(received), Counted.read_so_far))
        return answer, steps, received

    answer, steps, received = async_to_sync(read)()

    assert (answer.status_code, received) == (status, expected)
    assert answer.headers["Content-Length"] == str(len(expected))
    assert Counted.largest <= BLOCK < len(DATA)
    # No block is read before the previous one was sent.
    assert all(sent_so_far == read_so_far for sent_so_far, read_so_far in steps)


@requirement("media.proxy.streaming")
def test_a_file_is_closed_when_the_browser_goes_away(image: Image) -> None:
    async def leave() -> None:
        answer = await _ask(image)
        blocks = answer.streaming_content
        await anext(blocks)
        await blocks.aclose()

    async_to_sync(leave)()

    assert Counted.read_so_far == BLOCK


@requirement("media.proxy.streaming")
def test_an_unread_file_is_closed(image: Image) -> None:
    async def close() -> None:
        (await _ask(image)).close()

    async_to_sync(close)()

    assert Counted.read_so_far == 0


def test_head_sends_nothing(image: Image) -> None:
    async def head() -> Any:
        return await AsyncClient().head(f"/blog/media/{image.sha256}/quay.png")

    answer = async_to_sync(head)()

    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["Content-Length"] == str(len(DATA))
    assert Counted.read_so_far == 0
