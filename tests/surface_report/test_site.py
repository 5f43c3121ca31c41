"""Pages as checks are given them."""

import pytest
from pytest_django import Settings

from blog_engine.conf import get_settings
from blog_engine.surface_report.observation import failed, not_verified
from blog_engine.surface_report.site import FetchedPage, Site
from tests.report.visiting import host
from tests.requirements import requirement
from tests.surface_report.looking import BASE, TODAY, answer, asked, page, site


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
    settings.BLOG_ENGINE = host(public_base_url=None)

    here = Site.configured(get_settings(), now=TODAY, over_network=False)

    assert (here.is_reachable, here.urls.origin, here.open("/blog/").status) == (False, "", None)
    assert here.web.limitations == ()


def test_a_configured_site_is_at_its_base_url() -> None:
    here = Site.configured(get_settings(), now=TODAY, over_network=False)

    assert (here.is_reachable, here.urls.post_url("soil"), here.now) == (True, f"{BASE}/blog/soil", TODAY)


def test_pages_are_told_apart() -> None:
    one, same = FetchedPage(BASE, 200, {}, b""), FetchedPage(BASE, 200, {}, b"")

    assert len({one, same}) == 2
