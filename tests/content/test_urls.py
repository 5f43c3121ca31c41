"""URLs that are safe to link."""

import pytest

from blog_engine.content.urls import is_safe_link


@pytest.mark.parametrize(
    "url", ["/", "/about/", "/a?b=c#d", "https://example.org", "http://example.org:8080/x", "HTTPS://EXAMPLE.ORG"]
)
def test_paths_and_http_urls_are_linked(url: str) -> None:
    assert is_safe_link(url)


@pytest.mark.parametrize(
    "url",
    [
        *(
            "",
            "about",
            "//example.org",
            "/\\example.org",
            "https://",
            "https:///x",
            "https://u@example.org",
            "ftp://a.b",
        ),
        *("javascript:alert(1)", " /x", "/x y", "/x\n", "https://[::1", 'https://example.org/"', "mailto:a@b.example"),
    ],
)
def test_other_urls_are_not(url: str) -> None:
    assert not is_safe_link(url)
