"""The type, size and file name of image bytes, and which of them are accepted."""

from hashlib import sha256

import pytest
from PIL import Image as Picture
from PIL import ImageFile
from pytest_django import Settings

from blog_engine.errors import ImageNotPermitted
from blog_engine.images.inspect import InspectedImage, inspect_image
from tests.requirements import requirement
from tests.support import images
from tests.support.hosts import blog_settings
from tests.support.images import animation, encoded, exif_of, halves, photo, plain

TYPES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "WEBP": "image/webp",
    "GIF": "image/gif",
    "AVIF": "image/avif",
}


def refuse(data: bytes, **claims: str) -> ImageNotPermitted:
    with pytest.raises(ImageNotPermitted) as refused:
        inspect_image(data, **{"filename": "quay.png"} | claims)
    assert refused.value.details == []
    return refused.value


@requirement("images.bytes.type", "images.bytes.types")
@pytest.mark.parametrize("format", TYPES)
def test_an_image_is_what_its_bytes_are(format: str) -> None:
    data = plain(format, size=(30, 20))

    image = inspect_image(data, filename="quay.html", declared_type=TYPES[format], source_url="https://a.example/q")

    assert image == InspectedImage(
        data=data,
        sha256=sha256(data).hexdigest(),
        filename="quay.html",
        content_type=TYPES[format],
        width=30,
        height=20,
        is_animated=False,
        has_location=False,
        source_url="https://a.example/q",
    )


@pytest.mark.parametrize("format", ["GIF", "PNG", "WEBP", "AVIF"])
def test_an_animation_is_recognised(format: str) -> None:
    image = inspect_image(animation(format), filename="waves")

    assert (image.content_type, image.width, image.height, image.is_animated) == (TYPES[format], 20, 10, True)


def test_a_photo_with_a_second_picture_inside_is_a_jpeg() -> None:
    data = encoded(halves(size=(60, 40)), "MPO", save_all=True, append_images=[Picture.new("RGB", (60, 40))])

    image = inspect_image(data, filename="depth.jpg")

    assert (image.content_type, image.is_animated) == ("image/jpeg", False)


@requirement("images.object.size")
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_the_size_of_a_turned_photo_is_the_size_that_readers_see(format: str) -> None:
    image = inspect_image(photo(halves(size=(30, 20)), format=format), filename="quay")

    assert (image.width, image.height) == (20, 30)


@requirement("images.location")
@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_gps_data_of_a_photo_are_noticed(format: str) -> None:
    assert inspect_image(photo(format=format), filename="quay").has_location


def test_a_place_in_xmp_metadata_is_noticed() -> None:
    packet = b'<rdf:Description exif:GPSLatitude="52,31.2N" exif:GPSLongitude="13,24.3E"/>'

    assert inspect_image(encoded(halves(), "JPEG", xmp=packet), filename="quay").has_location
    assert not inspect_image(encoded(halves(), "JPEG", xmp=b"<rdf:Description/>"), filename="quay").has_location


def test_a_camera_that_names_no_place_gives_none_away() -> None:
    exif = Picture.Exif()
    exif.get_ifd(0x8825)[0] = b"\2\3\0\0"

    assert not inspect_image(encoded(halves(), "JPEG", exif=exif), filename="quay").has_location


@pytest.mark.filterwarnings("ignore:Corrupt EXIF data")
@pytest.mark.parametrize(
    "exif",
    [
        b"Exif\0\0MM\0\x2a\xff\xff\xff\xff",
        b"Exif\0\0no TIFF at all",
        b"Exif\0\0MM\0\x2a",
        exif_of(tag=0x8825, kind=9, value=b"\xff\xff\xff\xfb"),
    ],
    ids=["no directory", "no TIFF", "cut off", "place before the start"],
)
@pytest.mark.parametrize("format", ["JPEG", "PNG"])
def test_an_image_with_unreadable_metadata_is_accepted(format: str, exif: bytes) -> None:
    image = inspect_image(encoded(halves(), format, exif=exif), filename="quay")

    assert (image.width, image.height, image.has_location) == (600, 300, False)


