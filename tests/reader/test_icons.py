"""The icons of the blog (the settings ``favicon_url`` and ``touch_icon_url``)."""

import pytest
from django.test import Client, override_settings
from django.urls import set_script_prefix
from pytest_django import Settings

from blog_engine.conf.load import get_settings, unsafe_urls
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor


def icons(visitor: Visitor, path: str = "/", *, status: int = 200) -> list[tuple[str, str]]:
    links = visitor.page(path, status=status).all("link")
    return [(link.attrs["rel"], link.attrs["href"]) for link in links if "icon" in link.attrs["rel"]]


@requirement("pages.icons")
def test_without_settings_the_icon_is_the_engines(visitor: Visitor) -> None:
    assert icons(visitor) == [("icon", "/static/blog_engine/icon.svg")]


@requirement("pages.icons")
@pytest.mark.parametrize(("path", "status"), [("/", 200), ("/none", 404), ("/search", 200)])
def test_the_icons_of_the_host_are_on_every_page(visitor: Visitor, path: str, status: int) -> None:
    changes = {"favicon_url": "/i/blog.ico", "touch_icon_url": "https://cdn.example.com/touch.png"}
    with override_settings(BLOG_ENGINE=blog_settings(**changes)):
        shown = icons(visitor, path, status=status)

    assert shown == [("icon", "/i/blog.ico"), ("apple-touch-icon", "https://cdn.example.com/touch.png")]


@requirement("pages.icons")
@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:image/png,x", "//x.example/i", "icon.png", ""])
def test_an_address_that_is_not_safe_is_left_out_and_reported(visitor: Visitor, url: str) -> None:
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


def test_the_example_site_answers_browsers_that_look_at_no_page(client: Client) -> None:
    response = client.get("/favicon.ico")

    assert (response.status_code, response["Location"]) == (302, "/static/blog_engine/icon.svg")
