"""What the reader pages show of WebSub and IndexNow."""

import json

import pytest
from django.test import Client
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

HUB = "https://hub.example/?a=1&b=2"


@requirement("webhooks.websub.feeds")
def test_feeds_of_the_blog_name_the_hub(settings: Settings, client: Client) -> None:
    settings.BLOG_ENGINE = blog_settings(notify={"websub_hub": HUB})
    save(publish=True, category="Soil")

    atom, feed = client.get("/blog/feed.xml"), client.get("/blog/feed.json")

    assert atom["Link"] == f'<{HUB}>; rel="hub", <https://example.com/blog/feed.xml>; rel="self"'
    assert feed["Link"] == f'<{HUB}>; rel="hub", <https://example.com/blog/feed.json>; rel="self"'
    assert '<link rel="hub" href="https://hub.example/?a=1&amp;b=2" />' in atom.content.decode()
    assert json.loads(feed.content)["hubs"] == [{"type": "WebSub", "url": HUB}]


@requirement("webhooks.websub.feeds")
def test_feeds_of_lists_and_blogs_without_a_hub_name_none(settings: Settings, client: Client) -> None:
    save(publish=True, category="Soil")
    without = [client.get("/blog/feed.xml"), client.get("/blog/feed.json")]
    settings.BLOG_ENGINE = blog_settings(notify={"websub_hub": HUB})
    of_list = [client.get("/blog/category/soil/feed.xml"), client.get("/blog/category/soil/feed.json")]

    for answer in [*without, *of_list]:
        assert answer.status_code == 200
        assert not answer.has_header("Link")
        assert b"hub" not in answer.content


@requirement("webhooks.indexnow.key")
def test_the_key_of_indexnow_is_a_file_of_the_blog(settings: Settings, client: Client) -> None:
    settings.BLOG_ENGINE = blog_settings(notify={"indexnow_key": "abcdef12-34"})

    answer = client.get("/blog/abcdef12-34.txt")

    assert (answer.status_code, answer.content, answer["Content-Type"]) == (
        *(200, b"abcdef12-34"),
        "text/plain; charset=utf-8",
    )
    assert answer["X-Robots-Tag"] == "noindex"


@requirement("webhooks.indexnow.key")
@pytest.mark.parametrize("key", ["abcdef12-35", "abcdef12", "ABCDEF12-34"])
def test_another_key_is_not_found(settings: Settings, client: Client, key: str) -> None:
    settings.BLOG_ENGINE = blog_settings(notify={"indexnow_key": "abcdef12-34"})

    assert client.get(f"/blog/{key}.txt").status_code == 404


@requirement("webhooks.indexnow.key")
def test_without_a_key_no_file_is_found(client: Client) -> None:
    assert client.get("/blog/abcdef12.txt").status_code == 404
