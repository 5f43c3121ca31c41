"""How crawlers and readers get to a page."""

import pytest
from django.test import override_settings

from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Post
from blog_engine.surface_report.observation import Observation
from blog_engine.surface_report.reach import reach_rows
from blog_engine.surface_report.site import Inspection
from tests.reader.changes import blog_settings
from tests.reader.places import PLACES, at
from tests.requirements import requirement
from tests.support.factories import save
from tests.surface_report.looking import Staged, answer, asked, inspect, site, spoilt

pytestmark = pytest.mark.django_db

PATH, URL = "/blog/soil", "https://example.com/blog/soil"
PLAIN = "http://example.com/blog/soil"
TO_HTTPS = answer(status=301, location=URL)
ROBOTS = "/robots.txt"
SCOPES = [ReportScope.POST, ReportScope.ALL]


@pytest.fixture
def soil() -> Post:
    return save(title="Soil", body="Dig.", publish=True).post


def results(inspection: Inspection) -> list[tuple[str, int | None, str]]:
    return [(row.predicate, row.post_id, row.observation.result.value) for row in reach_rows(inspection)]


def found(predicate: str, post: Post, staged: Staged) -> Observation:
    inspection = inspect(post, on=site(staged), reach=True)
    (observation,) = (row.observation for row in reach_rows(inspection) if row.predicate == predicate)
    return observation


@requirement("surface-report.reach")
@pytest.mark.parametrize("scope", SCOPES)
def test_reach_that_was_not_requested_is_not_verified_and_asks_for_nothing(soil: Post, scope: ReportScope) -> None:
    inspection = inspect(soil, on=(here := site()), scope=scope)
    before = asked(here)[:]

    assert results(inspection) == [(predicate, None, "not verified") for predicate in ("T1", "T2", "T14")]
    assert asked(here) == before


@requirement("surface-report.reach")
def test_the_site_alone_has_no_row_unless_reach_was_requested(soil: Post) -> None:
    inspection = inspect(soil, on=(here := site()), scope=ReportScope.SITE)

    assert (results(inspection), asked(here)) == ([], [])


@requirement("surface-report.t1", "surface-report.t2", "surface-report.t14")
@pytest.mark.parametrize("place", PLACES)
def test_pages_of_this_app_pass_wherever_it_stands(place: str) -> None:
    with at(place) as found, override_settings(BLOG_ENGINE=blog_settings(policy_urls={})):
        post = save(title="Soil", body="Dig [on](https://other.example/).", category="Soil", publish=True).post
        paths = [f"{found.prefix}/soil", f"{found.prefix}/"]
        staged = {
            f"http://example.com{path}": answer(status=301, location=f"https://example.com{path}") for path in paths
        }

        on_article = results(inspect(post, on=(here := site(staged)), reach=True))
        on_index = results(inspect(post, on=site(staged), scope=ReportScope.SITE, reach=True))

    assert on_article == [(predicate, post.pk, "pass") for predicate in ("T1", "T2", "T14")]
    assert on_index == [(predicate, None, "pass") for predicate in ("T1", "T2", "T14")]
    assert "https://other.example/" not in asked(here)


@requirement("surface-report.reach")
def test_each_article_has_three_rows(soil: Post) -> None:
    other = save(title="Stone", publish=True).post

    rows = results(inspect(soil, other, reach=True))

    assert [(predicate, post_id) for predicate, post_id, _ in rows] == [
        (predicate, post.pk) for post in (soil, other) for predicate in ("T1", "T2", "T14")
    ]
    assert results(inspect(reach=True)) == []


@requirement("surface-report.reach", "surface-report.closed")
@pytest.mark.parametrize(("status", "expected"), [(None, "not verified"), (404, "fail"), (500, "fail")])
@pytest.mark.parametrize("scope", [ReportScope.ALL, ReportScope.SITE])
def test_a_page_that_is_not_open_is_not_reached(
    soil: Post, scope: ReportScope, status: int | None, expected: str
) -> None:
    closed = None if status is None else answer(status=status)
    staged: Staged = {PATH: closed, PLAIN: TO_HTTPS, "/blog/": closed, "http://example.com/blog/": TO_HTTPS}

    rows = results(inspect(soil, on=site(staged), scope=scope, reach=True))

    assert [result for _, _, result in rows] == [expected] * 3


@requirement("surface-report.t1")
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("data-blog-content", "data-content", "fail"),
        ("data-blog-content", "data-blog-content hidden", "fail"),
        ('content="index, follow"', 'content="index, nofollow"', "pass"),
        ('content="index, follow"', 'content="noindex, follow"', "fail"),
        ('content="index, follow"', 'content="None"', "fail"),
        ('<meta name="robots"', '<meta name="googlebot" content="noindex"><meta name="robots"', "fail"),
        ('<meta name="robots"', '<meta name="bingbot" content="none"><meta name="robots"', "fail"),
        ('<meta name="robots"', '<meta name="otherbot" content="none"><meta name="robots"', "pass"),
    ],
)
def test_an_article_has_text_and_may_be_listed(soil: Post, old: str, new: str, expected: str) -> None:
    assert found("T1", soil, {PATH: spoilt(PATH, (old, new))}).result.value == expected


