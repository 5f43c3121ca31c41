import pytest

from blog_engine.conf.colors import Lch, color_of, contrast, flatten, lch_of, mix
from tests.requirements import requirement


@requirement("doctor.theme")
@pytest.mark.parametrize(
    ("text", "ground", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#000", "#fff", 21.0),
        ("#ffffff", "#000000", 21.0),
        ("#777777", "#ffffff", 4.48),
        ("#767676", "#FFFFFF", 4.54),
        ("#ff0000", "#ffffff", 4.0),
        ("#123456", "#123456", 1.0),
    ],
)
def test_contrast_is_computed_as_the_guidelines_say(text: str, ground: str, ratio: float) -> None:
    assert round(contrast(text, ground), 2) == ratio


def test_text_that_lets_light_through_is_mixed_with_its_ground() -> None:
    assert contrast("#00000080", "#ffffff") == pytest.approx(contrast("#7f7f7f", "#ffffff"), abs=0.05)
    assert contrast("#00000000", "#ffffff") == 1.0


def test_a_ground_that_lets_light_through_is_mixed_with_what_lies_behind() -> None:
    assert contrast("#ffffff", "#00000000", "#000000") == 21.0
    assert contrast("#ffffff", "#ffffff00", "#00000000", "#000000") == 21.0


@pytest.mark.parametrize("color", ["#000000", "#ffffff", "#0b6450", "#ff0000", "#00ff00", "#0000ff", "#777777"])
def test_a_colour_survives_the_way_to_lightness_chroma_and_hue(color: str) -> None:
    assert color_of(lch_of(color)) == color


def test_lightness_chroma_and_hue_are_those_of_oklch() -> None:
    lightness, chroma, hue = lch_of("#ff0000")

    assert (round(lightness, 3), round(chroma, 3), round(hue, 3)) == (0.628, 0.258, 0.510)


def test_a_colour_that_no_screen_shows_loses_chroma_only() -> None:
    shown = lch_of(color_of(Lch(0.9, 0.4, 4.6)))

    assert shown.lightness == pytest.approx(0.9, abs=0.01)
    assert shown.hue == pytest.approx(4.6 - 2 * 3.14159, abs=0.05)
    assert shown.chroma < 0.1


def test_colours_are_mixed_and_laid_over_each_other() -> None:
    assert mix("#000000", "#ffffff", share=0.2) == "#cccccc"
    assert flatten("#00000080", "#fff") == "#7f7f7f"
