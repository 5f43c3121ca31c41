"""Whether feed readers find both feeds, and the newest article in them."""

import json

import pytest
from django.test import override_settings

from blog_engine.enums import ReportScope
from blog_engine.models import Post
from blog_engine.surface_report.lists import judge_feeds
from tests.reader.changes import blog_settings
from tests.reader.places import PLACES, at
from tests.requirements import requirement
from tests.support.factories import save
from tests.surface_report.looking import Staged, answer, asked, inspect, site, spoilt

pytestmark = pytest.mark.django_db

ATOM, JSON = "/blog/feed.xml", "/blog/feed.json"
LINK = '<link rel="alternate" type="application/{}+{}" title="Blog" href="/blog/feed.{}">'
ATOM_LINK, JSON_LINK = LINK.format("atom", "xml", "xml"), LINK.format("feed", "json", "json")


def result(staged: Staged, *posts: Post, scope: ReportScope = ReportScope.ALL) -> str:
    return judge_feeds(inspect(*posts, on=site(staged), scope=scope)).result.value


@requirement("surface-report.t6")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("content", ["summary", "full"])
def test_feeds_of_this_app_pass_wherever_it_stands(place: str, content: str) -> None:
    with at(place) as found, override_settings(BLOG_ENGINE=blog_settings(feed_content=content)):
        post = save(title="Soil", body="Dig.", publish=True).post

        observation = judge_feeds(inspect(post))

    feeds = [f"https://example.com{found.prefix}/feed.{suffix}" for suffix in ("xml", "json")]
    assert (observation.result.value, observation.details) == ("pass", {"feeds": feeds})


@requirement("surface-report.t6")
def test_a_blog_without_articles_has_empty_feeds() -> None:
    assert result({}) == "pass"


@requirement("surface-report.t6")
@pytest.mark.parametrize("path", ["/blog/", "/blog/soil"])
@pytest.mark.parametrize("link", [ATOM_LINK, JSON_LINK])
@pytest.mark.parametrize("scope", ReportScope)
def test_index_and_articles_announce_both_feeds(path: str, link: str, scope: ReportScope) -> None:
    post = save(title="Soil", publish=True).post

    assert result({path: spoilt(path, (link, ""))}, post, scope=scope) == "fail"


@requirement("surface-report.t6", "surface-report.closed")
@pytest.mark.parametrize("path", ["/blog/", "/blog/soil", ATOM, JSON])
def test_pages_and_feeds_that_are_not_open(path: str) -> None:
    post = save(title="Soil", publish=True).post

    assert result({path: None}, post) == "not verified"
    assert result({path: answer(status=503)}, post) == "fail"


@requirement("surface-report.t6")
@pytest.mark.parametrize("path", [ATOM, JSON])
def test_each_feed_has_the_newest_article(path: str) -> None:
    save(title="Soil", publish=True)
    old = spoilt(path)
    newest = save(title="Stone", publish=True).post

    assert result({}, newest) == "pass"
    assert result({path: old}, newest) == "fail"


@requirement("surface-report.t6")
def test_a_feed_may_name_an_article_by_its_canonical_address() -> None:
    post = save(title="Soil", publish=True, canonical_url="https://other.example/soil").post
    own, other = "https://example.com/blog/soil", "https://other.example/soil"

    assert result({ATOM: spoilt(ATOM, (own, other)), JSON: spoilt(JSON, (own, other))}, post) == "pass"
    assert result({ATOM: spoilt(ATOM, (own, f"{other}s"))}, post) == "fail"


@requirement("surface-report.t6")
def test_the_own_feed_counts_whatever_else_a_layout_announces() -> None:
    post = save(title="Soil", publish=True).post
    news = '<link rel="alternate" type="application/atom+xml" href="/news.xml">'
    staged = {"/blog/soil": spoilt("/blog/soil", (ATOM_LINK, news + ATOM_LINK)), "/news.xml": "nonsense"}
    here = site(staged)

    assert judge_feeds(inspect(post, on=here)).result.value == "pass"
    assert "https://example.com/news.xml" not in asked(here)
    assert result(staged | {"/blog/soil": spoilt("/blog/soil", (ATOM_LINK, news))}, post) == "fail"


@requirement("surface-report.t6")
def test_a_feed_elsewhere_is_as_good() -> None:
    post = save(title="Soil", publish=True).post
    links = (ATOM_LINK, ATOM_LINK.replace("/blog/feed.xml", "https://feeds.example/a").replace("+xml", "+xml; a=b"))
    staged = {path: spoilt(path, links) for path in ("/blog/", "/blog/soil")}

    assert result(staged | {"https://feeds.example/a": spoilt(ATOM)}, post) == "pass"
    assert result(staged, post) == "not verified"


@requirement("surface-report.t6", "surface-report.malformed-pages")
@pytest.mark.parametrize("body", ["", "<feed/>", "[]", "{", json.dumps({"items": [None]}), "\x00", "<!DOCTYPE a>"])
def test_feeds_of_garbage_fail(body: str) -> None:
    assert [result({path: body}) for path in (ATOM, JSON, "/blog/")] == ["fail"] * 3


@requirement("surface-report.t6", "surface-report.unfetched")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None))
def test_without_a_base_url_feeds_are_not_verified() -> None:
    assert result({}, save(publish=True).post) == "not verified"
