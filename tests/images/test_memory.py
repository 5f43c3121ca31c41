"""Memory use while a process handles the largest images of every kind."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Picture

from tests.requirements import requirement
from tests.support.images import animation, encoded, interlaced_png, png_of
from tests.support.programs import environment, run

pytestmark = [
    pytest.mark.heavy,
    pytest.mark.measured,
    pytest.mark.skipif(
        not Path("/proc/self/clear_refs").exists(), reason="needs Linux, which tells the memory of a process"
    ),
]

MOST = 300_000_000
SIDE = 7_071
ASKED = ["w480.avif", "w1600.webp"]


def flat(format: str, *, mode: str = "RGB", size: tuple[int, int] = (SIDE, SIDE), **options: object) -> bytes:
    return encoded(Picture.new(mode, size, 90), format, **options)


def noise(format: str, *, size: tuple[int, int], mode: str = "RGB", **options: object) -> bytes:
    """Pixels that no encoder can leave out."""
    grey = Picture.effect_noise((256, 256), 80)
    picture = grey.convert(mode)
    if mode == "RGBA":
        picture.putalpha(grey)
    return encoded(picture.resize(size), format, **options)


# The variants that are drawn; ``None`` for an image that is refused.
LARGEST: dict[str, tuple[Callable[[], bytes], list[str] | None]] = {
    "PNG of one bit": (lambda: png_of(SIDE, SIDE), ASKED),
    "PNG": (lambda: flat("PNG"), ASKED),
    "PNG with alpha": (lambda: flat("PNG", mode="RGBA"), ASKED),
    "PNG with a transparent colour": (lambda: flat("PNG", transparency=(1, 2, 3)), ASKED),
    "PNG with a palette": (lambda: flat("PNG", mode="P", transparency=0), ASKED),
    "PNG of grey with alpha": (lambda: flat("PNG", mode="LA"), ASKED),
    "PNG of 16 bits": (lambda: flat("PNG", mode="I;16"), ASKED),
    "interlaced PNG": (lambda: interlaced_png(SIDE, SIDE), ASKED),
    "wide PNG": (lambda: flat("PNG", mode="RGBA", size=(50_000, 1_000)), ASKED),
    "tall PNG": (
        lambda: flat("PNG", mode="RGBA", size=(1_700, 29_411)),
        ["w480.avif"],
    ),
    "PNG that is hardly made smaller": (
        lambda: flat("PNG", mode="RGBA", size=(6_399, 7_813)),
        ASKED,
    ),
    "moving PNG": (
        lambda: animation("PNG", size=(5_000, 5_000), frames=2, mode="RGBA", disposal=2, blend=1),
        None,
    ),
    "moving PNG within memory": (
        lambda: animation("PNG", size=(4_000, 4_000), frames=3, mode="RGBA", disposal=2, blend=1),
        [],
    ),
    "JPEG": (lambda: noise("JPEG", size=(SIDE, SIDE), quality=50), ASKED),
    "JPEG of grey": (lambda: flat("JPEG", mode="L"), ASKED),
    "JPEG of CMYK": (lambda: flat("JPEG", mode="CMYK"), ASKED),
    "JPEG that is hardly made smaller": (lambda: flat("JPEG", size=(3_199, 15_600)), ["w480.avif"]),
    "progressive JPEG": (lambda: noise("JPEG", size=(SIDE, SIDE), quality=50, progressive=True), ASKED),
    "progressive JPEG that is hardly made smaller": (
        lambda: flat("JPEG", size=(3_199, 15_600), progressive=True),
        ["w480.avif"],
    ),
    "progressive JPEG in full colour": (lambda: flat("JPEG", progressive=True, subsampling=0), None),
    "progressive JPEG of CMYK": (lambda: flat("JPEG", mode="CMYK", progressive=True), None),
    "GIF": (lambda: flat("GIF", mode="P"), ASKED),
    "transparent GIF": (lambda: flat("GIF", mode="P", transparency=0), ASKED),
    "moving GIF": (lambda: animation("GIF", size=(5_000, 5_000), frames=2, disposal=2), None),
    "moving GIF within memory": (lambda: animation("GIF", size=(3_900, 3_900), frames=3, disposal=3), []),
    "WebP": (lambda: flat("WEBP", method=0), None),
    "lossless WebP with alpha": (lambda: flat("WEBP", mode="RGBA", lossless=True, method=0, quality=0), None),
    "WebP within memory": (lambda: noise("WEBP", size=(4_000, 3_750), quality=20, method=0), ASKED),
    "lossless WebP within memory": (
        lambda: flat("WEBP", mode="RGBA", size=(4_000, 3_750), lossless=True, method=0, quality=0),
        ASKED,
    ),
    "moving WebP": (lambda: animation("WEBP", size=(5_000, 5_000), frames=2, method=0, quality=0), None),
    "moving WebP within memory": (lambda: animation("WEBP", size=(4_000, 4_000), frames=3, method=0, quality=0), []),
    "AVIF": (lambda: flat("AVIF", speed=10), None),
    "AVIF in full colour with alpha": (lambda: flat("AVIF", mode="RGBA", speed=10, subsampling="4:4:4"), None),
    "photo of a phone as AVIF": (lambda: noise("AVIF", size=(4_032, 3_024), speed=10, quality=20), ASKED),
    "AVIF with alpha within memory": (
        lambda: flat("AVIF", mode="RGBA", size=(4_032, 3_024), speed=10, subsampling="4:4:4"),
        ASKED,
    ),
    "AVIF of 24 megapixels": (lambda: noise("AVIF", size=(6_000, 4_000), speed=10, quality=60), []),
    "AVIF of 24 megapixels in full colour": (
        lambda: flat("AVIF", size=(6_000, 4_000), speed=10, subsampling="4:4:4"),
        [],
    ),
    "moving AVIF": (lambda: animation("AVIF", size=(5_000, 5_000), frames=2, speed=10), None),
    "moving AVIF of 16 megapixels": (lambda: animation("AVIF", size=(4_000, 4_000), frames=3, speed=10), []),
    "moving AVIF within memory": (lambda: animation("AVIF", size=(2_700, 2_700), frames=6, mode="RGBA", speed=10), []),
}


@requirement("images.bytes.memory")
@pytest.mark.parametrize("kind", LARGEST)
def test_the_largest_images_take_at_most_300_megabytes(kind: str, tmp_path: Path) -> None:
    make, drawn = LARGEST[kind]

    used = measured(make(), ASKED, folder=tmp_path)

    assert used["grown"] <= MOST
    assert (used["accepted"], used["drawn"]) == (drawn is not None, drawn or [])


@requirement("images.bytes.memory")
@pytest.mark.parametrize("variant", ["w1600.avif", "w1600.webp"])
def test_the_largest_variant_takes_at_most_300_megabytes(variant: str, tmp_path: Path) -> None:
    used = measured(noise("PNG", size=(1_600, 3_125), mode="RGBA", compress_level=1), [variant], folder=tmp_path)

    assert used["grown"] <= MOST
    assert used["drawn"] == [variant]


def measured(data: bytes, asked: list[str], *, folder: Path) -> dict[str, Any]:
    path = folder / "quay"
    path.write_bytes(data)
    command = [sys.executable, "-m", "tests.images.memory_used", str(path), *asked]
    done = run(command, env=environment({"DJANGO_SETTINGS_MODULE": "tests.settings"}), timeout=300)
    assert done.returncode == 0, done.stderr
    used: dict[str, Any] = json.loads(done.stdout)
    return used
