"""URLs that are safe to link."""

import pytest

from blog_engine.content.urls import is_safe_link, with_links_of


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


@pytest.mark.parametrize(
    ("written", "rebased"),
    [
        ('<a href="tides" rel="noopener">x</a>', '<a href="/blog/tides" rel="noopener">x</a>'),
        ('<a href="../about/?a=1&amp;b=2#c">x</a>', '<a href="/about/?a=1&amp;b=2#c">x</a>'),
        ('<a href="?page=2">x</a>', '<a href="/blog/quay?page=2">x</a>'),
        ('<img src="wall.png" alt="A > B" loading="lazy">', '<img src="/blog/wall.png" alt="A > B" loading="lazy">'),
    ],
)
def test_relative_urls_lead_where_they_lead_from_the_article(written: str, rebased: str) -> None:
    assert with_links_of("/blog/quay", written) == rebased


@pytest.mark.parametrize(
    "html",
    [
        *('<a href="/blog/tides">x</a>', '<a href="#wall">x</a>', '<a href="//a.example/">x</a>'),
        *('<a href="https://a.example/x">x</a>', '<a href="mailto:a@b.example">x</a>', '<a title="href=x">x</a>'),
        *('<code>&lt;a href="tides"&gt;</code>', '<p>say a href="tides" aloud</p>', '<img alt="src=&quot;x&quot;">'),
    ],
)
def test_other_urls_and_text_stay_as_they_are(html: str) -> None:
    assert with_links_of("/blog/quay", html) == html
