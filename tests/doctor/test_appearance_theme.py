from pathlib import Path

import pytest
from pytest_django import Settings

import blog_engine
from blog_engine.conf.colors import READABLE, contrast
from blog_engine.conf.groups import Palette, colors_in
from blog_engine.doctor.appearance import PAIRS, probe_theme
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.support.tables import verdict_of

THEME = (Path(blog_engine.__file__).parent / "static" / "blog_engine" / "theme.css").read_text("utf-8")


@requirement("doctor.theme")
def test_the_default_theme_is_ok() -> None:
    assert verdict_of(probe_theme)[0] == "ok"


def test_the_default_colours_have_enough_contrast() -> None:
    for colors in colors_in(THEME).values():
        assert [pair for pair in PAIRS if contrast(colors[pair[0]], colors[pair[1]]) < READABLE] == []


def test_a_host_can_change_each_colour_of_the_pairs() -> None:
    assert {name for pair in PAIRS for name in pair} <= set(Palette.model_fields)
    assert len(set(PAIRS)) == len(PAIRS)


@requirement("doctor.theme")
def test_a_stylesheet_that_is_not_found_is_an_error(settings: Settings) -> None:
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]

    assert_verdict(probe_theme, "error", "theme.css")


def test_readable_colours_are_ok(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(theme_colors={"light": {"surface": "#fff", "text": "#222"}})

    assert verdict_of(probe_theme)[0] == "ok"


@requirement("doctor.theme")
@pytest.mark.parametrize(
    ("colors", "named"),
    [
        ({"light": {"text": "#999999"}}, ["light mode: text (#999999) on surface "]),
        ({"dark": {"text": "#555"}}, ["dark mode: text (#555) on surface "]),
        ({"surface": "#808080"}, ["light mode: text (#2b2b2b) on surface (#808080)", "dark mode: heading"]),
        ({"light": {"code_bg": "#333333"}}, ["light mode: code_text (#2b2b2b) on code_bg (#333333)"]),
        ({"light": {"accent_contrast": "#0b6450"}}, ["accent_contrast (#0b6450) on accent "]),
        ({"light": {"text": "#25312b40"}}, ["light mode: text (#25312b40) on surface "]),
        ({"light": {"notice_bg": "#00000080"}}, ["light mode: notice_text (#1c3229) on notice_bg (#00000080)"]),
    ],
)
def test_a_low_contrast_is_a_warning_that_names_the_pair(
    settings: Settings, colors: dict[str, object], named: list[str]
) -> None:
    settings.BLOG_ENGINE = blog_settings(theme_colors=colors)

    assert_verdict(probe_theme, "warning", *named)


@requirement("pages.theme-colors.accent")
@pytest.mark.parametrize("accent", ["#0b4a8f", "#ffd500", "#000000", "#fff", "#77777780"])
def test_an_accent_of_both_modes_is_readable(settings: Settings, accent: str) -> None:
    settings.BLOG_ENGINE = blog_settings(theme_colors={"accent": accent})

    assert verdict_of(probe_theme)[0] == "ok"


@requirement("pages.theme-colors.accent", "doctor.theme")
def test_colours_derived_from_an_accent_are_measured_with_the_hosts_colours(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(theme_colors={"accent": "#0b4a8f", "light": {"accent_soft": "#4a6f9f"}})

    message = assert_verdict(probe_theme, "warning", "light mode: accent (#0b4a8f) on accent_soft (#4a6f9f)")

    assert "dark mode" not in message


def test_only_the_mode_that_is_changed_is_named(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(theme_colors={"light": {"text": "#999999"}})

    assert "dark mode" not in verdict_of(probe_theme)[1]


@requirement("doctor.theme.used-modes")
def test_an_unused_mode_is_not_measured(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(theme_colors={"light": {"text": "#999999"}}, color_scheme="dark")

    assert verdict_of(probe_theme)[0] == "ok"


@requirement("doctor.theme")
def test_a_ratio_just_below_the_limit_is_not_rounded_up(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(theme_colors={"light": {"surface": "#ffffff", "text": "#777777"}})

    assert " 4.4:1" in verdict_of(probe_theme)[1]


def test_an_overridden_stylesheet_is_measured_by_its_own_colours(settings: Settings, tmp_path: Path) -> None:
    own = tmp_path / "blog_engine" / "theme.css"
    own.parent.mkdir()
    own.write_text(":root { --blog-surface: light-dark(#777777, #0f1512); --blog-text: black; }", "utf-8")
    settings.STATICFILES_DIRS = [tmp_path]
    settings.BLOG_ENGINE = blog_settings(theme_colors={"light": {"heading": "#777777", "text": "#777777"}})

    message = assert_verdict(probe_theme, "warning", "heading (#777777) on surface (#777777)")

    assert "surface_raised" not in message


@requirement("doctor.theme")
@pytest.mark.parametrize(
    ("setting", "value", "named"),
    [
        ("brand", {"stylesheets": ["own/none.css"]}, "brand names own/none.css, which"),
        (
            "brand",
            {"fonts": {"code": {"family": "Own", "files": [{"path": "own/none.woff2"}]}}},
            "brand names own/none.woff2, which",
        ),
        ("diagrams", {"dot": "own/none.js", "mermaid": "own/none.js"}, "diagrams names own/none.js, which"),
    ],
    ids=["stylesheet", "font", "script"],
)
def test_a_file_of_the_settings_that_is_not_found_is_an_error(
    settings: Settings, setting: str, value: dict[str, object], named: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(**{setting: value})

    assert_verdict(probe_theme, "error", named)


def test_files_of_the_settings_that_are_found_are_ok(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(
        brand={"accent": "#7a1f5c", "stylesheets": ["blog_engine/theme.css"]},
        diagrams={"mermaid": "blog_engine/article.js"},
    )

    assert verdict_of(probe_theme) == ("ok", "The theme is found, and the host's colours are readable.")


FOUND = "/static/blog_engine/theme.css"


@requirement("doctor.theme.images")
@pytest.mark.parametrize(
    ("written", "key"),
    [
        ({"brand": {"logo_url": "https://cdn.example/l.svg"}}, "brand.logo_url"),
        ({"brand": {"logo_url": FOUND, "logo_dark_url": "http://cdn.example/l.svg"}}, "brand.logo_dark_url"),
        ({"brand": {"icon_url": "https://cdn.example/i.svg"}}, "brand.icon_url"),
        ({"favicon_url": "https://cdn.example/i.svg"}, "favicon_url"),
        ({"touch_icon_url": "https://cdn.example/i.png"}, "touch_icon_url"),
    ],
)
def test_an_image_on_another_host_is_a_warning(settings: Settings, written: dict[str, object], key: str) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://example.com", **written)

    assert_verdict(probe_theme, "warning", f"{key} is on another host, cdn.example")


@requirement("doctor.theme.images")
@pytest.mark.parametrize("origin", ["", "https://example.com"])
def test_a_logo_that_is_missing_from_the_static_files_is_a_warning(settings: Settings, origin: str) -> None:
    settings.BLOG_ENGINE = blog_settings(
        public_base_url="https://example.com", brand={"logo_url": f"{origin}/static/brand/none.svg?v=2"}
    )

    assert_verdict(probe_theme, "warning", "brand.logo_url names brand/none.svg below STATIC_URL, which is not found")


@requirement("doctor.theme.images")
@pytest.mark.parametrize(
    "url",
    [FOUND, f"https://example.com{FOUND}", "/media/logo.svg", "https://example.com/logo.svg", "/static/a.123.svg"],
)
def test_images_of_the_site_are_ok(settings: Settings, tmp_path: Path, url: str) -> None:
    (tmp_path / "a.123.svg").touch()
    settings.STATIC_ROOT = tmp_path
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://example.com", brand={"logo_url": url})

    assert verdict_of(probe_theme)[0] == "ok"


@requirement("doctor.theme.images")
def test_images_below_a_static_url_on_a_cdn_are_looked_for(settings: Settings) -> None:
    settings.STATIC_URL = "https://cdn.example/static/"
    settings.BLOG_ENGINE = blog_settings(
        brand={
            "logo_url": "https://cdn.example/static/blog_engine/theme.css",
            "icon_url": "https://cdn.example/static/none.svg",
        }
    )

    message = assert_verdict(probe_theme, "warning", "brand.icon_url names none.svg below STATIC_URL")

    assert "logo_url" not in message


@pytest.mark.parametrize("url", ["javascript:alert(1)", "", "data:image/svg+xml,x", "//cdn.example/l.svg", "https://["])
def test_what_pages_leave_out_is_left_to_the_system_check(settings: Settings, url: str) -> None:
    settings.BLOG_ENGINE = blog_settings(brand={"logo_url": url})

    assert verdict_of(probe_theme)[0] == "ok"
