"""Whether search engines find the articles in the sitemap."""

import pytest
from django.test import override_settings

from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Post
from blog_engine.surface_report.lists import judge_sitemap
from tests.reader.changes import blog_settings
from tests.reader.places import PLACES, at
from tests.requirements import requirement
from tests.support.factories import save
from tests.surface_report.looking import Staged, answer, inspect, site, spoilt

pytestmark = pytest.mark.django_db

SITEMAP = "/blog/sitemap.xml"
URL = "<loc>https://example.com/blog/soil</loc>"
DATE = "<lastmod>2026-11-21T12:00:00+00:00</lastmod>"


def result(staged: Staged, *posts: Post) -> str:
    return judge_sitemap(inspect(*posts, on=site(staged), scope=ReportScope.SITE)).result.value


@requirement("surface-report.t5")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("scope", ReportScope)
def test_articles_are_listed_wherever_the_blog_stands(place: str, scope: ReportScope) -> None:
    with at(place):
        here = save(title="Soil", publish=True).post
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
    post = save(title="Soil", publish=True).post

    assert result({SITEMAP: spoilt(SITEMAP, (URL + DATE, written))}, post) == expected


@requirement("surface-report.t5")
def test_an_article_of_another_site_is_not_listed() -> None:
    post = save(title="Soil", publish=True, canonical_url="https://other.example/soil").post

    assert result({SITEMAP: spoilt(SITEMAP, ("</urlset>", f"<url>{URL}</url></urlset>"))}, post) == "fail"


@requirement("surface-report.t5")
def test_a_date_that_nobody_recorded_fails() -> None:
    post = save(title="Soil", publish=True).post
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
    assert result({SITEMAP: found}) == expected


@requirement("surface-report.t5", "surface-report.unfetched")
def test_without_a_base_url_the_sitemap_is_not_verified() -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url=None)):
        assert judge_sitemap(inspect(save(publish=True).post)).result.value == "not verified"
