"""Plain text of bodies, and articles as Markdown documents."""

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from blog_engine.content._tokens import BodyText
from blog_engine.content.corrections import DatedNote
from blog_engine.content.faq import FaqPair
from blog_engine.content.plain_text import (
    MarkdownDocument,
    escape_markdown,
    first_words,
    markdown_text,
    plain_text,
    texts_of_body,
)
from blog_engine.enums import BodyFormat
from tests.content.bodies import render_markdown
from tests.requirements import requirement


@requirement("rendering.plain-text")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("", ""),
        ("# Garden **notes**", "Garden notes"),
        ("# A\n\nB\nC", "A\nB\nC"),
        ("see ![the *quay*](x.png) and [map](y)", "see the quay and map"),
        ("a `b < c` d", "a b < c d"),
        ("```python\nx = 1\n\n\n```\nafter", "x = 1\nafter"),
        ("    indented", "indented"),
        ("a<b>b</b>c\n\n<div>in <i>a</i> block</div>", "abc\nin a block"),
        ("- [x] done\n- open", "done\nopen"),
        ("|a|b|\n|-|-|\n|1|2|", "a b \n1 2"),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("~~old~~ &amp; \\*new\\*", "old & *new*"),
        ("<https://a.example> https://b.example", "https://a.example https://b.example"),
        ("[x](javascript:alert)", "x"),
        ("> [!NOTE]\n> careful", "careful"),
        ("a[^1] b[^n]\n\n[^1]: Zebrafish\n[^n]: Okapi *here*\n\nc", "a b\nc\nZebrafish\nOkapi here"),
        ("10<sup>9</sup>, H<sub>2</sub>O, 1<sup>st</sup>", "10⁹, H₂O, 1st"),
        ("|a|b|\n|-|-|\n|1<br>2|3|", "a b \n1\n2 3"),
    ],
)
def test_markdown_gives_its_visible_words(body: str, text: str) -> None:
    assert plain_text(body, body_format=BodyFormat.MARKDOWN) == text


@requirement("rendering.plain-text.rich-text")
@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("", ""),
        ("<p>Let it grow</p><p>Mint</p>", "Let it growMint"),
        ("<p>a &amp; &lt;b&gt;</p><!-- c --><img alt='x'>", "a & <b>"),
    ],
)
def test_rich_text_gives_its_text_content(body: str, text: str) -> None:
    assert plain_text(body, body_format=BodyFormat.RICH_TEXT) == text


@requirement("rendering.first-words")
def test_the_first_words_are_joined_by_single_spaces() -> None:
    assert _first_words("a\n\nb  c d") == "a b c d"
    assert _first_words("word\n" * 60) == " ".join(["word"] * 60)
    assert _first_words("word\n" * 61) == " ".join(["word"] * 60) + "…"


@requirement("rendering.first-words")
def test_the_first_words_of_a_text_without_spaces_are_not_the_whole_text() -> None:
    assert _first_words("海" * 600) == "海" * 600
    assert _first_words("海" * 601) == "海" * 599 + "…"


@requirement("rendering.first-words")
@pytest.mark.parametrize(
    ("body", "description"),
    [
        ("# Title\n\nWords.\n\n```py\ndef f(): ...\n```\n\n$$\nx^2\n$$\n\nOf $a^2$ more.", "Words. Of more."),
        ("> [!TIP]\n> Look.", "Look."),
        ("## Only\n\n### Headings", "Only Headings"),
        ("```\ncode\n```", "code"),
    ],
)
def test_the_first_words_are_of_the_prose(body: str, description: str) -> None:
    assert first_words(texts_of_body(body, body_format=BodyFormat.MARKDOWN)) == description


@requirement("rendering.first-words")
def test_the_first_words_of_rich_text_are_of_its_prose() -> None:
    html = "<h2>Title</h2><p>One</p><pre><code>x</code></pre><ul><li>two</li><li>three<br>four</li></ul>"

    assert first_words(texts_of_body(html, body_format=BodyFormat.RICH_TEXT)) == "One two three four"


def _first_words(text: str) -> str:
    return first_words(BodyText(text, text))


URL = "https://blog.example/blog/low-tide"
HOSTILE = [
    *("# a", "*a* _b_ `c` ~~d~~", "[a](b) ![c](d) [e]: f", "<b>x</b> &amp; <!-- y -->", "1. a", "2) b", "3."),
    *("- a", "+ a", "> a", "a | b\n--|--\n1 | 2", "a\n===", "a\n---", "```\na\n```", "~~~\na", "a\\", "a\\*b\\"),
    *("a ## #", "[^a]: b", "http://a_b_c.example/*x*", "    code", "a\n\n    code *x*", "a\n\n\tcode *x*", "* * *"),
    *("$x$ ^y^ @z :w: {u}",),
]


