import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from blog_engine.content.faq import FaqPair
from blog_engine.content.plain_text import MarkdownDocument, escape_markdown, markdown_text
from blog_engine.enums import BodyFormat
from tests.requirements import requirement

URL = "https://blog.example/blog/low-tide"
HOSTILE = [
    "# a",
    "*a* _b_ `c` ~~d~~",
    "[a](b) ![c](d) [e]: f",
    "<b>x</b> &amp; <!-- y -->",
    "1. a",
    "2) b",
    "3.",
    "- a",
    "+ a",
    "> a",
    "a | b\n--|--\n1 | 2",
    "a\n===",
    "a\n---",
    "```\na\n```",
    "~~~\na",
    "a\\",
    "a\\*b\\",
    "a ## #",
    "[^a]: b",
    "http://a_b_c.example/*x*",
    "    code",
    "a\n\n    code *x*",
    "a\n\n\tcode *x*",
    "* * *",
    "$x$ ^y^ @z :w: {u}",
]


def document(**changes: object) -> MarkdownDocument:
    values: dict[str, object] = {
        "title": "Low tide",
        "byline": ("Mina Holt",),
        "notices": (),
        "body": "Wait.",
        "body_format": BodyFormat.MARKDOWN,
        "faq": (),
        "faq_heading": "Frequently asked questions",
        "canonical_url": URL,
    }
    return MarkdownDocument(**{**values, **changes})  # type: ignore[arg-type]


def shown(markdown: str) -> list[tuple[str, str]]:
    """Yield each block of a parsed text as its tag and literal text."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    blocks: list[tuple[str, str]] = []
    tag = ""
    for token in parser.parse(markdown):
        if token.nesting == 1:
            tag = token.tag
        elif token.type == "inline":
            children = token.children or []
            assert {child.type for child in children} <= {"text", "softbreak", "hardbreak"}
            blocks.append((tag, " ".join("".join(child.content or "\n" for child in children).split())))
        else:
            assert token.nesting == -1, token.type
    return blocks


def words(text: str) -> str:
    return " ".join(text.split())


@requirement("pages.markdown.content")
def test_the_parts_stand_in_order_with_one_blank_line_between() -> None:
    text = markdown_text(
        document(
            byline=("Mina Holt", "Published October 03, 2026", "Updated October 05, 2026"),
            notices=("AI helped to make this post.", "A third party paid for this post."),
            body="Wait *here*.\n",
            faq=(FaqPair("When?", "At noon.\r\nOr later."),),
        )
    )

    assert text == (
        "# Low tide\n\n"
        "Mina Holt · Published October 03, 2026 · Updated October 05, 2026\n\n"
        "AI helped to make this post.\n\n"
        "A third party paid for this post.\n\n"
        "Wait *here*.\n\n\n"
        "## Frequently asked questions\n\n"
        "### When?\n\n"
        "At noon.\nOr later.\n\n"
        f"{URL}\n"
    )


def test_an_empty_body_keeps_its_place() -> None:
    assert markdown_text(document(body="")) == f"# Low tide\n\nMina Holt\n\n\n\n{URL}\n"


def test_a_rich_text_body_becomes_escaped_text() -> None:
    text = markdown_text(document(body="<p>2 * 3 &lt; 7</p>", body_format=BodyFormat.RICH_TEXT))

    assert text == f"# Low tide\n\nMina Holt\n\n2 \\* 3 \\< 7\n\n{URL}\n"


def test_each_mark_gets_one_backslash() -> None:
    assert escape_markdown("\\`*_{}[]<>&!#|~+-") == "".join(f"\\{mark}" for mark in "\\`*_{}[]<>&!#|~+-")
    assert escape_markdown("1. a\n 22) b\n1.5 c.\n3.") == "1\\. a\n 22\\) b\n1.5 c.\n3\\."
    assert escape_markdown("a = b\n==") == "a = b\n\\=="


@pytest.mark.parametrize("text", HOSTILE)
def test_stored_characters_are_shown_literally(text: str) -> None:
    page = markdown_text(document(title=text, byline=(text,), notices=(text,), body="", faq=(FaqPair(text, text),)))

    blocks = shown(page)
    assert [tag for tag, _ in blocks].count("h1") == 1
    assert blocks[0] == ("h1", words(text))
    assert ("h3", words(text)) in blocks
    answer = " ".join(block for _, block in blocks[blocks.index(("h3", words(text))) + 1 : -1])
    assert answer == words(text)
    assert blocks[-1] == ("p", URL)


@requirement("pages.markdown.escaped")
@given(st.text(alphabet=st.sampled_from("ab1.)=-*_#[]()<>!&`~|+\\ \t\n:^\"'{}"), max_size=40))
def test_any_text_is_shown_literally(text: str) -> None:
    blocks = shown(markdown_text(document(title=f"x{text}", body="", faq=(FaqPair("q", f"x{text}"),))))

    assert blocks[0] == ("h1", words(f"x{text}"))
    assert " ".join(block for _, block in blocks[4:-1]) == words(f"x{text}")
    assert re.fullmatch(r"h1( p)+ h2 h3( p)+", " ".join(tag for tag, _ in blocks))
