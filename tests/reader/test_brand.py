"""The host's look by settings alone: accent, logo, fonts, stylesheets and links."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings
from pytest_django import Settings

from blog_engine.conf import get_settings, unsafe_urls
from blog_engine.reader.blog import host_theme
from blog_engine.reader.links import social_links
from tests.reader.test_theme import theme, theme_path
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor
from tests.support.tables import undone

INTER = {
    "family": "Inter",
    "files": [{"path": "own/inter.woff2", "weight": "100 900"}, {"path": "own/slanted.woff2", "style": "italic"}],
}
UNSAFE = "javascript:alert(1)"


def branded(**brand: Any) -> dict[str, Any]:
    return blog_settings(brand=brand)


@requirement("pages.brand.accent")
def test_the_accent_of_the_brand_is_that_of_both_modes(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(theme_colors={"accent": "#7a1f5c"})):
        expected = theme(visitor)
    with override_settings(BLOG_ENGINE=branded(accent="#7a1f5c")):
        assert theme(visitor) == expected


@requirement("pages.brand.accent")
@override_settings(BLOG_ENGINE=blog_settings(brand={"accent": "#7a1f5c"}, theme_colors={"dark": {"accent": "#f0a6d5"}}))
def test_one_mode_can_have_another_accent(visitor: Visitor) -> None:
    assert "--blog-accent: light-dark(#7a1f5c, #f0a6d5);" in theme(visitor)


@requirement("pages.brand.fonts")
@override_settings(
    BLOG_ENGINE=branded(
        fonts={"heading": {"family": "Georgia", "fallback": "serif"}, "text": INTER, "code": {"family": "ui-monospace"}}
    )
)
def test_fonts_become_faces_and_properties(visitor: Visitor) -> None:
    *faces, root, display, body, ui, mono, end = theme(visitor).splitlines()

    assert faces == [
        '@font-face { font-family: "Inter"; src: url("/static/own/inter.woff2") format("woff2"); '
        "font-weight: 100 900; font-style: normal; font-display: swap; }",
        '@font-face { font-family: "Inter"; src: url("/static/own/slanted.woff2") format("woff2"); '
        "font-weight: 400; font-style: italic; font-display: swap; }",
    ]
    assert (root, end) == (":root {", "}")
    assert display.startswith('  --blog-font-display: "Georgia", Charter, ')
    assert body == '  --blog-font-body: "Inter", system-ui, sans-serif;'
    assert ui == '  --blog-font-ui: "Inter", system-ui, sans-serif;'
    assert mono.startswith("  --blog-font-mono: ui-monospace, ")


@requirement("pages.brand.fonts")
def test_navigation_takes_the_text_font_only_if_it_is_a_sans_serif(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for fonts, properties in [
        ({"text": {"family": "Georgia", "fallback": "serif"}}, ["body"]),
        ({"text": {"family": "Georgia", "fallback": "serif"}, "ui": {"family": "Inter"}}, ["body", "ui"]),
        ({"text": {"family": "Inter"}, "ui": {"family": "Verdana"}}, ["body", "ui"]),
        ({"heading": {"family": "Inter"}}, ["display"]),
    ]:
        with subtests.test(fonts=fonts, properties=properties):
            with override_settings(BLOG_ENGINE=branded(fonts=fonts)):
                sheet = theme(visitor)

            assert re.findall(r"--blog-font-(\w+):", sheet) == properties
            assert ('--blog-font-ui: "Verdana"' in sheet) is (fonts.get("ui") == {"family": "Verdana"})


@requirement("pages.brand.fonts")
def test_font_files_have_the_names_of_the_static_storage(settings: Settings, tmp_path: Path) -> None:
    names = {"own/inter.woff2": "own/inter.0123.woff2", "own/slanted.woff2": "own/slanted.4567.woff2"}
    (tmp_path / "staticfiles.json").write_text(json.dumps({"paths": names, "version": "1.1", "hash": ""}), "utf-8")
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    }
    settings.BLOG_ENGINE = branded(fonts={"heading": INTER, "text": INTER})

    sheet = host_theme()

    assert sheet is not None
    assert re.findall(r'url\("([^"]+)"\)', sheet.text) == [f"/static/{name}" for name in names.values()]


@requirement("pages.brand.stylesheets")
def test_own_stylesheets_come_last(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for path, status in [("/", 200), ("/soil", 200), ("/none", 404)]:
        with subtests.test(path=path, status=status), undone():
            with override_settings(BLOG_ENGINE=branded(accent="#7a1f5c", stylesheets=["own/a.css", "own/b.css"])):
                hrefs = [link.attrs["href"] for link in visitor.page(path, status=status).all("link", rel="stylesheet")]

            assert hrefs[-2:] == ["/static/own/a.css", "/static/own/b.css"]
            assert re.fullmatch(r"/blog/theme-[0-9a-f]{16}\.css", hrefs[-3])


def logos(page: Element) -> list[tuple[str, str]]:
    return [(image.attrs["src"], image.attrs["alt"]) for image in page.one("a", class_="blog-brand").all("img")]


@requirement("pages.brand.logo")
def test_the_logo_is_before_the_name_or_replaces_it(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for brand, scheme, shown, text in [
        ({}, "system", [], "The Example Journal"),
        ({"logo_url": "/l.svg"}, "system", [("/l.svg", "")], "The Example Journal"),
        ({"logo_url": "/l.svg", "logo_has_name": True}, "system", [("/l.svg", "The Example Journal")], ""),
        (
            {"logo_url": "/l.svg", "logo_dark_url": "/d.svg"},
            "system",
            [("/l.svg", ""), ("/d.svg", "")],
            "The Example Journal",
        ),
        ({"logo_url": "/l.svg", "logo_dark_url": "/d.svg"}, "dark", [("/d.svg", "")], "The Example Journal"),
        ({"logo_url": "/l.svg", "logo_dark_url": "/d.svg"}, "light", [("/l.svg", "")], "The Example Journal"),
        ({"logo_dark_url": "/d.svg"}, "system", [("/d.svg", "")], "The Example Journal"),
        ({"logo_url": UNSAFE, "logo_has_name": True}, "system", [], "The Example Journal"),
    ]:
        with subtests.test(brand=brand, scheme=scheme, shown=shown, text=text):
            with override_settings(
                BLOG_ENGINE=blog_settings(site_name="The Example Journal", brand=brand, color_scheme=scheme)
            ):
                page = visitor.page()

            assert logos(page) == shown
            assert page.one("a", class_="blog-brand").text == text
            assert page.has("span", class_="blog-brand__mark") is (not shown)


@requirement("pages.icons")
@override_settings(BLOG_ENGINE=branded(icon_url="/i.svg"))
def test_the_icon_of_the_brand_is_that_of_the_pages(visitor: Visitor) -> None:
    assert [link.attrs["href"] for link in visitor.page().all("link", rel="icon")] == ["/i.svg"]


NAVIGATION = [
    {"label": "Home", "url": "/"},
    {"label": "Soil", "url": "/blog/soil"},
    {"label": "Index", "url": "https://example.com/blog/"},
    {"label": "Trap", "url": UNSAFE},
]


@requirement("pages.brand.links")
def test_links_of_the_host_come_before_those_of_the_blog(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for path, current in [("/", ["Index", "Blog"]), ("/soil", ["Soil"]), ("/search", ["Search"])]:
        with subtests.test(path=path, current=current), undone():
            with override_settings(BLOG_ENGINE=branded(navigation=NAVIGATION) | {"blog_title": "Blog"}):
                menu = visitor.page(path).one("nav", class_="blog-nav")

            links = menu.all("a")
            assert [link.text for link in links] == ["Home", "Soil", "Index", "Blog", "Search", "Subscribe"]
            assert [link.text for link in links if link.attrs.get("aria-current") == "page"] == current


@requirement("pages.brand.links")
def test_a_menu_without_script_holds_the_links_of_the_host(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=branded(navigation=NAVIGATION)):
        page = visitor.page()
    without = visitor.page()

    assert page.one("button", popovertarget="blog-menu").attrs["type"] == "button"
    assert "popover" in page.one("nav", id="blog-menu").attrs
    assert not without.has("button", popovertarget="blog-menu")
    assert "popover" not in without.one("nav", class_="blog-nav").attrs


@requirement("pages.brand.links")
@override_settings(
    BLOG_ENGINE=branded(
        footer_links=[{"label": "Terms", "url": "/terms"}, {"label": "Trap", "url": UNSAFE}],
        social_links=["https://github.com/ada", "https://social.example/@ada"],
    )
)
def test_the_footer_has_links_and_profiles(visitor: Visitor) -> None:
    footer = visitor.page().one("footer")
    own = footer.one("div", class_="blog-footer__host")

    assert [(link.text, link.attrs["href"]) for link in own.one("ul", class_="blog-footer__links").all("a")] == [
        ("Terms", "/terms")
    ]
    profiles = own.one("ul", class_="blog-social").all("a")
    assert [(link.attrs["aria-label"], link.attrs["rel"]) for link in profiles] == [
        ("GitHub", "me"),
        ("Mastodon", "me"),
    ]
    assert all(link.one("svg").attrs["aria-hidden"] == "true" and link.has("path") for link in profiles)


@requirement("pages.brand.links")
@pytest.mark.parametrize(
    ("url", "name", "icon"),
    [
        ("https://mastodon.social/@ada", "Mastodon", "mastodon"),
        ("https://bsky.app/profile/ada.example", "Bluesky", "bluesky"),
        ("https://www.github.com/ada", "GitHub", "github"),
        ("https://de.linkedin.com/in/ada", "LinkedIn", "linkedin"),
        ("https://twitter.com/ada", "X", "x"),
        ("https://x.com/ada", "X", "x"),
        ("https://www.youtube.com/@ada", "YouTube", "youtube"),
        ("https://medium.com/@ada", "Medium", "link"),
        ("https://instagram.com/ada", "Instagram", "instagram"),
        ("https://example.com/feed.xml", "RSS", "rss"),
        ("https://www.example.org/about", "example.org", "link"),
        ("https://notgithub.com/ada", "notgithub.com", "link"),
        ("https://github.com.example/ada", "github.com.example", "link"),
    ],
)
def test_a_profile_has_the_name_and_icon_of_its_platform(url: str, name: str, icon: str) -> None:
    assert social_links([url]) == ((name, url, icon),)


@requirement("pages.brand.links")
def test_unsafe_urls_of_the_brand_are_left_out_and_reported(visitor: Visitor) -> None:
    link = {"label": "Trap", "url": UNSAFE}
    brand = {
        **dict.fromkeys(("logo_url", "logo_dark_url", "icon_url"), UNSAFE),
        "navigation": [{"label": "Home", "url": "/"}, link],
        "footer_links": [link],
        "social_links": ["https://ada:secret@example.com/"],
    }
    with override_settings(BLOG_ENGINE=branded(**brand)):
        page = visitor.page()
        reported = unsafe_urls(get_settings())

    assert not [one for one in page.walk() if {UNSAFE, *brand["social_links"]} & set(one.attrs.values())]
    assert reported == [
        *("brand.logo_url", "brand.logo_dark_url", "brand.icon_url"),
        *("brand.navigation[1].url", "brand.footer_links[0].url", "brand.social_links[0]"),
    ]


@requirement("pages.brand.fonts")
def test_without_fonts_and_colours_there_is_no_sheet() -> None:
    with override_settings(BLOG_ENGINE=branded(navigation=NAVIGATION, cards="list")):
        assert host_theme() is None


@requirement("pages.brand.fonts")
def test_another_font_has_another_url(visitor: Visitor) -> None:
    with override_settings(BLOG_ENGINE=branded(fonts={"text": INTER})):
        before = theme_path(visitor)
    with override_settings(BLOG_ENGINE=branded(fonts={"text": {**INTER, "files": []}})):
        assert theme_path(visitor) != before
