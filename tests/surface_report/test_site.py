"""Pages of a site, and where their links and redirects lead."""

import pytest
from pytest_django import Settings

from blog_engine.conf import get_settings
from blog_engine.surface_report.observation import failed, not_verified
from blog_engine.surface_report.site import FetchedPage, Site, same_url
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.surface_report.conftest import BASE, TODAY, answer, asked, page, site


@pytest.mark.parametrize(
    ("content_type", "body", "text"),
    [
        ("text/html; charset=utf-8", "für".encode(), "für"),
        ('text/html; Charset = "ISO-8859-1"', "für".encode("latin-1"), "für"),
        ("text/html", "\ufefffür".encode(), "für"),
        ("text/html", b"f\xfcr", "f\ufffdr"),
        ("text/html; charset=nonsense", "für".encode(), "für"),
        ("text/html; charset=idna", b"f\xc3\xbcr", "für"),
        ("text/html; charset=undefined", b"f\xc3\xbcr", "für"),
        ("text/html; charset=base64", b"f\xc3\xbcr", "für"),
        ("text/html; charset=", b"f\xc3\xbcr", "für"),
    ],
)
def test_the_text_of_a_page_is_in_the_encoding_that_it_names(content_type: str, body: bytes, text: str) -> None:
    assert page(body, content_type=content_type).text == text


def test_a_page_is_open_when_it_answers_200() -> None:
    assert [page(status=status).is_open for status in (200, 204, 301, 404, None)] == [True] + [False] * 4


@requirement("surface-report.closed")
def test_a_page_that_is_not_open_fails_only_by_what_it_answered() -> None:
    assert page(status=None).unavailable("The page") == not_verified("The page could not be fetched.")
    assert page(status=404).unavailable("The page") == failed("The page answered 404.")


def test_a_page_is_opened_by_path_or_url_and_once() -> None:
    here = site({"/a": answer("<title>A</title>", x_robots_tag="none"), "https://other.example/": "B"})

    pages = [here.open("/a"), here.open(f"{BASE}/a"), here.open("https://other.example/")]

    assert pages[0] is pages[1]
    assert [(one.url, one.status, one.text) for one in pages[1:]] == [
        (f"{BASE}/a", 200, "<title>A</title>"),
        ("https://other.example/", 200, "B"),
    ]
    assert (pages[0].html.title, pages[0].headers["x-robots-tag"]) == ("A", "none")
    assert asked(here) == [f"{BASE}/a", "https://other.example/"]


def test_what_did_not_answer_is_a_page_without_status() -> None:
    missing = site({"/a": None}).open("/a")

    assert (missing.url, missing.status, missing.headers, missing.text) == (f"{BASE}/a", None, {}, "")


@requirement("surface-report.unfetched")
def test_without_a_base_url_no_page_can_be_fetched(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)

    here = Site.configured(get_settings(), now=TODAY, over_network=False)

    assert (here.is_reachable, here.urls.origin, here.open("/blog/").status) == (False, "", None)
    assert here.web.limitations == ()


def test_a_configured_site_is_at_its_base_url() -> None:
    here = Site.configured(get_settings(), now=TODAY, over_network=False)

    assert (here.is_reachable, here.urls.post_url("soil"), here.now) == (True, f"{BASE}/blog/soil", TODAY)


def test_equal_pages_are_different_keys() -> None:
    one, same = FetchedPage(BASE, 200, {}, b""), FetchedPage(BASE, 200, {}, b"")

    assert len({one, same}) == 2


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("/a?b=c#d", "https://example.com/a?b=c#d"),
        (" stone\n", "https://example.com/blog/stone"),
        ("", "https://example.com/blog/soil"),
        ("?page=2", "https://example.com/blog/soil?page=2"),
        ("//other.example/a", "https://other.example/a"),
        ("HTTP://other.example", "HTTP://other.example"),
        ("mailto:ada@example.com", None),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("ftp://other.example", None),
        ("http://[::1", None),
        ("http://[nobody]/", None),
    ],
)
def test_a_link_leads_to_an_absolute_url(href: str, target: str | None) -> None:
    assert page("<head></head>").target_of(href) == target


@pytest.mark.parametrize(
    ("head", "target"),
    [
        ('<head><base target="_blank"><base href=" /a/ "><base href="/b/"></head>', "https://example.com/a/stone"),
        ('<head><base href="https://other.example"></head>', "https://other.example/stone"),
        ('<head><base href="http://[::1"></head>', None),
        ('<head></head><body><base href="/a/">', "https://example.com/a/stone"),
    ],
)
def test_a_page_may_name_another_base(head: str, target: str | None) -> None:
    assert page(head).target_of("stone") == target


@pytest.mark.parametrize(
    ("status", "location", "target"),
    [
        (301, "/a?b#c", "https://example.com/a?b#c"),
        (302, "stone", "https://example.com/blog/stone"),
        (303, "//other.example/", "https://other.example/"),
        (307, " http://other.example/a ", "http://other.example/a"),
        (308, "/ü", "https://example.com/ü"),
        (301, "ftp://other.example/", None),
        (301, "http://[::1", None),
        (200, "/a", None),
        (304, "/a", None),
        (404, "/a", None),
        (None, "/a", None),
    ],
)
def test_a_redirect_leads_to_an_absolute_url(status: int | None, location: str, target: str | None) -> None:
    assert page(status=status, location=location).redirect_target == target


def test_a_redirect_without_a_target_leads_nowhere() -> None:
    assert page(status=301).redirect_target is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("https://example.com/für uns", "https://example.com/f%C3%BCr%20uns", True),
        ("https://example.com/a%2Fb", "https://example.com/a/b", False),
        ("https://example.com/a", "https://example.com/a/", False),
        ("https://example.com/a?b", "https://example.com/a", False),
    ],
)
def test_urls_are_the_same_once_they_are_encoded(one: str, other: str, same: bool) -> None:
    assert same_url(one, other) is same