@requirement("surface-report.t1")
@pytest.mark.parametrize(("main", "expected"), [("<main", "pass"), ("<main hidden", "fail"), ("<div", "pass")])
def test_the_index_has_text_in_its_main_part(soil: Post, main: str, expected: str) -> None:
    here = site({"/blog/": spoilt("/blog/", ("<main", main))})

    rows = results(inspect(soil, on=here, scope=ReportScope.SITE, reach=True))

    assert rows[0] == ("T1", None, expected)


@requirement("surface-report.t1")
@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("noindex", "fail"),
        ("googlebot: nofollow, noindex", "fail"),
        ("BingBot: none", "fail"),
        ("otherbot: noindex, nofollow", "pass"),
        ("nofollow", "pass"),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST", "pass"),
    ],
)
def test_the_header_may_keep_crawlers_out(soil: Post, header: str, expected: str) -> None:
    assert found("T1", soil, {PATH: spoilt(PATH, x_robots_tag=header)}).result.value == expected


@requirement("surface-report.t1")
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("user-agent: *\ndisallow: /blog/", "fail"),
        ("user-agent: GOOGLEBOT\ndisallow: /blog/soil$", "fail"),
        ("user-agent: bingbot\ndisallow: /", "fail"),
        ("user-agent: *\ndisallow: /\n\nuser-agent: bingbot\nuser-agent: googlebot\nallow: /", "pass"),
        ("user-agent: otherbot\ndisallow: /", "pass"),
        (answer(status=404), "pass"),
        (answer(status=503), "not verified"),
        (None, "not verified"),
    ],
)
def test_robots_txt_lets_both_crawlers_in(soil: Post, rules: Fetched | str | None, expected: str) -> None:
    assert found("T1", soil, {ROBOTS: rules}).result.value == expected


@requirement("surface-report.t1")
def test_a_fault_outweighs_what_nobody_knows(soil: Post) -> None:
    staged = {PATH: spoilt(PATH, x_robots_tag="noindex"), ROBOTS: None}

    assert found("T1", soil, staged).result.value == "fail"


@requirement("surface-report.t1", "surface-report.t14", "surface-report.malformed-pages")
@pytest.mark.parametrize("body", [b"", b"\x00\xff", b"<main>", b"<div>" * 2000, b"<a href='http://[::1:x/'>" * 9])
def test_garbage_has_no_text_and_no_links(soil: Post, body: bytes) -> None:
    staged = {PATH: answer(body, x_robots_tag=":,;\x00")}

    assert [found(predicate, soil, staged).result.value for predicate in ("T1", "T14")] == ["fail", "pass"]


@requirement("surface-report.t2")
@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        (TO_HTTPS, "pass"),
        (answer(status=308, location=URL), "pass"),
        (answer(status=302, location="https://www.example.com/"), "pass"),
        (answer(status=301, location="http://www.example.com/"), "fail"),
        (answer(status=301, location="/blog/soil/"), "fail"),
        (answer(status=301), "fail"),
        (answer("Dig."), "fail"),
        (answer(status=404), "fail"),
        (None, "not verified"),
    ],
)
def test_the_http_address_leads_to_https(soil: Post, plain: Fetched | str | None, expected: str) -> None:
    assert found("T2", soil, {PLAIN: plain}).result.value == expected


@requirement("surface-report.t2")
@pytest.mark.parametrize(
    ("secure", "plain", "expected"),
    [
        ("Dig.", TO_HTTPS, "pass"),
        ("Dig.", "Dig.", "fail"),
        (None, "Dig.", "fail"),
        (None, TO_HTTPS, "not verified"),
        (answer(status=404), TO_HTTPS, "fail"),
    ],
)
def test_a_site_at_an_http_address_has_a_https_address_too(
    soil: Post, secure: Fetched | str | None, plain: Fetched | str | None, expected: str
) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url="http://example.com")):
        observation = found("T2", soil, {URL: secure, PLAIN: plain})

    assert observation.result.value == expected


@requirement("surface-report.t2")
@pytest.mark.parametrize(
    ("base", "expected"), [("https://example.com:8443", "not verified"), ("http://127.0.0.1:8000", "fail")]
)
def test_a_port_of_its_own_tells_nothing_of_the_other_scheme(soil: Post, base: str, expected: str) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url=base)):
        here = site()
        observation = next(
            row.observation for row in reach_rows(inspect(soil, on=here, reach=True)) if row.predicate == "T2"
        )

    assert observation.result.value == expected
    assert {url for url in asked(here) if not url.startswith(base)} == set()


@requirement("surface-report.t2")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url="https://example.com:443"))
def test_a_usual_port_may_be_written(soil: Post) -> None:
    assert found("T2", soil, {PLAIN: TO_HTTPS}).result.value == "pass"


@requirement("surface-report.reach", "surface-report.unfetched")
@override_settings(BLOG_ENGINE=blog_settings(public_base_url=None))
def test_without_a_base_url_nothing_is_reached(soil: Post) -> None:
    assert [result for *_, result in results(inspect(soil, reach=True))] == ["not verified"] * 3
