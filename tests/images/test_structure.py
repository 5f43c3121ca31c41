"""The structure of image bytes, from which the memory for decoding them is predicted."""

import struct

import pytest
from PIL import Image as Picture

from blog_engine.images._structure import UNKNOWN, av1_pixels, gif_canvas, jpeg_coefficients
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
    assert gif_canvas(data) == size
    with pytest.raises(OSError, match="ends early"):
        gif_canvas(data[:-1])


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_the_frame_of_an_avif_is_what_its_data_ask_for(mode: str) -> None:
    data = plain("AVIF", mode=mode, color=0, size=(300, 200))
    lying = data.replace(b"ispe" + struct.pack(">III", 0, 300, 200), b"ispe" + struct.pack(">III", 0, 9, 9))

    assert lying != data
    assert (av1_pixels(data), av1_pixels(lying)) == (60_000, 60_000)


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
