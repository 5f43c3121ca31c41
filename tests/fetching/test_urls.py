import socket
from collections.abc import Iterator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.fetching import FetchRefused, Origin, fetch, url_origin
from blog_engine.fetching.urls import next_url, web_url
from tests.requirements import requirement


@requirement("images.fetch.urls")
@pytest.mark.parametrize(
    ("text", "url", "origin"),
    [
        ("http://example.com", "http://example.com", Origin("http", "example.com", 80)),
        ("HTTPS://Example.COM:443/a?b=c#d", "https://example.com/a?b=c", Origin("https", "example.com", 443)),
        ("http://example.com:/a", "http://example.com/a", Origin("http", "example.com", 80)),
        ("http://example.com:8080?a", "http://example.com:8080?a", Origin("http", "example.com", 8080)),
        ("https://example.com/a@b:c", "https://example.com/a@b:c", Origin("https", "example.com", 443)),
        ("https://münchen.de/ü", "https://xn--mnchen-3ya.de/%C3%BC", Origin("https", "xn--mnchen-3ya.de", 443)),
        ("http://under_score.example./", "http://under_score.example./", Origin("http", "under_score.example.", 80)),
        ("http://8.8.8.8/", "http://8.8.8.8/", Origin("http", "8.8.8.8", 80)),
        ("http://8.8.8.8.example/", "http://8.8.8.8.example/", Origin("http", "8.8.8.8.example", 80)),
        ("http://[2606:4700::0:1111]/", "http://[2606:4700::0:1111]/", Origin("http", "2606:4700::1111", 80)),
    ],
)
def test_web_urls_are_read(text: str, url: str, origin: Origin) -> None:
    read = web_url(text)

    assert (str(read), url_origin(read)) == (url, origin)


REFUSED = [
    "",
    "/a",
    "//example.com/a",
    "example.com",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/_",
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
    "unix:///var/run/docker.sock",
    "http:",
    "http:/example.com",
    "http:///example.com",
    "http:\\\\example.com",
    "http://",
    "http://:80/",
    "http://?a",
    " http://example.com",
    "http://example.com ",
    "http://exa mple.com/",
    "http://example.com\n/",
    "http://example.com/\n",
    "http://example.com/\r\nHost: other",
    "http://exam\tple.com/",
    "http://example.com\x00/",
    "http://example.com/\x00",
    "http://example.com/\ud800",
    "http://user@example.com/",
    "http://user:password@example.com/",
    "http://@example.com/",
    "http://:@example.com/",
    "http://example.com\\@127.0.0.1/",
    "http://example.com\\.other.example/",
    "http://example.com&@127.0.0.1/",
    "http://example.com:80@127.0.0.1/",
    "http://%65xample.com/",
    "http://example.com%00.example/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://[::1",
    "http://::1/",
    "http://[::1]x/",
    "http://[::1].example/",
    "http://[v1.x]/",
    "http://[127.0.0.1]/",
    "http://[::g]/",
    "http://example.com:0/",
    "http://example.com:65536/",
    "http://example.com:-1/",
    "http://example.com:+80/",
    "http://example.com:8_0/",
    "http://example.com:\uff18\uff10/",
    "http://example.com:80:80/",
    "http://example.com:http/",
    "http://.example.com/",
    "http://example..com/",
    "http://exa+mple.com/",
    "http://*.example.com/",
    "http://" + "a" * 64 + ".example/",
    "http://" + ".".join(["a" * 60] * 5) + "/",
    "http://☃.example/",
    "http://xn--ü.example/",
    "http://1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://127.0.0.01/",
    "http://0x7f000001/",
    "http://0x7F.1/",
    "http://0x7f.0.0.0x1/",
    "http://0x/",
    "http://example.0x7f/",
    "http://example.123/",
    "http://127.0.0.1./",
    "http://256.0.0.1/",
    "http://1.2.3.4.5/",
    "http://\uff11\uff12\uff17.0.0.1/",
    "http://①②⑦.0.0.1/",
    "http://example.com/" + "a" * 70_000,
]


@requirement("images.fetch.urls")
@pytest.mark.parametrize("text", REFUSED)
def test_other_urls_are_refused(text: str) -> None:
    with pytest.raises(FetchRefused):
        web_url(text)


HERE = httpx.URL("https://example.com/a/b?c")


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("https://other.example/x#y", "https://other.example/x"),
        ("//other.example/x", "https://other.example/x"),
        ("/x", "https://example.com/x"),
        ("x", "https://example.com/a/x"),
        ("../../../x", "https://example.com/x"),
        ("?x", "https://example.com/a/b?x"),
        ("/ü x", "https://example.com/%C3%BC%20x"),
    ],
)
def test_a_redirect_leads_on(location: str, target: str) -> None:
    assert str(next_url(HERE, [location])) == target


@pytest.mark.parametrize(
    "locations",
    [
        [],
        [""],
        ["/a", "/b"],
        ["http://example.com/"],
        ["ftp://example.com/"],
        ["javascript:alert(1)"],
        ["https://user@example.com/"],
        ["//user:password@example.com/"],
        ["//2130706433/"],
        ["https://[::1"],
        ["https://example.com:99999/"],
    ],
)
def test_a_redirect_without_a_permitted_target_is_refused(locations: list[str]) -> None:
    with pytest.raises(FetchRefused):
        next_url(HERE, locations)


def test_a_redirect_may_lead_from_http_to_https() -> None:
    assert str(next_url(httpx.URL("http://example.com/"), ["https://example.com/"])) == "https://example.com/"


@pytest.fixture(scope="module")
def no_names() -> Iterator[None]:
    def unknown(*args: object, **kwargs: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", unknown)
        yield


_PIECES = st.sampled_from(
    [
        "http",
        "https",
        ":",
        "//",
        "/",
        "\\",
        "@",
        "#",
        "?",
        "%",
        "[",
        "]",
        "::1",
        "127.1",
        "0x",
        ".",
        "a",
        "xn--",
        "。",
        "Ⅷ",
    ]
)
_URLISH = st.one_of(
    st.text(),
    st.text().map(lambda text: f"http://{text}"),
    st.text().map(lambda text: f"https://a{text}/"),
    st.lists(_PIECES, max_size=12).map("".join),
    st.lists(_PIECES, max_size=12).map(lambda pieces: "http://" + "".join(pieces)),
)


@requirement("images.fetch.urls")
@pytest.mark.usefixtures("no_names")
@given(_URLISH)
@pytest.mark.heavy
def test_no_text_raises_anything_but_a_refusal(text: str) -> None:
    with pytest.raises(FetchRefused):
        fetch(text, limit=10, seconds=5)


@given(_URLISH)
def test_no_location_raises_anything_but_a_refusal(text: str) -> None:
    try:
        target = next_url(HERE, [text])
    except FetchRefused:
        return

    assert target.scheme == "https"
