"""What sanitising keeps of Markdown and HTML, and that no payload comes through."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content.html import parse_html
from blog_engine.content.rendering import Rendered
from blog_engine.content.sanitize import ADDED_TAGS, TAGS, write_clean_html
from tests.content.bodies import ELEMENTS, HTML, MARKDOWN, faults, render_markdown, render_rich_text
from tests.requirements import requirement

RICH_TEXT_PARTS = [
    *("x", "<a href=/x>", "<img src=i>", "<br>", "<li>", "<tr>", "<td>", "<h2>", "</p>", "</a>", "</li>", "</table>"),
    *(f"<{slash}{name}>" for name in ("p", "em", "ul", "pre", "code", "figure", "div", "span") for slash in ("", "/")),
    *("<table>", "<figcaption>", "</h2>", "</td>", "<blockquote>", "</ul>"),
    *(f"<{slash}{name}>" for name in ("details", "summary", "dl", "dt", "dd", "kbd", "mark") for slash in ("", "/")),
]


@requirement("rendering.safe")
@given(st.text(alphabet=st.sampled_from("ab*_[]()!<>`~#|-+1.:\n \t\\&;^\"'/@xhtps$={}"), max_size=200))
def test_any_markdown_gives_safe_html(body: str) -> None:
    assert faults(render_markdown(body).html) == []


@requirement("rendering.safe")
@given(st.lists(st.sampled_from(RICH_TEXT_PARTS), max_size=30))
def test_any_rich_text_gives_safe_html(parts: list[str]) -> None:
    assert [fault for fault in faults(render_rich_text("".join(parts)).html) if "in <p>" not in fault] == []


@requirement("posts.body.rich-text")
@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("<script>x</script>", "x"),
        ("<p>a<!-- c --><style>b</style><blink>d</blink></p>", "<p>abd</p>"),
        ('<p class="blog-alert" id="fn-7-1" style="color:red" onclick="x()">a</p>', "<p>a</p>"),
        (
            '<a href="https://o.example" rel="nofollow">a</a>',
            '<a href="https://o.example" rel="nofollow noopener">a</a>',
        ),
        ('<input type="checkbox" disabled>', '<input type="checkbox" disabled>'),
        ('<input type="checkbox"><input type="text" disabled>a', "a"),
        ('<p align="center">a</p>', '<p class="blog-align-center">a</p>'),
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<code>a<em>b</em><img src=i></code>", "<code>ab</code>"),
        ('<ol start="5"><li>a</ol>', '<ol start="5"><li>a</li></ol>'),
        (
            "<details open ontoggle=x><summary class=y>a</summary>b</details>",
            "<details open><summary>a</summary>b</details>",
        ),
        ("<details>a<summary>b</summary></details>", "<div>a<div>b</div></div>"),
        (
            "<details><summary>a</summary><summary>b</summary></details>",
            "<details><summary>a</summary><div>b</div></details>",
        ),
        ("<dl> <dt>a<dd>b<dd>c </dl>", "<dl><dt>a</dt><dd>b</dd><dd>c </dd></dl>"),
        ("<dl><dd>a</dd></dl><dt>b</dt>", "<div><div>a</div></div><div>b</div>"),
        ("<p><kbd onclick=x>a</kbd> <mark style=y>b</mark></p>", "<p><kbd>a</kbd> <mark>b</mark></p>"),
        ("<p>x<math><mi>a</mi></math></p>", "<p>xa</p>"),
    ],
)
def test_rich_text_is_reduced_to_the_allow_list(source: str, html: str) -> None:
    assert render_rich_text(source).html == html


@pytest.mark.parametrize("url", ["http://[::1\xa0]/a", "//[", "http://a:x/b", "http:\\\\a:x"])
def test_a_url_that_cannot_be_parsed_is_removed(url: str) -> None:
    rendered = render_rich_text(f'<p>Text <a href="{url}">a</a> <img src="{url}" alt="b"></p>')

    assert rendered.html == "<p>Text <a>a</a> </p>"
    assert (rendered.images, rendered.links) == ((), ())


PAYLOADS = [*MARKDOWN, *HTML]
_PATH = re.compile("(href|src) (javascript\xa0|jav\ufffdascript|[\u2028\ufeff]javascript|%6Aavascript):.*")


def test_the_corpus_is_large() -> None:
    assert len(set(PAYLOADS)) > 200


@requirement("rendering.safe")
@pytest.mark.parametrize("render", [render_markdown, render_rich_text])
def test_a_payload_leaves_only_allowed_markup(render: Callable[[str], Rendered]) -> None:
    assert {payload: found for payload in PAYLOADS if (found := faults(render(payload).html))} == {}


@requirement("rendering.safe.twice")
def test_nh3_alone_leaves_only_allowed_markup() -> None:
    dangerous = frozenset({"script", "style", "svg", "iframe", "form", "object", "embed", "base", "meta", "link"})

    def faults_left(payload: str) -> list[str]:
        tree = parse_html(payload, tags=ELEMENTS | dangerous, keep=lambda tag, name, value: True)
        found = [fault for fault in faults(write_clean_html(tree)) if "in <p>" not in fault and fault != "p.align"]
        # For browsers, these URLs are paths; rendering removes them before nh3.
        return [fault for fault in found if not _PATH.fullmatch(fault)]

    assert {payload: left for payload in HTML if (left := faults_left(payload))} == {}


def test_the_list_is_the_one_that_these_tests_know() -> None:
    assert TAGS | ADDED_TAGS == ELEMENTS


def test_all_payloads_together_leave_only_allowed_markup() -> None:
    assert faults(render_markdown("\n\n".join(PAYLOADS)).html) == []
    assert faults(render_rich_text("\n".join(PAYLOADS)).html) == []


@pytest.mark.parametrize("payload", ["<script>", "<p onclick=x>", "<a href=javascript:x>", "<p><div>", "<!-- x -->"])
def test_the_reader_of_these_tests_sees_a_fault(payload: str) -> None:
    assert faults(payload) != []
