"""Variants are upright, in sRGB, transparent like the original, without metadata."""

from io import BytesIO

import pytest
from PIL import Image as Picture
from PIL import ImageCms
from PIL._util import DeferredError

from blog_engine.images.variants import draw
from tests.requirements import requirement
from tests.support.images import encoded, exchanging_profile, halves, photo

RED, BLUE, WHITE = (255, 0, 0), (0, 0, 255), (255, 255, 255)
FORMATS = ["avif", "webp"]


def drawn(data: bytes, format: str = "webp", *, size: tuple[int, int] = (60, 30)) -> Picture.Image:
    picture = Picture.open(BytesIO(draw(data, size=size, format=format)))
    picture.load()
    assert picture.size == size
    return picture


def looks(picture: Picture.Image, x: int, y: int) -> tuple[int, ...]:
    """Return the colour of a pixel, rounded for lossy formats."""
    pixel = picture.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return tuple(round(value / 51) * 51 for value in pixel)


@pytest.mark.parametrize("format", FORMATS)
def test_a_picture_is_drawn_smaller_in_both_formats(format: str) -> None:
    picture = drawn(encoded(halves(), "PNG"), format)

    assert picture.format == format.upper()
    assert (looks(picture, 10, 15), looks(picture, 50, 15)) == (RED, BLUE)


@requirement("media.drawing")
@pytest.mark.parametrize("source", ["JPEG", "PNG", "WEBP", "AVIF"])
@pytest.mark.parametrize(
    ("orientation", "red_at"),
    [
        (1, (15, 30)),
        (2, (45, 30)),
        (3, (45, 30)),
        (4, (15, 30)),
        (5, (30, 15)),
        (6, (30, 15)),
        (7, (30, 45)),
        (8, (30, 45)),
    ],
)
def test_a_turned_photo_is_drawn_upright(source: str, orientation: int, red_at: tuple[int, int]) -> None:
    data = photo(halves(size=(300, 300)), format=source, orientation=orientation)

    picture = drawn(data, size=(60, 60))

    assert looks(picture, *red_at) == RED
    assert looks(picture, 59 - red_at[0], 59 - red_at[1]) == BLUE or red_at[0] == red_at[1]


@requirement("media.drawing")
@pytest.mark.parametrize("format", FORMATS)
def test_nothing_but_the_picture_is_kept(format: str) -> None:
    source = Picture.open(BytesIO(photo(halves(size=(300, 600)))))
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    data = encoded(source, "JPEG", exif=source.getexif(), icc_profile=profile, xmp=b"<x:xmpmeta/>", comment=b"secret")

    picture = drawn(data, format)

    assert dict(picture.getexif()) == {}
    assert {"exif", "icc_profile", "xmp", "comment"} & set(picture.info) == set()


@requirement("media.drawing")
@pytest.mark.parametrize("format", FORMATS)
def test_colours_of_another_colour_space_become_srgb(format: str) -> None:
    data = encoded(halves("red", "lime"), "JPEG", icc_profile=exchanging_profile())

    picture = drawn(data, format)

    assert (looks(picture, 10, 15), looks(picture, 50, 15)) == ((0, 255, 0), (255, 0, 0))


def test_transparency_survives_a_colour_space() -> None:
    picture = Picture.new("RGBA", (600, 300), (255, 0, 0, 255))
    picture.paste((0, 0, 0, 0), (300, 0, 600, 300))

    shown = drawn(encoded(picture, "PNG", icc_profile=exchanging_profile()))

    assert looks(shown, 10, 15) == (0, 255, 0, 255)
    assert looks(shown, 50, 15)[3] == 0


@pytest.mark.parametrize("profile", [b"no profile at all", exchanging_profile()[:200]], ids=["text", "cut off"])
def test_a_broken_profile_is_ignored(profile: bytes) -> None:
    picture = drawn(encoded(halves(), "PNG", icc_profile=profile))

    assert looks(picture, 10, 15) == RED


def test_a_profile_for_other_pixels_is_ignored() -> None:
    picture = drawn(encoded(halves().convert("CMYK"), "JPEG", icc_profile=exchanging_profile()))

    assert looks(picture, 10, 15) == RED


def test_a_pillow_without_colour_management_draws_the_colours_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encoded(halves(), "PNG", icc_profile=exchanging_profile())
    monkeypatch.setattr(ImageCms, "core", DeferredError(ImportError("no LittleCMS")))

    picture = drawn(data)

    assert looks(picture, 10, 15) == RED


def test_print_colours_become_screen_colours() -> None:
    picture = drawn(encoded(halves("red", "white").convert("CMYK"), "JPEG"))

    assert (looks(picture, 10, 15), looks(picture, 50, 15)) == (RED, WHITE)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA"])
def test_every_kind_of_pixel_is_drawn_in_its_colours(mode: str) -> None:
    picture = drawn(encoded(halves("black", "white").convert(mode), "PNG"))

    assert (looks(picture, 10, 15)[:3], looks(picture, 50, 15)[:3]) == ((0, 0, 0), WHITE)


def test_a_picture_of_sixteen_bits_keeps_its_greys() -> None:
    source = halves((51, 51, 51), (153, 153, 153)).convert("I").point(lambda value: value * 257).convert("I;16")

    picture = drawn(encoded(source, "PNG"))

    assert (looks(picture, 10, 15), looks(picture, 50, 15)) == ((51, 51, 51), (153, 153, 153))


@pytest.mark.parametrize("mode", ["P", "RGB", "L"])
def test_a_transparent_colour_stays_transparent(mode: str) -> None:
    colour = 0 if mode in {"P", "L"} else (0, 0, 0)
    source = Picture.new(mode, (600, 300), colour)
    source.paste(255 if mode != "RGB" else WHITE, (0, 0, 300, 300))

    picture = drawn(encoded(source, "PNG", transparency=colour))

    assert (looks(picture, 10, 15)[3], looks(picture, 50, 15)[3]) == (255, 0)


def test_edges_of_transparent_pictures_do_not_darken() -> None:
    source = Picture.new("RGBA", (600, 300), (0, 0, 0, 0))
    source.paste((255, 255, 255, 255), (0, 0, 305, 300))

    picture = drawn(encoded(source, "PNG"))

    assert all(looks(picture, x, 15)[0] == 255 for x in range(31))


def test_a_photo_with_a_second_picture_inside_shows_its_first() -> None:
    data = encoded(halves(), "MPO", save_all=True, append_images=[Picture.new("RGB", (600, 300), "lime")])

    assert looks(drawn(data), 10, 15) == RED
