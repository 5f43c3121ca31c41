"""What settings show around every page."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import set_script_prefix
from django.utils.translation import override
from django.views.generic.base import ContextMixin
from pytest_django import Settings

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf.load import get_settings, unsafe_urls
from blog_engine.conf.model import BlogSettings
from blog_engine.enums import PolicyKind
from blog_engine.inputs.base import parse as parse_input
from blog_engine.inputs.records import SavePage
from blog_engine.models import PageView, Post
from blog_engine.models.reading import reading_a_page
from blog_engine.reader.blog import Blog, describe_blog
from blog_engine.services import save_page
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import EDITOR, save
from tests.support.hosts import blog_settings, host_templates
from tests.support.pages import Visitor, meta, text_of
from tests.support.tables import undone


class Renaming(ContextMixin):
    """A host's parent class that renames the site on every page."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        return context | {"blog": replace(context["blog"], site_name="Mixed in")}


Look = Callable[[Visitor], object]

POST = "/winter-garden"
EFFECTS: dict[str, tuple[object, Look, object]] = {
    "site_name": ("The Other", lambda v: meta(v.page("/"), "og:site_name"), "The Other"),
    "default_author": (
        {"name": "Zoë Default"},
        lambda v: (save(title="New", publish=True), v.page("/new").one("p", class_="blog-byline__author").text)[1],
        "Zoë Default",
    ),
    "publisher": (
        {"name": "Pier Press"},
        lambda v: "Pier Press" in v.page("/").one("p", class_="blog-footer__line").text,
        True,
    ),
    "public_base_url": (
        "https://other.example",
        lambda v: v.page("/").one("link", rel="canonical").attrs["href"],
        "https://other.example/blog/",
    ),
    "locale": ("de", lambda v: v.page("/").one("html").attrs["lang"], "de"),
    "blog_title": ("Notebook", lambda v: v.page("/").one("h1").text, "Notebook"),
    "blog_tagline": ("Slowly.", lambda v: v.page("/").one("p", class_="blog-heading__tagline").text, "Slowly."),
    "title_suffix": (" | X", lambda v: v.page(POST).one("title").text, "Winter garden | X"),
    "layout": ("reader_tests/host.html", lambda v: v.page("/").one("body").attrs["id"], "host"),
    "parent_controller": (Renaming, lambda v: v.page("/").one("a", class_="blog-brand").text, "Mixed in"),
    "posts_per_page": (1, lambda v: len(v.page("/").one("ol", class_="blog-pagination__list").all("li")), 2),
    "primary_list_type": (
        "tags",
        lambda v: meta(v.page("/tag/soil"), "robots"),
        "index, follow, max-image-preview:large",
    ),
    "faq_collapsed": (False, lambda v: v.page(POST).has("details"), False),
    "call_to_action": (
        {"label": "Write", "url": "/letters"},
        lambda v: v.page(POST).one("span", class_="blog-call").one("a").attrs["href"],
        "/letters",
    ),
    "default_social_image_url": (
        "/card.png",
        lambda v: meta(v.page("/"), "og:image"),
        "https://example.com/card.png",
    ),
    "social_pictures": ({"enabled": False}, lambda v: v.page(POST).has("meta", property="og:image"), False),
    "favicon_url": (
        "/own.svg",
        lambda v: [link.attrs["href"] for link in v.page("/").all("link", rel="icon")],
        ["/own.svg"],
    ),
    "touch_icon_url": (
        "https://cdn.example.com/touch.png",
        lambda v: [link.attrs["href"] for link in v.page("/").all("link", rel="apple-touch-icon")],
        ["https://cdn.example.com/touch.png"],
    ),
    "policy_urls": (
        {"editorial": "/how-we-work"},
        lambda v: v.page("/").one("footer").has("a", href="/how-we-work"),
        True,
    ),
    "popular_posts": (
        {"enabled": True, "days": 7, "limit": 1},
        lambda v: [link.text for link in v.page("/").one("nav", aria_labelledby="blog-popular").all("a")],
        ["Winter garden"],
    ),
    "card_art": ("quiet", lambda v: v.page(POST).has("div", class_="blog-art--quiet"), True),
    "color_scheme": ("dark", lambda v: v.page("/").one("html").attrs.get("data-theme"), "dark"),
    "theme_colors": (
        {"accent": "#123456"},
        lambda v: "#123456" in text_of(v.client.get(v.page("/").all("link", rel="stylesheet")[-1].attrs["href"])),
        True,
    ),
    "look": ("plain", lambda v: v.page("/").has("link", href="/static/blog_engine/look-plain.css"), True),
    "rights": (
        {"licence": "https://creativecommons.org/licenses/by/4.0/"},
        lambda v: v.page(POST).one("link", rel="license").attrs["href"],
        "https://creativecommons.org/licenses/by/4.0/",
    ),
    "brand": (
        {"navigation": [{"label": "Shop", "url": "/shop"}]},
        lambda v: v.page("/").one("nav", class_="blog-nav").has("a", href="/shop"),
        True,
    ),
    "feed_content": ("full", lambda v: "<content" in text_of(v.get("/feed.xml")), True),
    "feed_size": (1, lambda v: len(v.get("/feed.json").json()["items"]), 1),
    "serve_sitemap": (False, lambda v: v.get("/sitemap.xml").status_code, 404),
    "serve_llms_txt": (False, lambda v: v.get("/llms.txt").status_code, 404),
}
ELSEWHERE = {
    "route_segments": "tests/reader/test_lists.py",
    "page_cache": "tests/reader/test_page_cache_settings.py",
    "public_history": "tests/reader/test_public_history.py",
    "prefetch": "tests/reader/test_speculation.py",
}


