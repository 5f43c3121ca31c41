"""The file name of an image."""

import pytest

from blog_engine.errors import ImageNotPermitted
from blog_engine.images.inspect import inspect_image
from tests.requirements import requirement
from tests.support.images import plain

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