def document(**changes: object) -> MarkdownDocument:
    values: dict[str, object] = {
        "title": "Low tide",
        "byline": ("Mina Holt",),
        "notices": (),
        "body": "Wait.",
        "body_format": BodyFormat.MARKDOWN,
        "images": (),
        "images_heading": "Images",
        "corrections": (),
        "corrections_heading": "Corrections",
        "faq": (),
        "faq_heading": "Frequently asked questions",
        "canonical_url": URL,
    }
    return MarkdownDocument(**{**values, **changes})  # type: ignore[arg-type]


def shown(markdown: str) -> list[tuple[str, str]]:
    """Return each block of a parsed text as its tag and literal text; the last one is a link to ``URL``."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    blocks: list[tuple[str, str]] = []
    tag = ""
    for token in parser.parse(markdown.removesuffix(f"<{URL}>\n") + f"{URL}\n"):
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
            byline=("Mina Holt", "Published October 3, 2026", "Updated October 5, 2026"),
            notices=("AI helped to make this post.", "A third party paid for this post."),
            body="Wait *here*.\n",
            corrections=(DatedNote("October 4, 2026", "It said *then*."),),
            faq=(FaqPair("When?", "At noon.\r\nOr later."),),
        )
    )

    assert text == (
        "# Low tide\n\n"
        "Mina Holt · Published October 3, 2026 · Updated October 5, 2026\n\n"
        "AI helped to make this post.\n\n"
        "A third party paid for this post.\n\n"
        "Wait *here*.\n\n\n"
        "## Corrections\n\n"
        "### October 4, 2026\n\n"
        "It said \\*then\\*.\n\n"
        "## Frequently asked questions\n\n"
        "### When?\n\n"
        "At noon.\nOr later.\n\n"
        f"<{URL}>\n"
    )


def test_an_empty_body_keeps_its_place() -> None:
    assert markdown_text(document(body="")) == f"# Low tide\n\nMina Holt\n\n\n\n<{URL}>\n"


def test_a_rich_text_body_becomes_escaped_text() -> None:
    text = markdown_text(document(body="<p>2 * 3 &lt; 7</p>", body_format=BodyFormat.RICH_TEXT))

    assert text == f"# Low tide\n\nMina Holt\n\n2 \\* 3 \\< 7\n\n<{URL}>\n"


@requirement("pages.markdown.content")
@pytest.mark.parametrize(
    ("url", "shown"),
    [("https://a.example/?x=1&amp=*_2_*", None), ("https://a.example/a <b>\\", "https://a.example/a%20%3Cb%3E\\")],
)
def test_the_canonical_url_is_a_link_of_commonmark(url: str, shown: str | None) -> None:
    *_others, paragraph = markdown_text(document(canonical_url=url)).rstrip().split("\n\n")

    [inline] = [token for token in MarkdownIt("commonmark").parse(paragraph) if token.type == "inline"]
    opening, text, closing = inline.children or []
    assert (opening.markup, text.content, closing.type) == ("autolink", text.content, "link_close")
    assert unquote(text.content) == unquote(shown or url)
    assert paragraph == f"<{shown or url}>"


def test_each_mark_gets_one_backslash() -> None:
    assert escape_markdown("\\`*_{}[]<>&!#|~+-") == "".join(f"\\{mark}" for mark in "\\`*_{}[]<>&!#|~+-")
    assert escape_markdown("1. a\n 22) b\n1.5 c.\n3.") == "1\\. a\n 22\\) b\n1.5 c.\n3\\."
    assert escape_markdown("a = b\n==") == "a = b\n\\=="


@requirement("pages.markdown.escaped")
@given(
    st.lists(st.sampled_from(["$", "=", ":", " ", "\n", "a", "1", "\\", "`", "<kbd>", "^", "<details>"]), max_size=12)
)
def test_escaped_text_has_no_formulas_terms_boxes_and_marks(parts: list[str]) -> None:
    rendered = render_markdown(escape_markdown("".join(parts)))

    assert not re.search("<(?:math|mark|dl|kbd|details)|blog-math", rendered.html)
    assert (rendered.unreadable_tex, rendered.dropped_html) == ((), ())


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
