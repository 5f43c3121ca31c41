"""Page views in the list of popular posts and in reports."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import override_settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.factories import publish, save, unpublish
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor, person

POPULAR = override_settings(BLOG_ENGINE=blog_settings(popular_posts={"enabled": True, "limit": 2}))
API = "/blog/api/v1"


@pytest.fixture(autouse=True)
def posts(db: None) -> None:
    for title in ("Soil", "Sea", "Salt"):
        save(title=title, publish=True)


def read(*paths: str) -> None:
    reader = person()
    for path in paths:
        assert reader.get(path).status_code == 200


def popular(visitor: Visitor) -> list[str]:
    lists = visitor.page("/").one("aside").all("nav", aria_labelledby="blog-popular")
    return [link.text for part in lists for link in part.all("a")]


@requirement("pages.sidebar.popular")
@POPULAR
def test_what_is_read_becomes_popular(visitor: Visitor) -> None:
    read("/sea", "/salt", "/salt", "/soil.md")

    assert popular(visitor) == ["Salt", "Sea"]


@requirement("pages.sidebar.popular")
@POPULAR
def test_the_list_follows_after_an_hour(visitor: Visitor, clock: time_machine.Traveller) -> None:
    read("/sea")
    assert popular(visitor) == ["Sea"]
    read("/soil", "/soil")

    clock.shift(timedelta(seconds=3599))
    assert popular(visitor) == ["Sea"]
    clock.shift(timedelta(seconds=2))

    assert popular(visitor) == ["Soil", "Sea"]


@requirement("pages.sidebar.popular")
@POPULAR
def test_a_post_that_is_withdrawn_vanishes_at_once_and_comes_back(visitor: Visitor) -> None:
    read("/sea", "/salt", "/salt")
    assert popular(visitor) == ["Salt", "Sea"]

    salt = Post.objects.get(slug="salt")
    unpublish(salt)
    assert popular(visitor) == ["Sea"]
    publish(salt)

    assert popular(visitor) == ["Salt", "Sea"]


@POPULAR
def test_views_of_more_than_thirty_days_ago_no_longer_count(visitor: Visitor, clock: time_machine.Traveller) -> None:
    read("/sea")
    clock.shift(timedelta(days=29))
    read("/salt")
    assert popular(visitor) == ["Sea", "Salt"]

    clock.shift(timedelta(days=1))

    assert popular(visitor) == ["Salt"]


@requirement("page-views.post", "page-views.top")
def test_both_reports_have_the_views(clock: time_machine.Traveller) -> None:
    read("/sea", "/sea", "/salt")
    clock.shift(timedelta(days=1))
    read("/sea")
    owner = client_with("read")

    def told(path: str) -> Any:
        return owner.get(f"{API}{path}").json()

    assert told("/posts/sea/views") | {"post_id": 0} == {
        "post_id": 0,
        "from": "2026-10-25",
        "to": "2026-11-23",
        "total": 3,
        "days": [{"day": "2026-11-22", "views": 2}, {"day": "2026-11-23", "views": 1}],
    }
    assert [(post["slug"], post["views"]) for post in told("/views/top")["posts"]] == [("sea", 3), ("salt", 1)]
    assert [(post["slug"], post["views"]) for post in told("/views/top?days=1")["posts"]] == [("sea", 1)]
