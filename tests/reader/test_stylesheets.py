"""The stylesheets: contrast, and no requests to other hosts."""

import re
from pathlib import Path

import pytest

import blog_engine
from blog_engine.conf.colors import mix
from blog_engine.conf.groups import Palette
from blog_engine.reader.blog import SURFACE
from blog_engine.reader.cards import ART_VARIANTS
from tests.requirements import requirement

STATIC = Path(blog_engine.__file__).parent / "static" / "blog_engine"
TEMPLATES = Path(blog_engine.__file__).parent / "templates" / "blog_engine"
THEME = (STATIC / "theme.css").read_text("utf-8")
SHEETS = {path.name: path.read_text("utf-8") for path in STATIC.glob("*.css")}
SCRIPTS = {path.name: path.read_text("utf-8") for path in STATIC.glob("*.js")}
COLORS = {
    name: {"light": light, "dark": dark}
    for name, light, dark in re.findall(r"--blog-([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", THEME)
}

ENOUGH = 4.5
"""WCAG 2.2, 1.4.3."""

_SYNTAX = ("comment", "keyword", "name", "string", "number", "mark")
ALERTS = ("note", "tip", "important", "warning", "caution")
PAIRS = [
    *(
        (text, "surface")
        for text in ("heading", "text", "text-muted", "text-subtle", "accent", "accent-hover", "accent-2")
    ),
    *((text, "surface-raised") for text in ("heading", "text", "text-muted", "text-subtle", "accent", "accent-hover")),
    *((text, "surface-raised") for text in (*ALERTS, "accent-2")),
    *((text, "surface-sunken") for text in ("heading", "text", "text-muted", "text-subtle", "accent", "accent-hover")),
    *((text, "accent-soft") for text in ("accent", "accent-hover", "heading", "text")),
    *((text, "accent-2-soft") for text in ("accent-2", "heading", "text")),
    *((text, "caution-soft") for text in ("caution", "heading", "text")),
    *((text, "notice-bg") for text in ("notice-text", "accent")),
    *((text, "code-bg") for text in ("code-text", "text-muted", "text-subtle", "accent-hover")),
    *((f"syntax-{token}", "code-bg") for token in _SYNTAX),
    ("accent-contrast", "accent"),
    ("accent-contrast", "accent-hover"),
    ("surface", "heading"),
]


def luminance(color: str) -> float:
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_computed_as_in_wcag() -> None:
    assert round(contrast("#000000", "#ffffff"), 2) == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_is_readable(text: str, ground: str, mode: str) -> None:
    assert contrast(COLORS[text][mode], COLORS[ground][mode]) >= ENOUGH


def share_in(rule: str) -> float:
    """Return the share of the first colour in the only ``color-mix`` of a rule of the prose."""
    (found,) = re.findall(rf"^{re.escape(rule)} \{{[^}}]*?color-mix\(in srgb, [^ ]+ (\d+)%", SHEETS["prose.css"], re.M)
    return int(found) / 100


@requirement("rendering.alerts.look")
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("alert", ALERTS)
def test_an_alert_is_readable_on_its_tint(alert: str, mode: str) -> None:
    color = COLORS[alert][mode]
    tint = mix(color, COLORS["surface-raised"][mode], share=share_in(".blog-alert"))

    texts = [color, *(COLORS[name][mode] for name in ("text", "heading", "accent", "accent-hover"))]
    assert min(contrast(text, tint) for text in texts) >= ENOUGH


@requirement("rendering.alerts.look")
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_each_kind_of_alert_has_its_own_colour(mode: str) -> None:
    assert len({COLORS[alert][mode] for alert in ALERTS}) == len(ALERTS)


@requirement("rendering.code.marked")
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("text", ["code-text", "text-subtle", *(f"syntax-{token}" for token in _SYNTAX)])
def test_code_in_a_marked_line_is_readable(text: str, mode: str) -> None:
    marked = mix(COLORS["accent"][mode], COLORS["code-bg"][mode], share=share_in(".blog-line-marked"))

    assert contrast(COLORS[text][mode], marked) >= ENOUGH


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_borders_of_controls_are_visible(mode: str) -> None:
    for ground in ("surface", "surface-raised"):
        assert contrast(COLORS["border-strong"][mode], COLORS[ground][mode]) >= 3


def test_every_colour_that_a_host_can_change_exists() -> None:
    assert {name.replace("_", "-") for name in Palette.model_fields} <= set(COLORS)


def test_the_theme_color_is_that_of_the_page() -> None:
    assert COLORS["surface"] == SURFACE


def test_every_used_property_is_defined() -> None:
    used = {name for sheet in SHEETS.values() for name in re.findall(r"var\((--[a-z0-9-]+)", sheet)}
    given = {name for sheet in SHEETS.values() for name in re.findall(r"(?<![a-z])(--[a-z0-9-]+):", sheet)}

    assert used - given == {"--blog-read"}
    assert all(name.startswith("--blog-") for name in given)


def test_only_the_theme_has_colours() -> None:
    others = "".join(
        sheet
        for name, sheet in SHEETS.items()
        if name not in {"theme.css", "print.css"} and not name.startswith("look-")
    )

    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", others) == []


def test_every_drawing_has_its_three_shapes() -> None:
    drawn = re.findall(r"\.blog-art--(\d) span:nth-child\((\d)\)", SHEETS["art.css"])

    assert sorted(drawn) == [(str(art), str(shape)) for art in range(ART_VARIANTS) for shape in (1, 2, 3)]


@pytest.mark.parametrize("name", [*SHEETS, *SCRIPTS])
def test_nothing_is_fetched_from_other_hosts(name: str) -> None:
    text = (SHEETS | SCRIPTS)[name]

    assert re.findall(r"https?://|url\(|@import|@font-face|\bimport\b", text) == []


@requirement("pages.transitions")
def test_only_readers_who_accept_motion_see_transitions() -> None:
    motion = re.findall(r"@media \(prefers-reduced-motion: no-preference\) \{(.*?)^\}", SHEETS["blog.css"], re.M | re.S)

    assert ["@view-transition" in rules for rules in motion] == [True]
    assert sum(sheet.count("@view-transition") for sheet in SHEETS.values()) == 1


@pytest.mark.parametrize("name", SHEETS)
def test_sides_are_logical(name: str) -> None:
    sided = re.findall(
        r"^\s*(?:margin|padding|border)-(?:left|right)\b.*|^\s*(?:left|right|float):.*", SHEETS[name], re.M
    )

    assert sided == []


_MICROFORMATS = ("h-entry", "h-card", "p-", "u-url", "dt-", "e-content")


def test_classes_on_pages_have_the_prefix() -> None:
    names = {
        name
        for path in TEMPLATES.glob("*.html")
        for value in re.findall(r'class="([^"]*)"', path.read_text("utf-8"))
        for name in re.sub(r"\{[{%].*?[%}]\}", " ", value).split()
    }

    assert names
    assert [name for name in sorted(names) if name != "blog" and not name.startswith(("blog-", *_MICROFORMATS))] == []
