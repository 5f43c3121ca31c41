"""The stylesheet of the host's colours."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory, override_settings
from pytest_django import Settings

from blog_engine.conf.groups import ThemeColors
from blog_engine.reader.blog import ThemeSheet, ThemeView
from tests.reader.conftest import preview_path
from tests.reader.test_stylesheets import COLORS
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings, host_templates
from tests.support.pages import Visitor, parse, text_of

COLORFUL = {"theme_colors": {"accent": "#7a1f5c", "dark": {"accent": "#f0a6d5"}}}
OURS = re.compile(r"/blog/theme-[0-9a-f]{16}\.css")


def stylesheets(visitor: Visitor, path: str = "/", *, status: int = 200) -> list[str]:
    return [link.attrs["href"] for link in visitor.page(path, status=status).all("link", rel="stylesheet")]


def theme_path(visitor: Visitor, path: str = "/", *, status: int = 200) -> str:
    """Return the path, below the mount, of the only stylesheet that is not a static file."""
    (found,) = [href for href in stylesheets(visitor, path, status=status) if not href.startswith("/static/")]
    assert OURS.fullmatch(found)
    return found.removeprefix("/blog")


def theme(visitor: Visitor) -> str:
    return text_of(visitor.get(theme_path(visitor)))


@requirement("pages.theme-colors")
def test_chosen_colours_are_properties_of_both_modes(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for colors, declarations in [
        (
            {"light": {"surface": "#fff"}, "dark": {"surface": "#000000cc"}},
            ["--blog-surface: light-dark(#fff, #000000cc);"],
        ),
        (
            {"light": {"accent_2_soft": "#ffeeee"}},
            [f"--blog-accent-2-soft: light-dark(#ffeeee, {COLORS['accent-2-soft']['dark']});"],
        ),
        (
            {"text": "#111111", "dark": {"code_bg": "#222222"}},
            [
                "--blog-text: light-dark(#111111, #111111);",
                f"--blog-code-bg: light-dark({COLORS['code-bg']['light']}, #222222);",
            ],
        ),
    ]:
        with subtests.test(colors=colors, declarations=declarations):
            with override_settings(BLOG_ENGINE=blog_settings(theme_colors=colors)):
                lines = theme(visitor).splitlines()

            assert lines == [":root {", *(f"  {declaration}" for declaration in declarations), "}"]


def declared(visitor: Visitor, colors: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return the colours of both modes that the stylesheet declares, by property."""
    with override_settings(BLOG_ENGINE=blog_settings(theme_colors=colors)):
        found = re.findall(r"--blog-([a-z0-9-]+): light-dark\((#\w+), (#\w+)\);", theme(visitor))
    return {name: (light, dark) for name, light, dark in found}


@requirement("pages.theme-colors.accent")
def test_an_accent_alone_colours_everything_that_is_not_grey(visitor: Visitor) -> None:
    shown = declared(visitor, {"accent": "#7a1f5c"})

    assert shown.keys() == {
        *("accent", "accent-hover", "accent-soft", "accent-contrast", "accent-2", "accent-2-soft"),
        *("notice-bg", "notice-border", "notice-text"),
    }
    assert shown["accent"][0] == "#7a1f5c"
    assert shown["accent"][1] not in {"#7a1f5c", COLORS["accent"]["dark"]}
    assert shown["accent-contrast"][0] == "#ffffff"


@requirement("pages.theme-colors.accent")
def test_what_the_host_chose_is_never_derived(visitor: Visitor) -> None:
    chosen = {"accent": "#7A1", "notice_bg": "#eee", "dark": {"accent": "#F0a6d5", "accent_2": "#fa0"}}

    shown = declared(visitor, chosen)

    assert shown["accent"][1] == "#F0a6d5"
    assert shown["notice-bg"] == ("#eee", "#eee")
    assert shown["accent-2"][1] == "#fa0"


@requirement("pages.theme-colors.accent")
def test_an_accent_of_one_mode_leaves_the_other_alone(visitor: Visitor) -> None:
    shown = declared(visitor, {"light": {"accent": "#0b4a8f"}})

    assert shown["accent"] == ("#0b4a8f", COLORS["accent"]["dark"])
    assert {name: dark for name, (_, dark) in shown.items() if name in COLORS} == {
        name: COLORS[name]["dark"] for name in shown if name in COLORS
    }


