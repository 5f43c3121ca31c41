import pytest

from blog_engine.report.contrast import contrast
from tests.requirements import requirement


@requirement("doctor:theme")
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