@requirement("images.bytes.type")
@pytest.mark.parametrize(
    ("declared", "format"),
    [
        (None, "PNG"),
        ("", "PNG"),
        (" ", "PNG"),
        ("image/png", "PNG"),
        ("IMAGE/PNG", "PNG"),
        ("image/png; charset=binary", "PNG"),
        ("image/jpg", "JPEG"),
        ("image/pjpeg", "JPEG"),
        ("image/x-png", "PNG"),
        ("image/apng", "PNG"),
        ("image/vnd.mozilla.apng", "PNG"),
    ],
)
def test_the_declared_type_is_the_detected_one(declared: str | None, format: str) -> None:
    assert inspect_image(plain(format), filename="quay", declared_type=declared).content_type == TYPES[format]


@requirement("images.bytes.type")
@pytest.mark.parametrize("declared", ["image/jpeg", "image/svg+xml", "text/html", "application/octet-stream", "png"])
def test_another_declared_type_is_refused(declared: str) -> None:
    refuse(plain("PNG"), declared_type=declared)


@requirement("images.bytes.size")
def test_bytes_up_to_the_limit_are_accepted(settings: Settings) -> None:
    data = plain()
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=len(data))

    assert inspect_image(data, filename="quay").data == data
    refuse(data + b"\0")


@requirement("images.bytes.types")
def test_only_the_types_of_the_setting_are_accepted(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(image_content_types=["image/jpeg", "image/svg+xml"])

    assert inspect_image(plain("JPEG"), filename="quay").content_type == "image/jpeg"
    refuse(plain("PNG"))
    refuse(b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')


def test_pillow_is_left_as_the_host_has_it() -> None:
    left = (Picture.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)

    inspect_image(plain(), filename="quay")
    refuse(images.png_of(7_100, 7_100))

    assert left == (Picture.MAX_IMAGE_PIXELS, ImageFile.LOAD_TRUNCATED_IMAGES)


PNG = plain()

NAMES = {
    "quay.png": "quay.png",
    "Quay at Dusk (2).PNG": "Quay at Dusk (2).PNG",
    "no-suffix": "no-suffix",
    "/home/ada/quay.png": "quay.png",
    "C:\\Users\\Ada\\quay.png": "quay.png",
    "../../etc/passwd": "passwd",
    "a/b\\c.png": "c.png",
    ".htaccess": "htaccess",
    "...png": "png",
    "quay.png. .": "quay.png",
    "  quay \t at  dusk.png ": "quay at dusk.png",
    "quay\n\r\x07\x7f.png": "quay.png",
    "quay\u202egnp.exe.png": "quaygnp.exe.png",
    "quay\u2028\u2029\u200b\ufeff.png": "quay.png",
    'a<b>c:d"e|f?g*h.png': "a-b-c-d-e-f-g-h.png",
    "quay%2Fof%00rome.png": "quay%2Fof%00rome.png",
    "u\u0308ber.png": "über.png",
    "埠頭 🚢.png": "埠頭 🚢.png",
    "w480.avif": "image-w480.avif",
    "w1.webp": "image-w1.webp",
    "w480.png": "w480.png",
    "W480.avif": "W480.avif",
    "a" * 300 + ".jpeg": "a" * 250 + ".jpeg",
    "b" * 300: "b" * 255,
    "c." + "d" * 300: "c." + "d" * 253,
    "é" * 255: "é" * 255,
    "w480.avif" + " " * 300: "image-w480.avif",
}


@requirement("images.bytes.filename")
@pytest.mark.parametrize("sent", NAMES)
def test_the_last_part_is_kept_and_made_safe(sent: str) -> None:
    assert inspect_image(PNG, filename=sent).filename == NAMES[sent]


@requirement("images.bytes.filename")
@pytest.mark.parametrize(
    "sent",
    [
        "",
        "  ",
        ".",
        "..",
        "/",
        "quay/",
        "C:\\",
        "\u202e",
        "\n",
        "quay\0.png",
        "quay\ud800.png",
        "\udcff/a.png",
        f"e{chr(0x301) * 31}.png",
    ],
)
def test_a_name_of_nothing_or_of_no_text_is_refused(sent: str) -> None:
    with pytest.raises(ImageNotPermitted) as refused:
        inspect_image(PNG, filename=sent)

    assert refused.value.details == []
