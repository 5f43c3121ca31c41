"""Bytes that are made to do harm."""

import random
import warnings
from collections.abc import Callable

import pytest
from PIL import Image as Picture

from blog_engine.errors import ImageNotPermitted
from blog_engine.images.inspect import inspect_image
from tests.requirements import requirement
from tests.support.images import (
    animation,
    encoded,
    gif_and_tar,
    gif_of_dots,
    gif_with_larger_frame,
    halves,
    photo,
    plain,
    png_of,
)

FORMATS = ["PNG", "JPEG", "WEBP", "GIF", "AVIF"]
EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\nshowpage\n"

REFUSED: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "svg": lambda: b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    "html": lambda: b"<!doctype html><title>x</title><script>alert(1)</script>",
    "pdf": lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n",
    "eps": lambda: EPS,
    "bmp": lambda: plain("BMP"),
    "tiff": lambda: plain("TIFF"),
    "ico": lambda: plain("ICO"),
    "jpeg 2000": lambda: plain("JPEG2000"),
    "program": lambda: b"\x7fELF\2\1\1" + bytes(200),
    "only a signature": lambda: b"\x89PNG\r\n\x1a\n",
    "only a header": lambda: b"GIF89a" + bytes(7),
    "html after a signature": lambda: b"\xff\xd8\xff<html><script>alert(1)</script></html>",
    "two types at once": gif_and_tar,
    "more pixels than allowed": lambda: png_of(7_100, 7_100),
    "more pixels than Pillow warns of": lambda: png_of(10_000, 10_000),
    "more pixels than Pillow opens": lambda: png_of(20_000, 20_000),
    "more pixels in all frames than allowed": lambda: gif_of_dots(51, screen=(1_000, 1_000)),
    "a frame that needs more pixels than allowed": lambda: gif_with_larger_frame((7_100, 7_100)),
    "more frames than allowed": lambda: gif_of_dots(10_001),
}


@requirement("images.bytes.types", "images.bytes.pixels")
@pytest.mark.parametrize("kind", REFUSED)
def test_bytes_that_are_no_accepted_image_are_refused(kind: str) -> None:
    with pytest.raises(ImageNotPermitted) as refused:
        inspect_image(REFUSED[kind](), filename="quay.png")

    assert refused.value.details == []


@requirement("images.bytes.pixels")
@pytest.mark.parametrize(
    "image",
    [png_of(7_000, 7_000), gif_of_dots(50, screen=(1_000, 1_000)), gif_of_dots(10_000), gif_with_larger_frame((9, 9))],
    ids=["pixels", "pixels in frames", "frames", "larger frame"],
)
def test_images_within_the_limits_are_accepted(image: bytes) -> None:
    assert inspect_image(image, filename="quay").data == image


@requirement("images.bytes.pixels")
def test_a_bomb_is_refused_where_warnings_are_not_errors() -> None:
    with warnings.catch_warnings(), pytest.raises(ImageNotPermitted):
        warnings.simplefilter("ignore")
        inspect_image(png_of(10_000, 10_000), filename="quay")


@requirement("images.bytes.whole")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kept", [0.2, 0.5, 0.9])
def test_a_file_that_ends_early_is_refused(format: str, kept: float) -> None:
    whole = encoded(Picture.effect_noise((60, 40), 80).convert("RGB"), format)

    with pytest.raises(ImageNotPermitted):
        inspect_image(whole[: int(len(whole) * kept)], filename="quay")


@requirement("images.bytes.whole")
@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP", "AVIF"])
def test_a_file_that_lacks_its_last_bytes_is_refused(format: str) -> None:
    with pytest.raises(ImageNotPermitted):
        inspect_image(encoded(halves(), format)[:-3], filename="quay")


@requirement("images.bytes.whole")
def test_an_animation_that_ends_early_is_refused() -> None:
    whole = animation("GIF", size=(60, 40))

    with pytest.raises(ImageNotPermitted):
        inspect_image(whole[:-9], filename="quay")


@pytest.mark.parametrize("tail", [b"<script>alert(1)</script>", b"PK\3\4\x14\0\0\0\0\0", b"\0" * 40])
def test_what_follows_an_image_makes_nothing_else_of_it(tail: bytes) -> None:
    image = inspect_image(photo() + tail, filename="quay.html")

    assert image.content_type == "image/jpeg"


@requirement("images.bytes.whole")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("format", FORMATS)
def test_damaged_bytes_are_an_image_or_refused(format: str) -> None:
    source = animation(format) if format == "GIF" else photo(format=format)
    chance = random.Random(format)  # noqa: S311 - the same damage on each run

    for _ in range(300):
        damaged = bytearray(source)
        for _ in range(chance.randint(1, 12)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        try:
            image = inspect_image(bytes(damaged), filename="quay")
        except ImageNotPermitted:
            continue
        assert image.width * image.height <= 50_000_000
