"""Looks by one word, the rights of machines, handles of authors, and microformats."""

import re
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Template
from django.test import Client
from pytest_django import Settings

from blog_engine import public
from blog_engine.conf import get_settings
from blog_engine.conf.colors import READABLE, contrast
from blog_engine.conf.groups import CANVAS, Look, Mode, theme_colors
from blog_engine.doctor.appearance import PAIRS
from blog_engine.errors import ValidationFailed
from blog_engine.models import Author
from tests.reader.test_stylesheets import SHEETS, THEME
from tests.requirements import requirement
from tests.support.factories import edit_author, make_author, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

LOOKS: tuple[Look, ...] = ("plain", "editorial", "product")
LICENCE = "https://creativecommons.org/licenses/by/4.0/"


@requirement("pages.look")
@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("look", LOOKS)
def test_every_pair_of_colours_of_a_look_is_readable(look: Look, mode: Mode) -> None:
    colors = theme_colors(mode, look=look)

    faint = {
        (text, ground): ratio
        for text, ground in (*PAIRS, ("text_muted", "surface_sunken"), ("text_subtle", "surface"))
        if (ratio := contrast(colors[text], colors[ground], CANVAS[mode])) < READABLE
    }

    assert faint == {}


@pytest.mark.parametrize("look", LOOKS)
def test_a_look_sets_every_colour_of_the_theme_and_no_other_property(look: Look) -> None:
    names = set(re.findall(r"^  (--blog-[a-z0-9-]+):", SHEETS[f"look-{look}.css"], re.M))
    known = set(re.findall(r"^  (--blog-[a-z0-9-]+):", THEME, re.M))
    colors = {name for name in known if "light-dark(#" in THEME.partition(f"{name}:")[2].partition(";")[0]}

    assert names <= known
    assert {name for name in colors if "syntax" not in name} <= names


