"""A body is parsed once: its text follows from the tokens of its HTML, and the sanitiser runs where it can matter."""

from pathlib import Path

import pytest

from blog_engine.content import _blocks, _markdown, sanitize
from blog_engine.content._markdown import compile_markdown
from blog_engine.content.html import parse_html
from blog_engine.content.options import TooMuchMarkup
from blog_engine.content.plain_text import check_markup, texts_of_body
from blog_engine.content.rendering import render_new
from blog_engine.content.sanitize import (
    COMPILER_CLASSES,
    TAGS,
    _filter_tokens,
    _is_listed,
    _tokens_of,
    sanitize_compiled,
    write_clean_html,
)
from blog_engine.enums import BodyFormat
from tests.content.bodies import HTML, random_bodies, render_markdown, render_options
from tests.content.bodies import MARKDOWN as PAYLOADS
from tests.content.test_hostile import MARKDOWN
from tests.requirements import requirement

_PAGES = Path(__file__).parents[2] / "docs"
WRITTEN = [page.read_text("utf-8") for page in sorted(_PAGES.glob("how-to/*.md"))]
HOSTILE = [pattern[:4000] for pattern in MARKDOWN.values()]


def corpus(number: int, *, every: int = 1) -> list[str]:
    """Return this number of random bodies, and each or every so many of the others."""
    written = [*WRITTEN, *HOSTILE, *HTML, *PAYLOADS]
    return [*written[::every], *random_bodies(number, seed=number)]


BODIES = [
    "# Title\n\nText with *emphasis*, **more**, `code_`, ~~gone~~ and\na second line.",
    "- one\n- [x] two\n\n1. three\n   > four",
    '[a](/b "c"), <https://d.example/e_f>, [g]\n\n[g]: /h',
    "https://en.example.org/wiki/Frost_flower, www.example.org and me.too@example.org.",
    "[![alt *text*](/a.png)](/b)\n\n![](c.png)",
    "| a | b |\n| - | -: |\n| c_d | www.e.fg |",
    "```py\nx = 1\n```\n\n    y",
    "<p>raw</p>\n\na <b>b</b> <!-- c --> &amp; &lt;",
    "Bare https://a.example/~b stays, *https://c.example* too.".replace("~", ""),
    "A note[^1].\n\n[^1]: Here.",
    "> [!NOTE]\n> Read.",
    "https://a.example/b*c*d",
    "https://a.example/_b_",
    "www.a.example/?b=1&copy=2",
    "www.a.example/[b](c)",
]
MANY_BRACKETS = [
    "[" * 3000,
    "[*" * 1500 + "a" + "*](b)" * 1500,
    "[w" * 1500 + "](b)" * 1500,
    "[www " * 1000 + "a](b) " * 1000,
    "![" * 1500 + "www.a.example " + "](b)" * 1500,
    "[a@b.example " * 500 + "](c)" * 500,
    "[[[http://a.example " * 500 + "](c)" * 500,
]
"""Past the steps in search of closing brackets."""


@pytest.mark.parametrize("body", [*BODIES, *MANY_BRACKETS])
def test_the_texts_of_a_body_follow_from_its_tokens(body: str) -> None:
    texts = render_markdown(body).text

    assert texts == texts_of_body(body, body_format=BodyFormat.MARKDOWN)
    assert texts
    assert texts.plain


@pytest.mark.parametrize(("number", "every"), [(100, 4), pytest.param(800, 1, marks=pytest.mark.heavy)])
def test_the_text_from_the_tokens_is_that_of_a_parse_of_its_own(number: int, every: int) -> None:
    bodies = corpus(number, every=every)

    assert len(bodies) > number
    for body in bodies:
        assert render_markdown(body).text == texts_of_body(body, body_format=BodyFormat.MARKDOWN)


