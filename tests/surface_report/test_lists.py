"""T5, T6 and T21: how sitemap, feeds and list pages lead to the articles."""

import json

import pytest
from django.test import override_settings

from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Post
from blog_engine.surface_report import web as bounds
from blog_engine.surface_report.lists import judge_feeds, judge_list_pages, judge_sitemap
from blog_engine.surface_report.observation import Observation
from tests.requirements import requirement
from tests.support.hosts import PLACES, at, blog_settings
from tests.surface_report.conftest import Staged, answer, article, asked, inspect, save, site, spoilt

pytestmark = pytest.mark.django_db

SITEMAP = "/blog/sitemap.xml"
URL = "<loc>https://example.com/blog/soil</loc>"
DATE = "<lastmod>2026-11-21T12:00:00+00:00</lastmod>"


def judged_sitemap(staged: Staged, *posts: Post) -> str:
    return judge_sitemap(inspect(*posts, on=site(staged), scope=ReportScope.SITE)).result.value


@requirement("surface-report.t5")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("scope", ReportScope)
def test_articles_are_listed_wherever_the_blog_is_mounted(place: str, scope: ReportScope) -> None:
    with at(place):
        here = article()
        there = save(title="Stone", publish=True, canonical_url="https://other.example/stone").post
        own = save(title="Sand", publish=True, canonical_url="https://example.com/sand").post

        observation = judge_sitemap(inspect(here, there, own, scope=scope))

    assert (observation.result.value, observation.details) == ("pass", {"articles": 3, "listed": 3})


@requirement("surface-report.t5")
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (URL, "pass"),
        (f"{URL}<lastmod> </lastmod>", "pass"),
        (f"{URL}<lastmod>2026-11-21</lastmod>", "pass"),
        (f"{URL}<lastmod>2026-11-21T23:59:59Z</lastmod>", "pass"),
        (f"{URL}<lastmod>2026-11-22T00:30:00+01:00</lastmod>", "pass"),
        (f"{URL}<lastmod>2026-11-22</lastmod>", "fail"),
        (f"{URL}<lastmod>2026-11-21T23:30:00-01:00</lastmod>", "fail"),
        (f"{URL}<lastmod>yesterday</lastmod>", "fail"),
        ("<loc>https://example.com/blog/soil/</loc>", "fail"),
        ("", "fail"),
    ],
)
def test_an_article_is_listed_with_the_day_of_its_change_or_none(written: str, expected: str) -> None:
    post = article()

    assert judged_sitemap({SITEMAP: spoilt(SITEMAP, (URL + DATE, written))}, post) == expected


@requirement("surface-report.t5")
def test_an_article_of_another_site_is_not_listed() -> None:
    post = save(title="Soil", publish=True, canonical_url="https://other.example/soil").post

    assert judged_sitemap({SITEMAP: spoilt(SITEMAP, ("</urlset>", f"<url>{URL}</url></urlset>"))}, post) == "fail"


@requirement("surface-report.t5")
def test_a_date_without_a_record_fails() -> None:
    post = article()
    inspection = inspect(post, scope=ReportScope.SITE)
    inspection.posts[0].post.modified_at = None

    assert judge_sitemap(inspection).result.value == "fail"


@requirement("surface-report.t5", "surface-report.closed", "surface-report.malformed-pages")
@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (None, "not verified"),
        (answer(status=404), "fail"),
        (answer(status=500), "fail"),
        ("", "fail"),
        ("<html>", "fail"),
        ("<rss/>", "fail"),
        ("<!DOCTYPE urlset><urlset/>", "fail"),
        (answer(b"\xff\x00"), "fail"),
    ],
)
def test_a_sitemap_that_cannot_be_read_lists_nothing(found: Fetched | str | None, expected: str) -> None:
    assert judged_sitemap({SITEMAP: found}) == expected


ATOM, JSON = "/blog/feed.xml", "/blog/feed.json"
LINK = '<link rel="alternate" type="application/{}+{}" title="Blog ({})" href="/blog/feed.{}">'
ATOM_LINK, JSON_LINK = LINK.format("atom", "xml", "Atom", "xml"), LINK.format("feed", "json", "JSON", "json")


def judged_feeds(staged: Staged, *posts: Post, scope: ReportScope = ReportScope.ALL) -> str:
    return judge_feeds(inspect(*posts, on=site(staged), scope=scope)).result.value


@requirement("surface-report.t6")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("content", ["summary", "full"])
def test_feeds_of_this_app_pass_wherever_it_is_mounted(place: str, content: str) -> None:
    with at(place) as found, override_settings(BLOG_ENGINE=blog_settings(feed_content=content)):
        post = article(body="Dig.")

        observation = judge_feeds(inspect(post))

    feeds = [f"https://example.com{found.prefix}/feed.{suffix}" for suffix in ("xml", "json")]
    assert (observation.result.value, observation.details) == ("pass", {"feeds": feeds})


