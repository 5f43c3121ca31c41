"""Bodies at the size limit that break slow or recursive parsers give safe HTML."""

import pytest

from blog_engine.content.faq import answer_has_markup, answer_html, body_has_faq_heading
from blog_engine.content.plain_text import escape_markdown, plain_text
from blog_engine.enums import BodyFormat
from tests.content.bodies import faults, render_markdown, render_rich_text
from tests.requirements import requirement

pytestmark = pytest.mark.heavy

LIMIT = 256 * 1024


def filled(pattern: str, *, size: int = LIMIT) -> str:
    return (pattern * (size // len(pattern) + 1))[:size]


# Patterns that are linear but slow are given a part of the limit; their growth was measured up to all of it.
MARKDOWN = {
    "quotes": filled(">"),
    "quoted lists": filled("> - "),
    "deep lists": filled("- "),
    "indented lists": "".join("  " * level + "- a\n" for level in range(500)),
    "emphasis": filled("*a **b ", size=LIMIT // 4),
    "stars": filled("*"),
    "underscores": filled("_a ", size=LIMIT // 4),
    "open brackets": filled("[", size=LIMIT // 8),
    "open images": filled("![", size=LIMIT // 8),
    "balanced brackets": "[" * 20_000 + "]" * 20_000,
    "open links": filled("[a](", size=LIMIT // 4),
    "open footnotes": "[^a]: x\n\n" + filled("[^", size=LIMIT // 8),
    "footnote marks": "[^a]: x\n\n" + filled("[^a] ", size=LIMIT // 16),
    "footnote rings": "[^a]: [^b]\n\n[^b]: [^a]\n\n[^a]",
    "footnotes in footnotes": filled("[^a]: "),
    "one long reference used often": "[a]: " + "b" * (LIMIT // 2) + "\n\n" + filled("[a] ", size=LIMIT // 4),
    "one long image used often": "[a]: " + "b" * (LIMIT // 2) + "\n\n" + filled("![a] ", size=LIMIT // 4),
    "wide tables": filled("|a", size=800) + "\n" + filled("|-", size=800) + "\n" + filled("|x\n", size=2000),
    "long tables": "|a|b|\n|-|-|\n" + filled("|x|y|\n", size=LIMIT // 8),
    "pipes": filled("|"),
    "backticks": filled("`"),
    "growing backticks": " ".join("`" * length for length in range(700)),
    "open comments": filled("<!--"),
    "open tags": filled("<a ", size=LIMIT // 4),
    "open attributes": filled("<a b='", size=LIMIT // 4),
    "bare URLs": filled(" mailto:", size=LIMIT // 4) + filled("xhttp://", size=LIMIT // 4),
    "closing brackets": "http://a.example/" + ")" * LIMIT,
    "same headings": filled("# a\n\n", size=LIMIT // 16),
    "entities": filled("&#0;", size=LIMIT // 4),
    "one word": filled("a"),
    "line breaks": filled("\n"),
    "dollars": filled("$"),
    "open formulas": filled("$a ", size=LIMIT // 2),
    "open block formulas": filled("$$a\n", size=LIMIT // 2),
    "a long block formula": "$$\n" + filled("a\n"),
    "escaped dollars": "$a" + filled("\\$"),
    "formulas": filled("$a$ "),
    "unreadable formulas": filled("$\\frac$ "),
    "long formulas": filled("$" + "x+" * 900 + "y$ "),
    "deep formulas": filled("$" + "{" * 900 + "}" * 900 + "$ "),
    "marks": filled("==a ", size=LIMIT // 4),
    "equals signs": filled("= "),
    "open boxes": filled("<details>\n", size=LIMIT // 4),
    "deep boxes": "<details>\n<summary>a</summary>\n" * 3_000 + "</details>\n" * 3_000,
    "terms": filled("a\n: b\n", size=LIMIT // 4),
    "terms in terms": "".join("  " * level + "a\n" + "  " * level + ": b\n" for level in range(400)),
    "keys": filled("<kbd>", size=LIMIT // 4),
    "code": "```python\n" + filled("def f(x): return 'a'\n") + "```\n",
}

RICH_TEXT = {
    "deep blocks": filled("<div>"),
    "balanced blocks": "<div>" * 20_000 + "</div>" * 20_000,
    "distinct emphases": "".join(f"<em title={number}>" for number in range(15_000)),
    "emphases over paragraphs": "".join(f"<em title={n}>" for n in range(8_000)) + filled("<p>x", size=LIMIT // 4),
    "open tags": filled("<a ", size=LIMIT // 2),
    "open comments": filled("<!--"),
    "open attributes": filled("<a b='", size=LIMIT // 2),
    "many attributes": "<p " + " ".join(f"a{number}=1" for number in range(30_000)) + ">x",
    "text in tables": "<table>" + filled("x<td>", size=LIMIT // 8),
    "blocks in tables": "<table>" + filled("<p>x</p>", size=LIMIT // 4),
    "lists": filled("<ul><li>a", size=LIMIT // 2),
    "less-than signs": filled("<", size=LIMIT // 4),
}


@requirement("rendering.safe")
@pytest.mark.parametrize("name", MARKDOWN)
def test_hostile_markdown_gives_safe_html(name: str) -> None:
    assert faults(render_markdown(MARKDOWN[name]).html) == []


@pytest.mark.parametrize("name", RICH_TEXT)
def test_hostile_rich_text_gives_safe_html(name: str) -> None:
    assert faults(render_rich_text(RICH_TEXT[name]).html) == []


@pytest.mark.parametrize("name", ["open comments", "open tags", "quotes", "closing brackets", "growing backticks"])
def test_hostile_text_is_read_as_plain_text_and_faq(name: str) -> None:
    body = MARKDOWN[name]

    assert len(plain_text(body, body_format=BodyFormat.MARKDOWN)) <= len(body)
    assert answer_has_markup(body) is (name in {"open comments", "quotes"})
    assert faults(answer_html(body)) == []
    assert not body_has_faq_heading(body)
    assert len(escape_markdown(body)) >= len(body)


def test_a_reference_does_not_multiply_without_bound() -> None:
    body = MARKDOWN["one long reference used often"]

    assert len(render_markdown(body).html) < 20 * len(body)