@requirement("pages.look")
def test_a_look_comes_after_the_theme_and_before_the_host(client: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(look="editorial", theme_colors={"accent": "#123456"})
    save(title="Quay", publish=True)

    for path in ("/blog/", "/blog/quay"):
        sheets = re.findall(r'<link rel="stylesheet" href="([^"]+)"', client.get(path).content.decode())
        places = [
            next(n for n, one in enumerate(sheets) if part in one) for part in ("/theme.css", "/look-", "/theme-")
        ]
        assert places == sorted(places)
        assert "look-editorial.css" in sheets[places[1]]
    assert 'content="#fbf8f2"' in client.get("/blog/").content.decode()


@requirement("pages.look")
def test_a_look_arranges_lists_unless_the_host_does(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(look="plain", brand={"sidebar": True})
    brand = get_settings().brand
    assert (brand.cards, brand.card_style, brand.sidebar) == ("list", "plain", True)

    settings.BLOG_ENGINE = blog_settings(look="default", brand={})
    brand = get_settings().brand
    assert (brand.cards, brand.card_style, brand.sidebar) == ("grid", "panel", True)


def test_a_look_that_is_none_is_refused(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(look="loud")

    with pytest.raises(ImproperlyConfigured, match="look"):
        get_settings()


@requirement("pages.head.licence", "feeds.rights")
def test_a_licence_is_in_pages_structured_data_and_feeds(client: Client, settings: Settings) -> None:
    save(title="Quay", publish=True)
    assert "license" not in client.get("/blog/quay").content.decode()
    settings.BLOG_ENGINE = blog_settings(rights={"licence": LICENCE})

    page = client.get("/blog/quay").content.decode()
    assert f'<link rel="license" href="{LICENCE}">' in page
    assert f'"license":"{LICENCE}"' in page
    feed = client.get("/blog/feed.xml").content.decode()
    assert f'<rights>{LICENCE}</rights><link rel="license" href="{LICENCE}" />' in feed
    assert client.get("/blog/feed.json").json()["_blog_engine"] == {"licence": LICENCE}


@requirement("pages.robots-lines")
@pytest.mark.parametrize(
    ("rights", "lines"),
    [
        ({}, ()),
        (
            {"search": True, "ai_input": True, "ai_train": False},
            ("Content-Usage: search=y, train-ai=n", "Content-Signal: search=yes, ai-input=yes, ai-train=no"),
        ),
        ({"ai_input": False}, ("Content-Signal: ai-input=no",)),
        ({"licence": LICENCE}, ()),
    ],
)
def test_robots_have_what_the_setting_says(settings: Settings, rights: dict[str, Any], lines: tuple[str, ...]) -> None:
    settings.BLOG_ENGINE = blog_settings(rights=rights, public_base_url=None)

    assert public.robots_lines() == lines
    written = Template("{% load blog_engine %}User-agent: *\n{% robots_rules %}").render(Context())
    assert written == "User-agent: *\n" + "\n".join(lines)


WISHES = {"search": True, "ai_input": True, "ai_train": False}
FIELDS = {"Content-Usage": "search=y, train-ai=n", "Content-Signal": "search=yes, ai-input=yes, ai-train=no"}


@requirement("pages.usage")
@pytest.mark.parametrize(
    "path",
    [
        *("", "quay", "quay.md", "quay?format=md", "feed.xml", "feed.json", "author/ada-example/feed.xml"),
        *("llms.txt", "llms-full.txt", "sitemap.xml", "search?q=quay", "archive", "quay/history", "tag"),
    ],
)
def test_every_answer_with_content_has_the_wishes(settings: Settings, client: Client, path: str) -> None:
    save(title="Quay", publish=True)
    settings.BLOG_ENGINE = blog_settings(rights=WISHES)

    answer = client.get(f"/blog/{path}")

    assert answer.status_code == 200
    assert FIELDS.items() <= dict(answer.headers).items()
    if etag := answer.headers.get("ETag"):
        again = client.get(f"/blog/{path}", headers={"If-None-Match": etag})
        assert again.status_code == 304
        assert FIELDS.items() <= dict(again.headers).items()
    assert not FIELDS.keys() & client.get("/blog/nothing-here").headers.keys()


@requirement("pages.usage", "page-cache.equal")
@pytest.mark.django_db(transaction=True)
def test_a_kept_page_has_the_wishes_of_now(settings: Settings, client: Client) -> None:
    save(title="Quay", publish=True)
    seen = []
    for rights in ({}, WISHES, {"ai_train": True}, {}):
        settings.BLOG_ENGINE = blog_settings(page_cache={"enabled": True}, rights=rights)
        answers = [client.get("/blog/quay").headers for _ in range(3)]
        assert len({(one.get("Content-Usage"), one.get("Content-Signal")) for one in answers}) == 1
        seen.append(answers[-1].get("Content-Usage"))

    assert seen == [None, "search=y, train-ai=n", "train-ai=y", None]


@requirement("pages.robots-lines")
def test_robots_name_the_sitemap_of_a_known_origin(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://example.com")
    assert public.robots_lines() == ("Sitemap: https://example.com/blog/sitemap.xml",)

    settings.BLOG_ENGINE = blog_settings(public_base_url="https://example.com", serve_sitemap=False)
    assert public.robots_lines() == ()


@requirement("taxonomy.authors.fediverse")
@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ("@mina@social.example", "@mina@social.example"),
        (" mina.holt@Social.Example ", "@mina.holt@social.example"),
        ("", ""),
        (None, ""),
    ],
)
def test_a_handle_is_stored_in_one_form(sent: str | None, stored: str) -> None:
    assert make_author(fediverse=sent).fediverse == stored


@requirement("taxonomy.authors.fediverse")
@pytest.mark.parametrize(
    "sent",
    ["mina", "@mina", "@mina@", "@mina@host", "@mi na@a.example", "https://a.example/@mina", "@a@b@c.example", 7],
)
def test_what_is_no_handle_is_refused(sent: object) -> None:
    with pytest.raises(ValidationFailed) as refused:
        make_author(fediverse=sent)

    assert refused.value.details == ["fediverse"]
    assert not Author.objects.exists()


@requirement("pages.head.creators")
def test_the_head_names_the_handles_in_the_order_of_the_byline(client: Client) -> None:
    author = make_author(name="Mina Holt", fediverse="@mina@social.example")
    make_author(name="Ben Ray", fediverse="@ben@social.example")
    save(title="Quay", author="Mina Holt", coauthors=["Ute Ort", "Ben Ray"], publish=True)

    def creators() -> list[str]:
        page = client.get("/blog/quay").content.decode()
        return re.findall(r'<meta name="fediverse:creator" content="([^"]+)">', page)

    assert creators() == ["@mina@social.example", "@ben@social.example"]
    edit_author(author.pk, fediverse="")
    assert creators() == ["@ben@social.example"]
    assert "fediverse" not in client.get("/blog/").content.decode()


@requirement("pages.microformats")
def test_articles_and_cards_are_entries_of_microformats(client: Client) -> None:
    save(title="Quay", description="About a quay.", body="A ferry.", coauthors=["Ben Ray"], publish=True)

    article = client.get("/blog/quay").content.decode()
    for name in ("h-entry", "p-name", "p-summary", "e-content", "dt-published"):
        assert len(re.findall(rf'class="[^"]*\b{name}\b', article)) == 1, name
    assert '<data class="u-url" value="https://example.com/blog/quay"></data>' in article
    assert len(re.findall(r'class="p-author h-card"', article)) == 2
    index = client.get("/blog/").content.decode()
    for name in ("h-entry", "p-name u-url", "p-summary", "dt-published"):
        assert len(re.findall(rf'class="[^"]*\b{name}\b', index)) == 1, name
