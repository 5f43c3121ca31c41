"""The colours that are derived from several hundred accents."""

from itertools import product

import pytest

from blog_engine.conf.colors import READABLE, brand_colors, contrast, lch_of
from blog_engine.conf.groups import CANVAS, Mode, ThemeColors, host_colors, theme_colors
from tests.requirements import requirement

MODES: list[Mode] = ["light", "dark"]
ACCENTS = [f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in product(range(0, 256, 51), repeat=3)]
GREYS = [f"#{part:02x}{part:02x}{part:02x}" for part in range(0, 256, 3)]
SOME = [*ACCENTS[::5], *GREYS[::5]]
GROUNDS = {
    "theirs": {},
    "warm": {"light": {"surface": "#fff4e0", "surface_sunken": "#f7e4c4"}, "dark": {"surface": "#221a10"}},
    "see-through": {"light": {"surface": "#eef2ffcc"}, "dark": {"surface_raised": "#ffffff10"}},
}
TEXT_ON = [
    *(("accent", ground) for ground in ("surface", "surface_raised", "accent_soft", "notice_bg")),
    *(("accent_hover", ground) for ground in ("surface", "surface_raised", "surface_sunken", "accent_soft")),
    *(("accent_2", ground) for ground in ("surface", "surface_raised", "surface_sunken", "accent_2_soft")),
    *(("accent_contrast", ground) for ground in ("accent", "accent_hover")),
    *(("heading", ground) for ground in ("accent_soft", "accent_2_soft")),
    *(("text", ground) for ground in ("accent_soft", "accent_2_soft")),
    ("notice_text", "notice_bg"),
]


def shown(colors: dict[str, object], mode: Mode) -> dict[str, str]:
    return theme_colors(mode) | host_colors(ThemeColors.model_validate(colors), mode)


def ratio(colors: dict[str, str], text: str, ground: str, *, mode: Mode) -> float:
    behind = [colors["surface"], CANVAS[mode]]
    return contrast(colors[text], *([] if ground == "surface" else [colors[ground]]), *behind)


def faint(colors: dict[str, str], mode: Mode) -> list[tuple[str, str]]:
    return [pair for pair in TEXT_ON if ratio(colors, *pair, mode=mode) < READABLE]


@requirement("pages.theme-colors.accent")
@pytest.mark.parametrize("grounds", GROUNDS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "accents", [SOME, pytest.param([*ACCENTS, *GREYS], marks=pytest.mark.heavy)], ids=["some", "all"]
)
@pytest.mark.heavy
def test_text_in_the_colours_of_any_accent_can_be_read(mode: Mode, grounds: str, accents: list[str]) -> None:
    wrong = {
        accent: pairs
        for accent in accents
        if (pairs := faint(shown({"accent": accent, **GROUNDS[grounds]}, mode), mode))
    }

    assert wrong == {}


@requirement("pages.theme-colors.accent")
@pytest.mark.parametrize("mode", MODES)
def test_the_button_of_any_exact_accent_can_be_read(mode: Mode) -> None:
    for accent in ACCENTS[::3]:
        colors = shown({mode: {"accent": accent}}, mode)

        assert colors["accent"] == accent
        assert contrast(colors["accent_contrast"], accent) >= READABLE


@requirement("pages.theme-colors.accent")
def test_an_accent_that_can_be_read_is_kept() -> None:
    assert shown({"accent": "#e4002b"}, "light")["accent"] == "#e4002b"
    assert shown({"accent": "#FD0"}, "dark")["accent"] == "#FD0"


@requirement("pages.theme-colors.accent")
@pytest.mark.parametrize(("accent", "mode"), [("#0b4a8f", "dark"), ("#ffd500", "light"), ("#7a1f5c", "dark")])
def test_an_accent_that_is_too_faint_keeps_its_hue(accent: str, mode: Mode) -> None:
    adapted = shown({"accent": accent}, mode)["accent"]

    assert adapted != accent
    assert lch_of(adapted).hue == pytest.approx(lch_of(accent).hue, abs=0.05)


@requirement("pages.theme-colors.accent")
@pytest.mark.parametrize("mode", MODES)
def test_an_accent_for_one_mode_is_never_changed(mode: Mode) -> None:
    assert shown({"accent": "#7a1f5c", mode: {"accent": "#777777"}}, mode)["accent"] == "#777777"


@requirement("pages.theme-colors.accent")
@pytest.mark.parametrize("mode", MODES)
def test_grey_stays_grey(mode: Mode) -> None:
    derived = host_colors(ThemeColors(accent="#767676"), mode)

    assert {name for name, color in derived.items() if len({color[1:3], color[3:5], color[5:7]}) > 1} == set()


@pytest.mark.parametrize("mode", MODES)
def test_without_an_accent_nothing_follows(mode: Mode) -> None:
    assert host_colors(ThemeColors(heading="#123456"), mode) == {"heading": "#123456"}


def test_an_accent_that_cannot_be_read_anywhere_is_answered_all_the_same() -> None:
    known = dict.fromkeys(("surface", "surface_raised", "surface_sunken", "heading", "text"), "#767676")

    colors = brand_colors("#767676", known, is_exact=True)

    assert colors["accent"] == "#767676"
    assert contrast(colors["accent_contrast"], "#767676") >= READABLE
