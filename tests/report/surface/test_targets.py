"""Where links on a page lead."""

import pytest

from blog_engine.report.surface.targets import target_of
from tests.report.surface.inspecting import page


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
    assert target_of(page("<head></head>"), href) == target


@pytest.mark.parametrize(
    ("head", "target"),
    [
        ('<head><base target="_blank"><base href=" /a/ "><base href="/b/"></head>', "https://example.com/a/stone"),
        ('<head><base href="https://other.example"></head>', "https://other.example/stone"),
        ('<head><base href="http://[::1"></head>', None),
        ('<head></head><body><base href="/a/">', "https://example.com/blog/stone"),
    ],
)
def test_the_head_may_name_another_base(head: str, target: str | None) -> None:
    assert target_of(page(head), "stone") == target
