"""Files of very many small parts, each of which Pillow reads in Python."""

import struct
import zlib
from io import BytesIO

import pytest
from PIL import Image as Picture

from blog_engine.errors import ImageNotPermitted
from blog_engine.images._structure import MOST_PARTS, has_too_many_parts, has_too_many_scans
from blog_engine.images.inspect import inspect_image
from blog_engine.images.variants import TooLargeToDraw, draw
from tests.requirements import requirement
from tests.support.images import animation, encoded, gif_of_dots, halves, photo, plain


def chunk(kind: bytes, content: bytes = b"") -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def with_parts(name: str, number: int) -> bytes:
    """Return an image that Pillow reads, with so many more parts of a kind."""
    format, place, part = MANY[name]
    data = plain(format)
    position = {
        "start of a JPEG": 2,
        "scan": data.find(b"\xff\xda"),
        "pixels of a PNG": data.find(b"IDAT") - 4,
        "end of a PNG": len(data) - 12,
        "frame": data.find(b"\x2c", 13),
        "comment": data.find(b"\x2c", 13),
    }[place]
    more = b"\x21\xfe" + part * number + b"\0" if place == "comment" else part * number
    return data[:position] + more + data[position:]


MANY = {
    "unknown chunks": ("PNG", "pixels of a PNG", chunk(b"abCd")),
    "texts": ("PNG", "pixels of a PNG", chunk(b"tEXt", b"a\0b")),
    "empty pixels": ("PNG", "pixels of a PNG", chunk(b"IDAT")),
    "chunks after the pixels": ("PNG", "end of a PNG", chunk(b"tEXt", b"a\0b")),
    "comments of a JPEG": ("JPEG", "start of a JPEG", b"\xff\xfe\0\2"),
    "tables": ("JPEG", "scan", b"\xff\xc4\0\2"),
    "blocks of Photoshop": ("JPEG", "start of a JPEG", b"\xff\xed\0\x1c" + b"Photoshop 3.0\0" + b"8BIM" + bytes(8)),
    "filling": ("JPEG", "scan", b"\xff"),
    "bytes out of place": ("JPEG", "scan", b"\xff\0"),
    "starts": ("JPEG", "start of a JPEG", b"\xff\xd8"),
    "comments of a GIF": ("GIF", "frame", b"\x21\xfe\x01a\0"),
    "blocks of a comment": ("GIF", "comment", b"\x01a"),
    "zeros": ("GIF", "frame", b"\0"),
}


@requirement("images.bytes.parts")
@pytest.mark.parametrize("name", MANY)
def test_a_file_of_very_many_parts_is_refused(name: str) -> None:
    data = with_parts(name, MOST_PARTS)

    with pytest.raises(ImageNotPermitted, match="save it again"):
        inspect_image(data, filename="quay")
    with pytest.raises(TooLargeToDraw):
        draw(data, size=(10, 10), format="webp")


@pytest.mark.parametrize("name", [name for name in MANY if name not in {"starts", "bytes out of place"}])
def test_some_more_parts_are_accepted(name: str) -> None:
    assert not has_too_many_parts(with_parts(name, 500))
    assert inspect_image(with_parts(name, 500), filename="quay").width == 30


@pytest.mark.parametrize(
    "data",
    [photo(), plain("PNG"), plain("GIF"), animation("GIF"), animation("PNG"), gif_of_dots(10_000), plain("WEBP")],
    ids=["photo", "PNG", "GIF", "moving GIF", "moving PNG", "most frames", "WebP"],
)
def test_ordinary_files_have_few_parts(data: bytes) -> None:
    assert not has_too_many_parts(data)


@pytest.mark.parametrize("format", ["PNG", "JPEG", "GIF"])
def test_any_beginning_of_a_file_can_be_counted(format: str) -> None:
    data = plain(format)

    assert not any(has_too_many_parts(data[:kept]) for kept in range(len(data)))


def test_what_follows_a_png_does_not_count() -> None:
    data = plain("PNG") + bytes(12 * MOST_PARTS)

    assert inspect_image(data, filename="quay").data == data


def with_scans(number: int, *, behind: bytes = b"") -> bytes:
    """Return a progressive JPEG whose first scan is there so many times more, behind other segments."""
    data = encoded(halves(), "JPEG", progressive=True)
    start = data.index(b"\xff\xda")
    end = data.index(b"\xff\xc4", start)
    return data[:end] + behind + data[start:end] * number + data[end:]


def too_many_scans(data: bytes, *, pixels: int) -> bool:
    with Picture.open(BytesIO(data)) as image:
        return has_too_many_scans(image, data, pixels=pixels)


@requirement("images.bytes.parts")
@pytest.mark.parametrize("behind", [b"", b"\xff\xfe\0\2" * MOST_PARTS], ids=["at once", "behind comments"])
def test_a_jpeg_of_very_many_scans_is_refused(behind: bytes) -> None:
    data = with_scans(100, behind=behind)

    with pytest.raises(ImageNotPermitted, match="scans of a JPEG"):
        inspect_image(data, filename="quay")
    with pytest.raises(TooLargeToDraw):
        draw(data, size=(10, 10), format="webp")


def test_a_large_jpeg_has_fewer_scans_than_a_small_one() -> None:
    usual = encoded(halves(), "JPEG", progressive=True)

    assert not too_many_scans(usual, pixels=50_000_000)
    assert not too_many_scans(with_scans(20), pixels=24_000_000)
    assert too_many_scans(with_scans(20), pixels=50_000_000)


def test_scans_inside_a_preview_or_after_the_end_do_not_count() -> None:
    data = photo()
    preview = b"\xff\xda\0\2" * 200
    hidden = data[:2] + b"\xff\xe5" + (len(preview) + 2).to_bytes(2) + preview + data[2:] + preview

    assert not too_many_scans(hidden, pixels=1)
