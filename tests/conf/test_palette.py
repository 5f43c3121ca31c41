from typing import Literal

import pytest

from blog_engine.conf.groups import ThemeColors


@pytest.mark.parametrize(
    ("mode", "colors"),
    [
        ("light", {"accent": "#336699", "code_bg": "#ffffff80"}),
        ("dark", {"accent": "#9cf", "code_bg": "#ffffff80", "accent_2_soft": "#000"}),
    ],
)
def test_a_colour_of_one_mode_beats_a_shared_one(mode: Literal["light", "dark"], colors: dict[str, str]) -> None:
    written = {"accent": "#336699", "code_bg": "#ffffff80", "dark": {"accent": "#9cf", "accent_2_soft": "#000"}}

    assert ThemeColors.model_validate(written).for_mode(mode) == colors


def test_there_are_24_colours() -> None:
    assert len(ThemeColors.model_fields.keys() - {"light", "dark"}) == 24


def test_without_overrides_no_colour_is_changed() -> None:
    assert (ThemeColors().for_mode("light"), ThemeColors().for_mode("dark")) == ({}, {})