@pytest.fixture
def posts(db: None) -> list[Post]:
    faq = [{"question": "Why?", "answer": "Because."}]
    posts = [
        save(title=title, tags=["soil"], faq=faq, body="Text.", publish=True).post
        for title in ("Summer garden", "Winter garden")
    ]
    PageView.objects.create(post=posts[1], day=TODAY.date(), views=3)
    return posts


@requirement("pages.settings")
def test_the_setting_shows(visitor: Visitor, posts: list[Post], subtests: pytest.Subtests) -> None:
    for name in EFFECTS:
        with subtests.test(name=name), undone():
            value, look, expected = EFFECTS[name]

            with override_settings(BLOG_ENGINE=blog_settings(**{name: value}), TEMPLATES=host_templates()):
                assert look(visitor) == expected


def test_every_setting_about_readers_is_tested() -> None:
    names = list(BlogSettings.model_fields)
    about_readers = names[: names.index("body_formats")]

    assert set(about_readers) == EFFECTS.keys() | ELSEWHERE.keys()


def icons(visitor: Visitor, path: str = "/", *, status: int = 200) -> list[tuple[str, str]]:
    links = visitor.page(path, status=status).all("link")
    return [(link.attrs["rel"], link.attrs["href"]) for link in links if "icon" in link.attrs["rel"]]


@requirement("pages.icons")
def test_without_settings_the_icon_is_the_engines(visitor: Visitor) -> None:
    assert icons(visitor) == [("icon", "/static/blog_engine/icon.svg")]


@requirement("pages.icons")
def test_the_icons_of_the_host_are_on_every_page(visitor: Visitor, subtests: pytest.Subtests) -> None:
    changes = {"favicon_url": "/i/blog.ico", "touch_icon_url": "https://cdn.example.com/touch.png"}

    for path, status in [("/", 200), ("/none", 404), ("/search", 200)]:
        with subtests.test(path=path, status=status):
            with override_settings(BLOG_ENGINE=blog_settings(**changes)):
                shown = icons(visitor, path, status=status)

            assert shown == [("icon", "/i/blog.ico"), ("apple-touch-icon", "https://cdn.example.com/touch.png")]


@requirement("pages.icons")
def test_an_unsafe_url_is_left_out_and_reported(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for url in ["javascript:alert(1)", "data:image/png,x", "//x.example/i", "icon.png", ""]:
        with subtests.test(url=url):
            with override_settings(BLOG_ENGINE=blog_settings(favicon_url=url, touch_icon_url=url)):
                shown = icons(visitor)
                reported = unsafe_urls(get_settings())

            assert shown == [("icon", "/static/blog_engine/icon.svg")]
            assert reported == (["favicon_url", "touch_icon_url"] if url else [])


def test_a_prefix_of_the_server_is_part_of_a_path(visitor: Visitor, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(favicon_url="/i/blog.ico")
    settings.FORCE_SCRIPT_NAME = "/app"
    set_script_prefix("/app/")

    try:
        assert icons(visitor)[0] == ("icon", "/app/i/blog.ico")
    finally:
        set_script_prefix("/")


def test_the_example_site_answers_requests_for_its_icons(client: Client) -> None:
    response = client.get("/favicon.ico")

    assert (response.status_code, response["Location"]) == (302, "/static/blog_engine/icon.svg")


@pytest.mark.django_db(transaction=True)
def test_the_blog_is_described_once_until_what_it_shows_changes() -> None:
    urls = BlogURLs(origin="https://example.com", prefix="/blog")
    # Writes the version of the content, which the end of an earlier test removed.
    save()

    def described(*, now: datetime = TODAY, language: str = "en") -> Blog:
        with reading_a_page(), override(language):
            return describe_blog(urls, now=now)

    first = described()
    assert described() is first
    assert described(language="ar") is not first
    assert described(now=TODAY + timedelta(days=366)).year == str(TODAY.year + 1)

    with override_settings(BLOG_ENGINE=blog_settings(site_name="The Other")):
        assert described().site_name == "The Other"
    sent = {"title": "How we write", "body": "Text.", "status": "published"}
    save_page(parse_input(SavePage, sent, fixed={"kind": "editorial"}), actor=EDITOR, now=TODAY)

    assert PolicyKind.EDITORIAL in described().policies