@requirement("surface-report.t6")
def test_a_blog_without_articles_has_empty_feeds() -> None:
    assert judged_feeds({}) == "pass"


@requirement("surface-report.t6")
@pytest.mark.parametrize("path", ["/blog/", "/blog/soil"])
@pytest.mark.parametrize("link", [ATOM_LINK, JSON_LINK])
@pytest.mark.parametrize("scope", ReportScope)
def test_index_and_articles_announce_both_feeds(path: str, link: str, scope: ReportScope) -> None:
    post = article()

    assert judged_feeds({path: spoilt(path, (link, ""))}, post, scope=scope) == "fail"


@requirement("surface-report.t6", "surface-report.closed")
@pytest.mark.parametrize("path", ["/blog/", "/blog/soil", ATOM, JSON])
def test_pages_and_feeds_that_are_not_open(path: str) -> None:
    post = article()

    assert judged_feeds({path: None}, post) == "not verified"
    assert judged_feeds({path: answer(status=503)}, post) == "fail"


@requirement("surface-report.t6")
@pytest.mark.parametrize("path", [ATOM, JSON])
def test_each_feed_has_the_newest_article(path: str) -> None:
    save(title="Soil", publish=True)
    old = spoilt(path)
    newest = save(title="Stone", publish=True).post

    assert judged_feeds({}, newest) == "pass"
    assert judged_feeds({path: old}, newest) == "fail"


@requirement("surface-report.t6")
def test_a_feed_may_name_an_article_by_its_canonical_url() -> None:
    post = save(title="Soil", publish=True, canonical_url="https://other.example/soil").post
    own, other = "https://example.com/blog/soil", "https://other.example/soil"

    assert judged_feeds({ATOM: spoilt(ATOM, (own, other)), JSON: spoilt(JSON, (own, other))}, post) == "pass"
    assert judged_feeds({ATOM: spoilt(ATOM, (own, f"{other}s"))}, post) == "fail"


@requirement("surface-report.t6")
def test_the_own_feed_counts_whatever_else_a_layout_announces() -> None:
    post = article()
    news = '<link rel="alternate" type="application/atom+xml" href="/news.xml">'
    staged = {"/blog/soil": spoilt("/blog/soil", (ATOM_LINK, news + ATOM_LINK)), "/news.xml": "nonsense"}
    here = site(staged)

    assert judge_feeds(inspect(post, on=here)).result.value == "pass"
    assert "https://example.com/news.xml" not in asked(here)
    assert judged_feeds(staged | {"/blog/soil": spoilt("/blog/soil", (ATOM_LINK, news))}, post) == "fail"


@requirement("surface-report.t6")
def test_a_feed_elsewhere_is_as_good() -> None:
    post = article()
    links = (ATOM_LINK, ATOM_LINK.replace("/blog/feed.xml", "https://feeds.example/a").replace("+xml", "+xml; a=b"))
    staged = {path: spoilt(path, links) for path in ("/blog/", "/blog/soil")}

    assert judged_feeds(staged | {"https://feeds.example/a": spoilt(ATOM)}, post) == "pass"
    assert judged_feeds(staged, post) == "not verified"


@requirement("surface-report.t6", "surface-report.malformed-pages")
@pytest.mark.parametrize("body", ["", "<feed/>", "[]", "{", json.dumps({"items": [None]}), "\x00", "<!DOCTYPE a>"])
def test_feeds_of_garbage_fail(body: str) -> None:
    assert [judged_feeds({path: body}) for path in (ATOM, JSON, "/blog/")] == ["fail"] * 3


INDEX, PRIMARY, OTHER = "/blog/", "/blog/category/soil", "/blog/tag/clay"
ROBOTS = "/robots.txt"
INDEXED, FOLLOWED = ('content="index, follow, max-image-preview:large"', 'content="noindex, follow"')


def look(staged: Staged) -> Observation:
    return judge_list_pages(inspect(on=site(staged), scope=ReportScope.SITE))


def judged_lists(staged: Staged) -> str:
    return look(staged).result.value


@pytest.fixture
def lists() -> None:
    save(title="One", category="Soil", tags=["Clay"], series="Spring", publish=True)


