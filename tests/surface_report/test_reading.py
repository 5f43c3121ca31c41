"""What readers get from a part of a page."""

from typing import Final

import pytest

from blog_engine.blog_urls import BlogURLs
from blog_engine.surface_report._reading import (
    BaseURL,
    EmbeddedMedia,
    ReadLink,
    TextRun,
    for_the_eye,
    links_of,
    media_in,
    words_of,
)
from blog_engine.surface_report.html import HtmlPage

DIGEST: Final = "a" * 64
SITE: Final = "https://example.com"
MEDIA: Final = f"/blog/media/{DIGEST}"
STORED: Final = f"sha256:{DIGEST}"
BOOK: Final = BaseURL(BlogURLs("https://example.com", "/blog"), "https://example.com/blog/soil")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>a  b\n\tc</p><p>d</p>", "a b c d"),
        ("a<b>b</b>c<br>d<span> e</span>", "abc d e"),
        ("a\u00a0b &nbsp; c", "a\u00a0b \u00a0 c"),
        ("cafe\u0301", "caf\u00e9"),
        ("a<script>b</script><style>c</style><template>d</template><title>e</title>f", "af"),
        ("a<i hidden>b</i><i aria-hidden=true>c</i><i style='visibility:hidden'>d</i>e", "ae"),
        ("10<sup>2</sup> H<sub>2</sub>O <del>not</del> <s>so</s>", "10^2^ H_2_O ~~not~~ ~~so~~"),
        ("<li><input type=checkbox> a<li><input type=CHECKBOX checked> b<li><input value=x> c", "[ ] a [x] b c"),
        ("<ol><li>a</ol><ol start=1><li>b</ol><ol start=3><li>c<li value=9>d</ol>", "a b 3. c 9. d"),
    ],
)
def test_words_are_read_as_they_are_seen(source: str, text: str) -> None:
    assert words_of(HtmlPage(source)) == (TextRun(text),)


def test_code_is_read_as_it_is() -> None:
    source = "a<pre>  if x:\r\n<b>\ty</b> <i hidden>z</i>\n \n</pre> b <code>c  d</code><pre>\n</pre>"

    runs = words_of(HtmlPage(source))

    assert runs == (TextRun("a"), TextRun("  if x:\n\ty", is_code=True), TextRun("b c d"), TextRun("", is_code=True))


def test_the_eye_sees_what_is_kept_from_assistive_technology_alone() -> None:
    page = HtmlPage("<div aria-hidden=true>a<i aria-hidden='TRUE'>b</i><i hidden aria-hidden=true>c</i></div>")

    assert (words_of(page), words_of(for_the_eye(page))) == ((), (TextRun("ab"),))
    assert next(page.all("div")).attrs == {"aria-hidden": "true"}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<a href=stone>a <b>b</b></a>", [ReadLink("https://example.com/blog/stone", "a b")]),
        ("<a href=' #x '>a</a>", [ReadLink("https://example.com/blog/soil#x", "a")]),
        ("<a href='//other.example/x'></a>", [ReadLink("https://other.example/x", "")]),
        ("<a href='/%C3%A9/e\u0301/%E9'>a</a>", [ReadLink("https://example.com/\u00e9/\u00e9/%E9", "a")]),
        ("<a href='http://['>a</a><a>b</a><a href=c hidden>c</a>", [ReadLink("http://[", "a")]),
        ("<a href=mailto:a@b.example>a</a>", [ReadLink("mailto:a@b.example", "a")]),
    ],
)
def test_links_are_read_with_their_words(source: str, found: list[ReadLink]) -> None:
    assert links_of(HtmlPage(source), BOOK) == tuple(found)


@pytest.mark.parametrize(
    ("source", "name", "stands_for"),
    [
        (f"<img src={MEDIA}/quay.png>", "img", {STORED}),
        (f"<img src={SITE}{MEDIA}/w480.webp>", "img", {STORED}),
        (f"<img src={MEDIA}/a.png srcset='/b.png'>", "img", {STORED, f"{SITE}/b.png"}),
        (f"<img src=https://cdn.example{MEDIA}/a.png>", "img", {f"https://cdn.example{MEDIA}/a.png"}),
        (f"<img srcset='{MEDIA}/w1.avif 1w, /x,y.png 2x,/z.png'>", "img", {STORED, f"{SITE}/x,y.png", f"{SITE}/z.png"}),
        (f"<picture><source srcset=/a.png><img src={MEDIA}/a.png></picture>", "img", {STORED, f"{SITE}/a.png"}),
        ("<video poster=/a.png><source src=/b.webm></video>", "video", {f"{SITE}/a.png", f"{SITE}/b.webm"}),
        ("<svg><image xlink:href=/a.png></svg>", "image", {f"{SITE}/a.png"}),
        ("<iframe srcdoc=x></iframe><img src=a hidden>", "iframe", set()),
    ],
)
def test_media_are_known_by_their_sources(source: str, name: str, stands_for: set[str]) -> None:
    assert media_in(HtmlPage(source), BOOK) == (EmbeddedMedia(name, frozenset(stands_for), ""),)


def test_the_text_of_an_image_is_compared_without_its_spacing() -> None:
    (found,) = media_in(HtmlPage("<img src=a alt=' a  e\u0301 '>"), BOOK)

    assert found.text == "a \u00e9"