@requirement("pages.theme-colors")
def test_without_chosen_colours_there_is_no_stylesheet(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for colors in [..., {}, {"light": {}, "dark": {}}]:
        with subtests.test(colors=colors), override_settings(BLOG_ENGINE=blog_settings(theme_colors=colors)):
            assert all(href.startswith("/static/") for href in stylesheets(visitor))
            assert visitor.get("/theme-0123456789abcdef.css").status_code == 404


@requirement("pages.theme-colors")
def test_browsers_keep_the_stylesheet() -> None:
    response = ThemeView.as_view()(RequestFactory().get("/"), sheet=ThemeSheet(":root {}"))

    assert dict(response.items()) == {
        "Content-Type": "text/css; charset=utf-8",
        "Cache-Control": "max-age=31536000, public, immutable",
        "X-Content-Type-Options": "nosniff",
    }


@override_settings(BLOG_ENGINE=blog_settings(**COLORFUL))
def test_the_stylesheet_is_only_read(visitor: Visitor) -> None:
    path = f"/blog{theme_path(visitor)}"

    assert (visitor.client.head(path).status_code, visitor.client.post(path).status_code) == (200, 405)


@requirement("pages.theme-colors")
def test_other_colours_have_another_url(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(**COLORFUL)):
        before = theme_path(visitor)
        assert theme_path(visitor) == before
        assert visitor.get(f"{before}/")["Location"] == f"/blog{before}"
    with override_settings(BLOG_ENGINE=blog_settings(theme_colors={"accent": "#7a1f5d"})):
        assert theme_path(visitor) != before
        assert visitor.page(before, status=404).one("h1").text == "Page not found"


@requirement("pages.theme-colors")
@override_settings(BLOG_ENGINE=blog_settings(**COLORFUL))
@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/soil", 200), ("/none", 404), ("/preview/x", 404)])
def test_the_colours_come_after_those_of_the_theme_and_before_the_hosts_own_files(
    visitor: Visitor, settings: Settings, tmp_path: Path, path: str, status: int
) -> None:
    (tmp_path / "blog_engine").mkdir()
    for name in ("index", "post", "error"):
        own = '{% block blog_head %}<link rel="stylesheet" href="/static/own.css">{% endblock %}'
        text = f'{{% extends "blog_engine/{name}.html" %}}{own}'
        (tmp_path / "blog_engine" / f"{name}.html").write_text(text, "utf-8")
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [tmp_path]}]
    save(title="Soil", publish=True)

    *ours, chosen, own = stylesheets(visitor, path, status=status)

    assert all(href.startswith("/static/blog_engine/") for href in ours)
    assert OURS.fullmatch(chosen)
    assert own == "/static/own.css"


@requirement("pages.theme-colors", "pages.layout")
@pytest.mark.parametrize("scheme", ["light", "dark", "system"])
def test_a_layout_of_the_host_has_the_colours(visitor: Visitor, scheme: str) -> None:
    changes = COLORFUL | {"layout": "reader_tests/host.html", "color_scheme": scheme}
    with override_settings(BLOG_ENGINE=blog_settings(**changes), TEMPLATES=host_templates()):
        assert "--blog-accent: light-dark(#7a1f5c, #f0a6d5);" in theme(visitor)


class Wall(LoginRequiredMixin):
    """A host's parent class of a blog for members."""


@requirement("pages.theme-colors", "previews.page")
@override_settings(BLOG_ENGINE=blog_settings(**COLORFUL, parent_controller=Wall))
def test_a_preview_has_the_colours_despite_a_login_wall(visitor: Visitor) -> None:
    path = preview_path(save(title="Soil").post)

    found = theme_path(visitor, path)

    assert visitor.get(found).status_code == 200
    assert visitor.get("/").status_code == 302


@override_settings(BLOG_ENGINE=blog_settings(**COLORFUL, parent_controller=Wall))
def test_an_outdated_stylesheet_bypasses_no_login_wall(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    assert visitor.get("/theme-0123456789abcdef.css").status_code == 302


@requirement("pages.theme-colors")
def test_the_theme_color_is_the_chosen_one(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for changes, light, dark in [
        ({}, COLORS["surface"]["light"], COLORS["surface"]["dark"]),
        ({"theme_colors": {"accent": "#7a1f5c"}}, COLORS["surface"]["light"], COLORS["surface"]["dark"]),
        ({"theme_colors": {"surface": "#eee"}}, "#eee", "#eee"),
        ({"theme_colors": {"surface": "#eee", "dark": {"surface": "#111"}}}, "#eee", "#111"),
        ({"theme_colors": {"light": {"surface": "#eee"}}}, "#eee", COLORS["surface"]["dark"]),
        ({"theme_colors": {"light": {"surface": "#eee"}}, "color_scheme": "light"}, "#eee", "#eee"),
        ({"theme_colors": {"dark": {"surface": "#111"}}, "color_scheme": "dark"}, "#111", "#111"),
    ]:
        with subtests.test(changes=changes, light=light, dark=dark):
            with override_settings(BLOG_ENGINE=blog_settings(**changes)):
                metas = visitor.page().all("meta", name="theme-color")

            assert {tag.attrs["media"]: tag.attrs["content"] for tag in metas} == {
                "(prefers-color-scheme: light)": light,
                "(prefers-color-scheme: dark)": dark,
            }


def test_an_overridden_theme_gives_the_unchanged_mode(visitor: Visitor, settings: Settings, tmp_path: Path) -> None:
    own = tmp_path / "blog_engine" / "theme.css"
    own.parent.mkdir()
    own.write_text(":root { --blog-text: light-dark(#777777, #bbbbbb); --blog-heading: black; }", "utf-8")
    settings.STATICFILES_DIRS = [tmp_path]
    settings.BLOG_ENGINE = blog_settings(theme_colors={"light": {"text": "#123456", "heading": "#654321"}})

    assert "--blog-text: light-dark(#123456, #bbbbbb);" in theme(visitor)
    assert f"--blog-heading: light-dark(#654321, {COLORS['heading']['dark']});" in theme(visitor)


@requirement("pages.theme-colors")
def test_an_invalid_colour_is_never_written(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for value in ["red", "#12345", "#1234567", "#fff; } body { display: none", "#fff\n", "url(//x)"]:
        with subtests.test(value=value):
            # An unvalidated object, as only a host's code can make.
            unchecked = ThemeColors.model_construct(accent=value)
            with (
                override_settings(BLOG_ENGINE=blog_settings(theme_colors=unchecked)),
                pytest.raises(ImproperlyConfigured),
            ):
                visitor.get("/")


@requirement("pages.csp")
@override_settings(BLOG_ENGINE=blog_settings(**COLORFUL))
def test_no_page_has_inline_colours(visitor: Visitor) -> None:
    page = parse(text_of(visitor.get("/")))

    assert not page.has("style")
    assert [element for element in page.walk() if "style" in element.attrs] == []
