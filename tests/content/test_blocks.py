"""Code in a body: highlighting, label, and unchanged text."""

import logging
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Name

from blog_engine.content import _blocks
from tests.content.bodies import faults, render_markdown, render_rich_text
from tests.requirements import requirement


def text_in(html: str, tag: str) -> str:
    """Return the text inside the elements of one name, by the standard library."""
    reader = _TextReader(tag)
    reader.feed(html)
    reader.close()
    return "".join(reader.texts)


class _TextReader(HTMLParser):
    def __init__(self, tag: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._tag = tag
        self._inside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside += tag == self._tag

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag == self._tag

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts.append(data)


@requirement("rendering.code.highlighting")
def test_code_of_a_known_language_is_coloured() -> None:
    html = render_markdown("```python title\nx = 'é' # <b>\n```").html

    assert html.strip() == (
        '<div class="blog-highlight" data-lang="python"><span class="blog-code-lang" aria-hidden="true">python</span>'
        '<pre tabindex="0" role="group" aria-label="Code: python"><code><span class="n">x</span> '
        '<span class="o">=</span> <span class="s1">\'é\'</span> <span class="c1"># &lt;b&gt;</span>\n</code></pre>'
        '<button type="button" class="blog-copy" hidden data-blog-copy aria-label="Copy code">Copy</button></div>'
    )


@requirement("rendering.code.unknown")
def test_code_of_an_unknown_language_stays_plain_with_its_label() -> None:
    html = render_markdown("```tide-log\nlow & high\n```").html

    assert 'data-lang="tide-log"' in html
    assert "<code>low &amp; high\n</code>" in html


def test_code_without_a_language_has_no_label() -> None:
    html = render_markdown("    low").html

    assert html.startswith('<div class="blog-highlight"><pre tabindex="0" role="group" aria-label="Code"><code>low\n')
    assert "blog-code-lang" not in html


@requirement("rendering.code.unchanged")
@given(
    st.text(alphabet=st.sampled_from("ab&;<>\"'lt#x39amp \n\té⛵{}()\\/*`")),
    st.sampled_from(["python", "html", "js", "x"]),
)
def test_the_text_of_code_is_unchanged(code: str, language: str) -> None:
    html = render_markdown(f"``````{language}\n{code}\n``````").html

    assert text_in(html, "code") == f"{code}\n"
    assert faults(html) == []


def test_rich_text_code_is_one_block_of_text() -> None:
    html = render_rich_text('<pre lang="x-tide">a<b>b</b><img src=i></pre>').html

    assert 'data-lang="x-tide"' in html
    assert "<code>ab</code></pre>" in html


def block(code: str, language: str = "python") -> str:
    return f"~~~{language}\n{code}\n~~~\n\n"


def is_coloured(body: str) -> bool:
    return '<span class="n"' in render_markdown(body).html


@pytest.fixture(autouse=True)
def no_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tokens of no block are known yet."""
    monkeypatch.setattr(_blocks, "_kept_tokens", {})


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names of the lexers that are created."""
    names: list[str] = []

    def get_lexer(name: str) -> Lexer:
        names.append(name)
        return get_lexer_by_name("text", **_blocks.LEXER_OPTIONS)

    monkeypatch.setattr(_blocks, "_lexer", get_lexer)
    return names


@pytest.mark.parametrize(
    ("language", "code"), [("mcschema", "<!--"), ("tnt", "a"), ("delphi", "asm"), ("http", "GET"), ("rst", "a")]
)
def test_no_lexer_reads_a_language_that_was_not_measured(made: list[str], language: str, code: str) -> None:
    html = render_markdown(block(code, language)).html

    assert made == []
    assert f'data-lang="{language}"' in html
    assert text_in(html, "code") == f"{code}\n"


@pytest.mark.parametrize("language", ["python", "Python", "py", "c#", "HTML"])
def test_a_listed_language_is_known_by_all_of_its_names(made: list[str], language: str) -> None:
    render_markdown(block("x", language))

    assert made == [language]


@pytest.mark.parametrize("language", sorted(_blocks.LANGUAGES))
def test_pygments_has_every_listed_language(language: str) -> None:
    assert language in get_lexer_by_name(language).aliases


def test_code_inside_of_markdown_code_chooses_no_lexer(monkeypatch: pytest.MonkeyPatch) -> None:
    def choose(name: str, **options: object) -> Lexer:
        raise AssertionError(f"a lexer for {name} was asked for")

    monkeypatch.setattr("pygments.lexers.get_lexer_by_name", choose)

    assert '<span class="gh">' in render_markdown(block("# Tide\n\n```mcschema\n<!--\n```", "markdown")).html


@requirement("rendering.code.limits")
@pytest.mark.parametrize(
    ("code", "coloured"),
    [
        ("x = 1\n" * 200, True),
        ("x = 1000000000\n" * 200 + "\n", False),  # 3,001 characters
        ("x\n" * 249, True),
        ("x\n" * 250, False),
    ],
)
def test_a_large_block_stays_plain(code: str, coloured: bool) -> None:
    assert is_coloured(block(code)) is coloured


@requirement("rendering.code.limits")
def test_a_document_has_at_most_20000_coloured_characters() -> None:
    code = "x = 1234567\n" * 166 + "x = 123"

    html = render_markdown(block(code) * 10 + block("x")).html

    assert [('<span class="n"' in part) for part in html.split("<pre")[1:]] == [True] * 10 + [False]


def test_a_lexer_that_fails_leaves_plain_code(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(code: str) -> Iterator[object]:
        raise RecursionError("deep")

    use_lexer(monkeypatch, fail)

    with caplog.at_level(logging.ERROR, logger="blog_engine"):
        html = render_markdown(block("x = 1")).html

    assert "<code>x = 1\n</code>" in html
    assert "The lexer for python failed" in caplog.text


def test_a_lexer_without_end_leaves_plain_code(monkeypatch: pytest.MonkeyPatch) -> None:
    use_lexer(monkeypatch, lambda code: repeat((Name, "")))

    assert "<code>x = 1\n</code>" in render_markdown(block("x = 1")).html


def test_past_its_time_a_document_has_plain_code(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(_blocks, "thread_time", lambda: next(clock) / 10)

    html = render_markdown(block("x") + block("x = 1; y = 2; z = 3") + block("x")).html

    assert [('<span class="n"' in part) for part in html.split("<pre")[1:]] == [True, False, False]


def use_lexer(monkeypatch: pytest.MonkeyPatch, get_tokens: object) -> None:
    lexer = get_lexer_by_name("text")
    monkeypatch.setattr(lexer, "get_tokens", get_tokens)
    monkeypatch.setattr(_blocks, "_lexer", lambda name: lexer)