def test_a_new_body_is_rendered_like_a_stored_one(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine one of the two could run out of the time for highlighting.
    monkeypatch.setattr(_blocks, "thread_time", lambda: 0.0)
    options = render_options()
    for body in [*WRITTEN[::3], *PAYLOADS[::3], *random_bodies(100, seed=1)]:
        assert render_new(body, body_format=BodyFormat.MARKDOWN, options=options) == render_markdown(body)


LIMITS = {
    "footnotes within": "[^1] " * 10_000,
    "code past": "```\na\n```\n" * 9_000,
}
SLOW_LIMITS = {
    "within": "*a*\n" * 9_000,
    "past": "*a*\n" * 12_000,
    "past only with the links that a page has": "a@b.cd\n" * 16_000,
    "footnotes past": "*a* [^1]\n" * 10_000,
}


@pytest.mark.parametrize(
    "body",
    [
        *(pytest.param(body, id=name) for name, body in LIMITS.items()),
        *(pytest.param(body, id=name, marks=pytest.mark.heavy) for name, body in SLOW_LIMITS.items()),
    ],
)
def test_a_new_body_has_the_limit_of_its_plain_text(body: str) -> None:
    options = render_options()
    try:
        check_markup(body, body_format=BodyFormat.MARKDOWN)
    except TooMuchMarkup as excess:
        with pytest.raises(TooMuchMarkup) as found:
            render_new(body, body_format=BodyFormat.MARKDOWN, options=options)
        assert str(found.value) == str(excess)
    else:
        assert render_new(body, body_format=BodyFormat.MARKDOWN, options=options) == render_markdown(body)


def by_bleach(html: str) -> object:
    """Return the tree that bleach's filter leaves, whether it can matter or not."""

    def keep(tag: str, name: str, value: str) -> bool:
        if name in {"class", "id"}:
            return value in COMPILER_CLASSES or value.startswith("fn-")
        return _is_listed(tag, name, value)

    return _filter_tokens(_tokens_of(parse_html(html, tags=TAGS, keep=keep)), keep=keep)


@pytest.mark.parametrize(("number", "every"), [(100, 4), pytest.param(10_000, 1, marks=pytest.mark.heavy)])
def test_leaving_out_the_filter_changes_nothing(number: int, every: int) -> None:
    for body in corpus(number, every=every):
        html = compile_markdown(body, hard_breaks=True, footnote_prefix="fn-7-").html

        assert sanitize_compiled(html, footnote_prefix="fn-7-") == by_bleach(html)


def test_html_in_place_of_compiled_markdown_is_filtered_like_any() -> None:
    for body in HTML:
        assert sanitize_compiled(body, footnote_prefix="fn-7-") == by_bleach(body), body


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        ('<a href="javascript:x">a</a>', {}),
        ('<a href="java\tscript:x">a</a>', {}),
        ('<a href="\x01javascript:x">a</a>', {}),
        ('<a href="x:y">a</a>', {}),
        ('<a href="http://[x">a</a>', {}),
        ('<a href="https://x.y/z?a=b&amp;c#d">a</a>', {"href": "https://x.y/z?a=b&c#d"}),
    ],
)
def test_a_uri_that_is_not_usual_meets_the_filter(html: str, kept: dict[str, str]) -> None:
    (link,) = sanitize_compiled(html, footnote_prefix="fn-7-").children

    assert not isinstance(link, str)
    assert link.attrs == kept


@requirement("rendering.safe.twice")
def test_html_that_skips_the_filter_meets_nh3(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sanitize, "TAGS", TAGS | {"embed"})
    monkeypatch.delattr(sanitize, "_filter_tokens")

    tree = sanitize_compiled("<p>a <embed></embed>b</p>", footnote_prefix="fn-7-")

    assert write_clean_html(tree) == "<p>a </p>b"
    assert [line.args for line in caplog.records] == [("<embed>",)]


@pytest.mark.parametrize("body", BODIES[:-1])
def test_nh3_changes_nothing_of_an_ordinary_body(body: str, caplog: pytest.LogCaptureFixture) -> None:
    assert render_markdown(body).html
    assert caplog.records == []


def test_a_parser_is_shared_with_compiled_rules() -> None:
    for parser in (_markdown.page_parser.__wrapped__(True), _markdown._plain_parser.__wrapped__()):
        rulers = (parser.core.ruler, parser.block.ruler, parser.inline.ruler, parser.inline.ruler2)
        assert all(ruler.__cache__ for ruler in rulers)
