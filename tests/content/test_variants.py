"""The widths and sizes of the variants of an image."""

import pytest

from blog_engine.content.figures import variant_formats, variant_size, variant_widths
from tests.requirements import requirement


@requirement("media.widths")
@pytest.mark.parametrize(
    ("width", "height", "widths"),
    [
        (1, 1, ()),
        (479, 300, ()),
        (480, 300, (480,)),
        (481, 300, (480, 768)),
        (768, 300, (480, 768)),
        (1000, 300, (480, 768, 1200)),
        (1200, 300, (480, 768, 1200)),
        (1600, 300, (480, 768, 1200, 1600)),
        (4000, 3000, (480, 768, 1200, 1600)),
        (1600, 20_000, (480, 768, 1200)),
        (480, 20_000, ()),
    ],
)
def test_an_image_has_the_widths_it_can_fill(width: int, height: int, widths: tuple[int, ...]) -> None:
    assert variant_widths(width, height, is_animated=False) == widths


@requirement("media.unchanged")
def test_an_animation_has_no_variants() -> None:
    assert variant_widths(4000, 3000, is_animated=True) == ()


@requirement("media.widths")
@pytest.mark.parametrize(
    ("width", "height", "to", "size"),
    [
        (4000, 3000, 1200, (1200, 900)),
        (1000, 750, 1200, (1000, 750)),
        (1601, 1001, 480, (480, 300)),
        (50_000, 9, 480, (480, 1)),
    ],
)
def test_a_variant_keeps_the_proportions_and_is_never_larger(
    width: int, height: int, to: int, size: tuple[int, int]
) -> None:
    assert variant_size(width, height, to=to) == size


def test_this_pillow_writes_both_formats_the_smaller_files_first() -> None:
    assert variant_formats() == ("avif", "webp")
