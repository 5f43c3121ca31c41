"""Groups of settings, and the colours of theme and host."""

from pathlib import Path
from typing import Literal

import pytest
from pytest_django import Settings

import blog_engine
from blog_engine.conf.groups import (
    THEME,
    Mode,
    Palette,
    PolicyUrls,
    RouteSegments,
    ThemeColors,
    colors_in,
    theme_colors,
)
from blog_engine.enums import PolicyKind


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://example.com/who", "https://example.com/who"),
        ("/about/", "/about/"),
        ("", None),
        (" ", None),
        (None, None),
    ],
)
def test_a_blank_policy_url_is_none(written: str | None, url: str | None) -> None:
    urls = PolicyUrls(responsible_party=written)

    assert urls.of(PolicyKind.RESPONSIBLE_PARTY) == url


def test_each_policy_kind_has_its_own_url() -> None:
    urls = PolicyUrls(responsible_party="/a", corrections="/b", editorial="/c", ai_use="/d")

    assert [urls.of(kind) for kind in PolicyKind] == ["/a", "/b", "/c", "/d"]


def test_the_segments_are_known_together() -> None:
    segments = RouteSegments(tag="topics")

    assert segments.values() == {"category", "topics", "author", "series"}


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


def test_there_are_27_colours() -> None:
    assert len(ThemeColors.model_fields.keys() - {"light", "dark"}) == 27


def test_without_overrides_no_colour_is_changed() -> None:
    assert (ThemeColors().for_mode("light"), ThemeColors().for_mode("dark")) == ({}, {})
