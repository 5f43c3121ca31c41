"""Which configured addresses may be linked (reader.md 4.9, 13)."""

import pytest

from blog_engine.reader.http import is_safe_link


@pytest.mark.parametrize(
    "address", ["/", "/about/", "/a?b=c#d", "https://example.org", "http://example.org:8080/x", "HTTPS://EXAMPLE.ORG"]
)
def test_paths_and_web_addresses_are_linked(address: str) -> None:
    assert is_safe_link(address)


@pytest.mark.parametrize(
    "address",
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
def test_other_addresses_are_not(address: str) -> None:
    assert not is_safe_link(address)
