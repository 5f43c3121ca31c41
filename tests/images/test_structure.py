"""The structure of image bytes before decoding, and images too large to decode."""

import struct
from collections.abc import Callable

import pytest
from PIL import AvifImagePlugin
from PIL import Image as Picture

from blog_engine.errors import ImageNotPermitted
from blog_engine.images import _decoding
from blog_engine.images._structure import UNKNOWN, av1_pixels, boxes_are_whole, gif_canvas, jpeg_coefficients
from blog_engine.images.inspect import inspect_image
from tests.requirements import requirement
from tests.support.images import animation, encoded, gif_of_dots, gif_with_larger_frame, halves, photo, plain


@pytest.mark.parametrize(
    ("mode", "options", "blocks"),
    [
        ("RGB", {}, 0),
        ("CMYK", {}, 0),
        ("L", {"progressive": True}, 4 * 2),
        ("RGB", {"progressive": True, "subsampling": 0}, 3 * 4 * 2),
        ("RGB", {"progressive": True, "subsampling": 2}, (4 + 1 + 1) * 2),
        ("CMYK", {"progressive": True}, 4 * 4 * 2),
    ],
)
def test_coefficients_are_kept_of_a_progressive_jpeg_only(mode: str, options: dict[str, object], blocks: int) -> None:
    data = plain("JPEG", mode=mode, color=0, size=(30, 16))
    assert jpeg_coefficients(data) == 0

    data = encoded(Picture.new(mode, (30, 16)), "JPEG", **options)

    assert jpeg_coefficients(data) == blocks * 128


def test_a_jpeg_with_a_scan_for_each_component_is_kept_as_well() -> None:
    data = bytearray(plain("JPEG", size=(30, 16)))
    data[data.index(b"\xff\xda") + 4] = 1

    assert jpeg_coefficients(bytes(data)) == (4 + 1 + 1) * 2 * 128


def test_the_preview_inside_a_photo_is_not_the_photo() -> None:
    preview = encoded(halves(size=(64, 64)), "JPEG", progressive=True)
    data = photo()
    hidden = data[:2] + b"\xff\xe5" + (len(preview) + 2).to_bytes(2) + preview + data[2:]

    assert jpeg_coefficients(hidden) == 0


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (plain("GIF"), (30, 20)),
        (animation("GIF"), (20, 10)),
        (gif_of_dots(9, screen=(70, 80)), (70, 80)),
        (gif_with_larger_frame((70, 80)), (70, 80)),
    ],
    ids=["picture", "animation", "dots", "larger frame"],
)
def test_the_canvas_of_a_gif_holds_all_frames(data: bytes, size: tuple[int, int]) -> None:
    assert gif_canvas(data) == (size, True)
    assert gif_canvas(data[:-1]) == (size, False)


@pytest.mark.parametrize("tail", [b"", b"\0" * 7, b"\0\0\0\1free", b"\0\0\0\x14free"])
def test_boxes_that_end_early_are_noticed(tail: bytes) -> None:
    assert boxes_are_whole(plain("AVIF") + tail) == (tail == b"")
    assert not boxes_are_whole(plain("AVIF")[:-1])


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_the_frame_of_an_avif_is_what_its_data_ask_for(mode: str) -> None:
    data = plain("AVIF", mode=mode, color=0, size=(300, 200))
    lying = data.replace(b"ispe" + struct.pack(">III", 0, 300, 200), b"ispe" + struct.pack(">III", 0, 9, 9))

    assert lying != data
    assert (av1_pixels(data), av1_pixels(lying)) == (60_000, 60_000)


def test_an_avif_that_lies_about_its_size_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    data = plain("AVIF", size=(300, 200))
    lying = data.replace(b"ispe" + struct.pack(">III", 0, 300, 200), b"ispe" + struct.pack(">III", 0, 9, 9))
    monkeypatch.setattr(_decoding, "MOST_BYTES", 20 * 60_000 - 1)
    decoded: list[object] = []
    monkeypatch.setattr(AvifImagePlugin.AvifImageFile, "load", lambda image: decoded.append(image))

    inspect_image(lying, filename="quay")
    assert decoded == []

    monkeypatch.setattr(_decoding, "MOST_BYTES", 20 * 60_000)
    inspect_image(lying, filename="quay")
    assert len(decoded) == 1


