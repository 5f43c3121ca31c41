"""Where links on a page and redirects lead."""

import pytest

from blog_engine.surface_report.site import same_url
from tests.surface_report.looking import page


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
def test_a_link_leads_to_an_absolute_address(href: str, target: str | None) -> None:
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
def test_a_redirect_leads_to_an_absolute_address(status: int | None, location: str, target: str | None) -> None:
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
def test_addresses_are_the_same_once_they_are_encoded(one: str, other: str, same: bool) -> None:
    assert same_url(one, other) is same