@requirement("surface-report.t21")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("primary", ["categories", "tags"])
def test_all_pages_of_lists_pass_wherever_the_blog_is_mounted(place: str, primary: str) -> None:
    with at(place), override_settings(BLOG_ENGINE=blog_settings(posts_per_page=1, primary_list_type=primary)):
        for title in ("One", "Two"):
            save(title=title, category="Soil", tags=["Clay", "Soil"], series="Soil", publish=True)

        observation = look({})

    assert (observation.result.value, observation.details) == ("pass", {"pages": 12, "looked_at": 12})


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("path", [INDEX, PRIMARY])
@pytest.mark.parametrize(
    "directive", ["noindex, follow", "NONE", "noindex, nofollow", '" ><meta name="GoogleBot" content="noindex']
)
def test_primary_pages_that_may_not_be_listed_fail(path: str, directive: str) -> None:
    assert judged_lists({path: spoilt(path, (INDEXED, f'content="{directive}"'))}) == "fail"
    assert judged_lists({path: spoilt(path, x_robots_tag="bingbot: noindex")}) == "fail"
    assert judged_lists({path: spoilt(path, x_robots_tag="otherbot: noindex")}) == "pass"


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("directive", "expected"),
    [
        ("noindex", "pass"),
        ("index", "pass"),
        ("index, nofollow", "pass"),
        ("noindex, nofollow", "fail"),
        ("none", "fail"),
    ],
)
def test_other_pages_lead_on_when_they_are_not_listed(directive: str, expected: str) -> None:
    assert judged_lists({OTHER: spoilt(OTHER, (FOLLOWED, f'content="{directive}"'))}) == expected


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("what", "own", "shared"),
    [
        ("title", "<title>Soil — The Example Journal</title>", "<title> blog — the Example Journal</title>"),
        (
            "description",
            '<meta name="description" content="Posts about Soil — The Example Journal.">',
            '<meta name="description" content="The blog of  The Example Journal.">',
        ),
    ],
)
def test_primary_pages_have_words_of_their_own(what: str, own: str, shared: str) -> None:
    assert judged_lists({PRIMARY: spoilt(PRIMARY, (own, ""))}) == "fail"
    assert judged_lists({PRIMARY: spoilt(PRIMARY, (own, shared))}) == "fail"


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
def test_a_page_that_is_not_listed_may_share_words() -> None:
    own, shared = "<title>Tagged: Clay — The Example Journal</title>", "<title>Soil — The Example Journal</title>"

    assert judged_lists({OTHER: spoilt(OTHER, (own, shared))}) == "pass"
    assert judged_lists({OTHER: spoilt(OTHER, (own, shared), (FOLLOWED, INDEXED))}) == "fail"
    assert judged_lists({OTHER: spoilt(OTHER, (own, ""), (FOLLOWED, INDEXED))}) == "pass"


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
def test_only_words_of_primary_pages_are_judged() -> None:
    series, words = "/blog/series/spring", ("<title>", "<title>Same</title><title>")
    staged = {path: spoilt(path, words, (FOLLOWED, INDEXED)) for path in (OTHER, series)}

    assert judged_lists(staged) == "pass"


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("user-agent: *\ndisallow: /blog/category/", "fail"),
        ("user-agent: bingbot\ndisallow: /", "fail"),
        ("user-agent: otherbot\ndisallow: /", "pass"),
        ("user-agent: *\ndisallow: /blog/tag/", "pass"),
        (None, "not verified"),
    ],
)
def test_robots_txt_lets_both_crawlers_look_at_primary_pages(rules: str | None, expected: str) -> None:
    assert judged_lists({ROBOTS: rules}) == expected


@requirement("surface-report.t21", "surface-report.closed")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("path", [INDEX, PRIMARY, OTHER])
def test_pages_that_are_not_open(path: str) -> None:
    missing = look({path: None})

    assert (missing.result.value, missing.details) == ("not verified", {"pages": 5, "looked_at": 4})
    assert judged_lists({path: answer(status=404)}) == "fail"


@requirement("surface-report.t21", "surface-report.malformed-pages")
@pytest.mark.usefixtures("lists")
def test_garbage_has_no_words() -> None:
    assert [judged_lists({PRIMARY: body}) for body in ("", "\x00", "<title>", "[]")] == ["fail"] * 4


@requirement("surface-report.t21")
@pytest.mark.usefixtures("lists")
def test_without_a_configured_list_type_nothing_is_asked_for() -> None:
    with override_settings(BLOG_ENGINE=blog_settings(primary_list_type=...)):
        here = site()
        observation = judge_list_pages(inspect(on=here))

    assert (observation.result.value, asked(here)) == ("not verified", [])


@requirement("surface-report.t21", "surface-report.bounds")
@pytest.mark.usefixtures("lists")
def test_of_more_pages_than_can_be_fetched_it_says_how_many_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_URLS", 3)

    observation = look({})

    assert (observation.result.value, observation.details) == ("not verified", {"pages": 5, "looked_at": 2})
    assert "2 of 5" in observation.reason
    assert judged_lists({INDEX: answer(status=500)}) == "fail"