LONG_HEADER = "0000000000000000000000000010010000111" + 9 * "1" + 8 * "1"
"""A sequence header that lets each frame choose its size, of up to 9 and 8 bits."""


@pytest.mark.parametrize(
    ("bits", "pixels"),
    [
        (LONG_HEADER, 512 * 256),
        (LONG_HEADER.replace("000000", "000001" + 64 * "0" + "1001010", 1), 512 * 256),
    ],
    ids=["plain", "with timing"],
)
def test_a_long_header_counts_as_the_largest_frame_it_allows(bits: str, pixels: int) -> None:
    header = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8))

    assert av1_pixels(avif_of(b"\x12\0\x0a" + bytes([len(header)]) + header)) == pixels


@pytest.mark.parametrize(
    "unit",
    [b"", b"\x12\0", b"\x08", b"\x0a\x01\0", b"\x0a" + b"\x80" * 9, b"\x12\0" * 10_001],
    ids=["nothing", "no header", "no size", "cut", "endless number", "many units"],
)
def test_data_that_cannot_be_read_count_as_too_large(unit: bytes) -> None:
    assert av1_pixels(avif_of(unit)) == UNKNOWN


def test_an_animation_as_avif_counts_as_too_large() -> None:
    assert av1_pixels(animation("AVIF")) == UNKNOWN


def box(kind: bytes, *content: bytes) -> bytes:
    whole = b"".join(content)
    return struct.pack(">I4s", 8 + len(whole), kind) + whole


def avif_of(unit: bytes) -> bytes:
    """Return an AVIF whose only item has these data."""
    entry = box(b"infe", struct.pack(">IHH4sx", 2 << 24, 1, 0, b"av01"))
    iinf = box(b"iinf", struct.pack(">IH", 0, 1), entry)
    iloc = box(b"iloc", struct.pack(">IBBHHHHHII", 1 << 24, 0x44, 0, 1, 1, 1, 0, 1, 0, len(unit)))
    return box(b"ftyp", b"avif") + box(b"meta", bytes(4), iinf, iloc, box(b"idat", unit))


HUGE: dict[str, Callable[[], bytes]] = {
    "jpeg": lambda: encoded(halves(), "JPEG", progressive=True),
    "webp": lambda: plain("WEBP", size=(600, 300)),
    "avif": lambda: plain("AVIF", size=(600, 300)),
    "png": lambda: encoded(halves(), "PNG"),
    "moving png": lambda: animation("PNG", size=(60, 40)),
    "moving gif": lambda: animation("GIF", size=(60, 40)),
    "moving webp": lambda: animation("WEBP", size=(60, 40)),
    "moving avif": lambda: animation("AVIF", size=(60, 40)),
}


@requirement("images.bytes.memory", "images.bytes.whole")
@pytest.mark.parametrize("most", [0, 50_000], ids=["no frame", "the first frame"])
@pytest.mark.parametrize("kind", HUGE)
def test_an_image_too_large_to_decode_is_checked_all_the_same(
    kind: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = HUGE[kind]()
    decoded = inspect_image(data, filename="quay")

    monkeypatch.setattr(_decoding, "MOST_BYTES", most)

    assert inspect_image(data, filename="quay") == decoded
    for kept in (0.3, 0.6, 0.95):
        with pytest.raises(ImageNotPermitted):
            inspect_image(data[: int(len(data) * kept)], filename="quay")


@requirement("images.bytes.one-at-a-time")
@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP"])
def test_the_decoder_is_held_while_an_image_is_opened(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held, pillow = [], Picture.open

    def watch(*args: object, **options: object) -> Picture.Image:
        held.append(_decoding.DECODER.locked())
        return pillow(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Picture, "open", watch)

    inspect_image(plain(format), filename="quay")

    assert held == [True]
    assert not _decoding.DECODER.locked()
