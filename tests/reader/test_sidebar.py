"""The sidebar of lists."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import caches
from django.test import override_settings

from blog_engine.models import Category, PageView, Post
from blog_engine.reader import sidebar as module
from tests.reader.conftest import TODAY, count_queries
from tests.requirements import requirement
from tests.support.clients import client_with
from tests.support.factories import publish, save, unpublish
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor, person
from tests.support.tables import undone

POPULAR = blog_settings(popular_posts={"enabled": True, "days": 30, "limit": 2})


def links_in(element: Element) -> list[tuple[str, str]]:
    return [(link.text, link.attrs["href"]) for link in element.all("a")]


def part(page: Element, label: str) -> Element:
    return page.one("div", class_="blog-list").one("nav", aria_labelledby=label)


@requirement("pages.sidebar")
def test_categories_of_public_posts_are_ordered_by_position_and_name(visitor: Visitor) -> None:
    for category in ("Soil", "Air", "Water"):
        save(title=f"On {category}", category=category, publish=True)
    save(title="More air", category="Air", publish=True)
    save(title="Draft", category="Drafts only")
    Category.objects.filter(name="Water").update(position=-1)

    categories = part(visitor.page("/"), "blog-categories")

    assert links_in(categories) == [
        ("All posts", "/blog/"),
        ("Water 1", "/blog/category/water"),
        ("Air 2", "/blog/category/air"),
        ("Soil 1", "/blog/category/soil"),
    ]
    assert categories.one("a", aria_current="page").text == "All posts"


@requirement("pages.sidebar")
def test_the_most_frequent_tags_come_first(visitor: Visitor) -> None:
    save(title="One", tags=["rain", *(f"tag {number:02}" for number in range(25))], publish=True)
    save(title="Two", tags=["rain", "tag 07"], publish=True)
    save(title="Draft", tags=["tag 20", "tag 21"])

    tags = links_in(part(visitor.page("/"), "blog-tags"))

    assert tags[:4] == [
        ("rain 2", "/blog/tag/rain"),
        ("tag 07 2", "/blog/tag/tag-07"),
        ("tag 00 1", "/blog/tag/tag-00"),
        ("tag 01 1", "/blog/tag/tag-01"),
    ]
    assert len(tags) == 20


@requirement("pages.sidebar.current")
def test_the_current_list_is_marked(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", category="Garden", tags=["roots"], series="Ground", publish=True)

    for path, current in [
        ("/", "All posts"),
        ("/category/garden", "Garden 1"),
        ("/tag/roots", "roots 1"),
        ("/series/ground", None),
    ]:
        with subtests.test(path=path, current=current), undone():
            marked = visitor.page(path).one("div", class_="blog-list").all("a", aria_current="page")

            assert [link.text for link in marked] == ([current] if current else [])


def test_without_tags_and_views_their_lists_are_absent(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    page = visitor.page("/")
    aside = page.one("aside")

    assert [nav.attrs["aria-labelledby"] for nav in page.one("div", class_="blog-list").all("nav")] == [
        "blog-categories"
    ]
    assert not aside.has("nav")
    assert [link.attrs["href"] for link in aside.one("ul", class_="blog-sidebar__feeds").all("a")] == [
        "/blog/feed.xml",
        "/blog/feed.json",
        "/blog/archive",
    ]


@requirement("pages.sidebar.absent")
@pytest.mark.parametrize(("path", "status"), [("/soil", 200), ("/author/ada-example", 200), ("/none", 404)])
def test_other_pages_have_no_sidebar(visitor: Visitor, path: str, status: int) -> None:
    save(title="Soil", publish=True)

    assert not visitor.page(path, status=status).has("aside")


def test_a_rename_shows_at_once(visitor: Visitor) -> None:
    save(title="Soil", category="Garden", publish=True)
    tag = visitor.get("/")["ETag"]
    Category.objects.update(name="Gardens")

    assert visitor.get("/", if_none_match=tag).status_code == 200
    assert ("Gardens 1", "/blog/category/garden") in links_in(part(visitor.page("/"), "blog-categories"))


@pytest.fixture
def read_posts(db: None) -> dict[str, Post]:
    """Publish four posts, ``Old`` read before the 30 days and ``Most`` read most often."""
    posts = {title: save(title=title, publish=True).post for title in ("Most", "Old", "Second", "Third")}
    for title, days_ago, views in (
        ("Most", 0, 3),
        ("Most", 29, 3),
        ("Old", 30, 50),
        ("Second", 1, 5),
        ("Third", 1, 5),
    ):
        PageView.objects.create(post=posts[title], day=(TODAY - timedelta(days=days_ago)).date(), views=views)
    return posts


def popular(visitor: Visitor, **changes: Any) -> list[str]:
    return [text for text, _ in links_in(part(visitor.page("/"), "blog-popular"))]


@requirement("pages.sidebar.popular")
@override_settings(BLOG_ENGINE=POPULAR)
def test_the_most_read_posts_of_the_last_days_are_listed(visitor: Visitor, read_posts: dict[str, Post]) -> None:
    aside = visitor.page("/").one("aside")

    assert links_in(aside.one("nav", aria_labelledby="blog-popular")) == [
        ("Most", "/blog/most"),
        ("Second", "/blog/second"),
    ]


@requirement("pages.sidebar.popular")
@override_settings(BLOG_ENGINE=POPULAR)
def test_the_list_is_kept_for_an_hour_but_withdrawn_posts_vanish_at_once(
    visitor: Visitor, read_posts: dict[str, Post], clock: Any
) -> None:
    assert popular(visitor) == ["Most", "Second"]
    PageView.objects.filter(post=read_posts["Third"]).update(views=100)
    assert popular(visitor) == ["Most", "Second"]
    unpublish(read_posts["Most"])
    assert popular(visitor) == ["Second"]
    publish(read_posts["Most"])
    assert popular(visitor) == ["Most", "Second"]

    clock.shift(timedelta(seconds=3601))

    assert popular(visitor) == ["Third", "Most"]


def test_popular_posts_are_shown_only_if_enabled(visitor: Visitor, read_posts: dict[str, Post]) -> None:
    assert not visitor.page("/").has("nav", aria_labelledby="blog-popular")


@requirement("pages.sidebar.popular")
@override_settings(BLOG_ENGINE=POPULAR)
def test_without_the_cache_views_are_counted_for_each_request(
    visitor: Visitor, read_posts: dict[str, Post], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "cache", caches["dead"])

    assert popular(visitor) == ["Most", "Second"]


@requirement("pages.sidebar.switch")
def test_a_host_leaves_the_sidebar_out(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", category="Garden", tags=["roots"], series="Ground", publish=True)

    for path in ["/", "/category/garden", "/tag/roots", "/series/ground", "/search?q=soil", "/search"]:
        with subtests.test(path=path), undone():
            is_search = path.startswith("/search")

            with override_settings(BLOG_ENGINE=POPULAR | {"brand": {"sidebar": False}}):
                page = visitor.page(path)

            assert not page.has("aside")
            assert not page.has("nav", aria_labelledby="blog-categories")
            assert len(page.all("form", role="search")) == is_search
            assert any("search.js" in script.attrs.get("src", "") for script in page.all("script")) == is_search


@requirement("pages.sidebar.switch")
def test_without_the_sidebar_nothing_is_read_for_it(visitor: Visitor) -> None:
    save(title="Soil", category="Garden", tags=["roots"], publish=True)
    shown = count_queries(visitor, "/")

    with override_settings(BLOG_ENGINE=blog_settings(brand={"sidebar": False})):
        caches["memory"].clear()
        without = count_queries(visitor, "/")

    assert shown - without >= 2


@pytest.fixture
def posts(db: None) -> None:
    for title in ("Soil", "Sea", "Salt"):
        save(title=title, publish=True)


def read(*paths: str) -> None:
    reader = person()
    for path in paths:
        assert reader.get(path).status_code == 200


@requirement("pages.sidebar.popular")
@override_settings(BLOG_ENGINE=POPULAR)
def test_what_is_read_becomes_popular(visitor: Visitor, posts: None) -> None:
    read("/sea", "/salt", "/salt", "/soil.md")

    assert popular(visitor) == ["Salt", "Sea"]


@requirement("page-views.post", "page-views.top")
def test_both_reports_have_the_views(posts: None, clock: time_machine.Traveller) -> None:
    read("/sea", "/sea", "/salt")
    clock.shift(timedelta(days=1))
    read("/sea")
    owner = client_with("read")

    def told(path: str) -> Any:
        return owner.get(f"/blog/api/v1{path}").json()

    assert told("/posts/sea/views") | {"post_id": 0} == {
        "post_id": 0,
        "from": "2026-10-25",
        "to": "2026-11-23",
        "total": 3,
        "days": [{"day": "2026-11-22", "views": 2}, {"day": "2026-11-23", "views": 1}],
    }
    assert [(post["slug"], post["views"]) for post in told("/views/top")["posts"]] == [("sea", 3), ("salt", 1)]
    assert [(post["slug"], post["views"]) for post in told("/views/top?days=1")["posts"]] == [("sea", 1)]
