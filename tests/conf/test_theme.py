"""The colours of the theme."""

from pathlib import Path

import pytest
from pytest_django import Settings

import blog_engine
from blog_engine.conf.groups import THEME, Mode, Palette, colors_in, theme_colors

OWN = (Path(blog_engine.__file__).parent / "static" / THEME).read_text("utf-8")


def test_colours_are_read_from_both_sides() -> None:
    stylesheet = """:root {
      --blog-accent-2: light-dark(#A53416, #ff9f80);
      --blog-text: black;
      --blog-border: light-dark(rgb(0 0 0), #ffffff);
      --blog-note:light-dark(#111111,#eeeeee);
    }"""

    assert colors_in(stylesheet) == {
        "light": {"accent_2": "#A53416", "note": "#111111"},
        "dark": {"accent_2": "#ff9f80", "note": "#eeeeee"},
    }


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_colour_that_a_host_may_change_is_known(mode: Mode) -> None:
    assert Palette.model_fields.keys() <= theme_colors(mode).keys()
    assert theme_colors(mode) == colors_in(OWN)[mode]


def test_a_theme_that_cannot_be_found_is_ours(settings: Settings) -> None:
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]

    assert theme_colors("light") == colors_in(OWN)["light"]
