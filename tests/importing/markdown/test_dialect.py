"""Markdown of other programs shows the same here."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content.html import write_html
from blog_engine.content.rendering import sanitized
from blog_engine.enums import BodyFormat
from blog_engine.importing.markdown.bodies import with_dollars
from blog_engine.importing.markdown.dialects import Dialect
from blog_engine.importing.markdown.html import to_our_dialect
from blog_engine.importing.source import Losses, LossKind
from tests.content.bodies import render_options
from tests.importing.markdown.sites import read_post, write_file
from tests.requirements import requirement
from tests.support.costs import takes_at_most

SOFT = Dialect(has_raw_html=True, has_hard_breaks=False, has_attributes=True)


def shown(text: str, *, hard_breaks: bool) -> str:
    """Return the HTML of a text, with white space as browsers show it."""
    options = render_options(hard_breaks=hard_breaks, site_origin=None, images={})
    html = write_html(sanitized(text, body_format=BodyFormat.MARKDOWN, options=options))
    return " ".join(html.replace("<br>", " <br> ").split())


PARTS = st.sampled_from(
    [
        *(
            "word",
            "*em*",
            "**strong**",
            "`code`",
            "[a](b)",
            "![i](j)",
            "# head",
            "> quote",
            "> > deep",
            "- item",
            "1. one",
        ),
        *("  - inner", "    code", "```", "| a | b |", "|---|---|", "***", "a  ", "b\\", "c\\\\", "[^1]", "[^1]: note"),
        *("Setext\n===", "\\*", "&amp;", "2. two", "+ plus", "a | b", "~~no~~", "    more", "[x]: /y"),
    ]
)
LINES = st.lists(st.one_of(PARTS, st.just(""), st.lists(PARTS, min_size=2, max_size=3).map(" ".join)), max_size=12)


@requirement("import.markdown.breaks")
@settings(max_examples=150, deadline=None)
@given(LINES.map("\n".join))
def test_joined_lines_show_the_same_with_hard_breaks(text: str) -> None:
    ours = to_our_dialect(text, SOFT, losses=Losses())[0]

    assert shown(ours, hard_breaks=True) == shown(text, hard_breaks=False)


LIKE_BLOCKS = st.sampled_from(
    [
        *("a", "a  ", "b\\", "a | b", "a | b  ", "a|b|c  ", "|---|---|", ":-|:-", "|:-", "|", "- | -", "|-|-|"),
        *("+", "*", "-", "1.", "01.", "1)", "2.", "**", "__", "_", ":", "~", ": d", "~ d", "[x]:", "[y]: (z"),
        *("[ ]", "- [ ]", "[x]", "> a | b", "> c  ", "> |-|-|", "===", "#", "```", "[^1]:", "    y", ""),
    ]
)


@requirement("import.markdown.breaks")
@settings(max_examples=150, deadline=None)
@given(st.lists(LIKE_BLOCKS, min_size=2, max_size=5).map("\n".join))
def test_a_joined_line_begins_no_other_block(text: str) -> None:
    ours = to_our_dialect(text, SOFT, losses=Losses())[0]

    assert shown(ours, hard_breaks=True) == shown(text, hard_breaks=False)


@requirement("import.markdown.breaks")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a | b\na  \n|---|---|", "a | b a  \n\\|---|---|"),
        ("a|b|c  \n:-|:-\n|:-", "a|b|c  \n\\:-|:- |:-"),
        ("> a | b\n> a  \n> ---|---", "> a | b a  \n> \\---|---"),
        ("a | b\nc\n- | -", "a &#124; b c\n- | -"),
        ("`a | b`\nc\n- | -", "`a | b`\nc\n- | -"),
        ("a | b\nc\n- | d", "a | b c\n- | d"),
        ("**\n*", "\\** *"),
        ("- [ ]\n~\n~", "- \\[ ] \\~ \\~"),
        ("a  \n__\n_\nb", "a  \n__ _ b"),
        ("a  \n__\n_", "a  \n\\__ _"),
        ("a  \n+\nb", "a  \n\\+ b"),
        ("a  \n1.\nb", "a  \n1\\. b"),
        ("a  \n2.\nb", "a  \n2. b"),
        ("a  \n:\nb", "a  \n\\: b"),
        ("a\nb\n\n: c", "a b\n\n\\: c"),
        ("[x]: (y\nz)", "[x]\\: (y z)"),
        ("- [ ]\n  a", "- \\[ ] a"),
        ("- [ ] a\n  b", "- [ ] a b"),
        ("[!NOTE]\na", "[!NOTE] a"),
        ("a\n- b\n  c", "a\n- b c"),
    ],
)
def test_signs_that_would_begin_another_block_are_escaped(text: str, expected: str) -> None:
    assert to_our_dialect(text, SOFT, losses=Losses())[0] == expected


@requirement("import.markdown.breaks", "import.markdown.attributes")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc\nd\n", "a b\n\nc d\n"),
        ("a  \nb\\\nc\nd", "a  \nb\\\nc d"),
        ("> a\n> b\n>\n> - c\n>   d", "> a b\n>\n> - c d"),
        ("- a\n  b\n\n  c\n  d", "- a b\n\n  c d"),
        ("> a\nlazy", "> a lazy"),
        ("a\n===\nb\nc", "a\n===\nb c"),
        ("> [!NOTE]\n> a\n> b", "> [!NOTE]\n> a b"),
        ("```\na\nb\n```\n\n    c\n    d", "```\na\nb\n```\n\n    c\n    d"),
        ("| a | b |\n|---|---|\n| c | d |\n", "| a | b |\n|---|---|\n| c | d |\n"),
        ("[^1]: a\n    b\n\nx[^1]", "[^1]: a b\n\nx[^1]"),
        ("Term\n: def one\nmore\n", "Term\n: def one more\n"),
        ("a `b`\n: c <b>d</b>\n\n  e\n  f\n", "a `b`\n: c **d**\n\n  e f\n"),
        ("text\n$$\na \\\\\nb\n$$\nmore\nand", "text\n$$\na \\\\\nb\n$$\nmore and"),
        ("## A {#b .c}", "## A"),
        ("A {: #b}\n---", "A\n---"),
        ("## A {b}", "## A {b}"),
        ("A {#b}", "A {#b}"),
        ("## `A {#b}`", "## `A {#b}`"),
    ],
)
def test_only_soft_breaks_are_joined_and_only_headings_lose_attributes(text: str, expected: str) -> None:
    assert to_our_dialect(text, SOFT, losses=Losses())[0] == expected


@requirement("import.markdown.breaks")
@pytest.mark.parametrize(
    ("name", "configuration"),
    [
        ("hugo.toml", "[markup.goldmark.renderer]\nhardWraps = true\n"),
        ("_config.yml", "kramdown:\n  hard_wrap: true\n"),
    ],
)
def test_lines_stay_where_their_ends_were_breaks(tmp_path: Path, name: str, configuration: str) -> None:
    write_file(tmp_path / name, configuration)
    place = "content/posts/a.md" if name == "hugo.toml" else "_posts/2024-01-02-a.md"

    post = read_post(tmp_path, "---\ntitle: A\ndate: 2024-01-02\n---\na\nb\n", name=place)

    assert post.body == "a\nb\n"


@requirement("import.markdown.html")
@pytest.mark.parametrize(
    ("text", "expected", "kinds"),
    [
        ("a <b>b</b> <i>c</i> <s>d</s> <samp>e</samp>", "a **b** *c* ~~d~~ `e`", []),
        ("<kbd class=x>a <b>b</b></kbd> <mark>c", "<kbd>a **b**</kbd> <mark>c</mark>", []),
        ("$a<b>c$ text <i>i</i>", "$a<b>c$ text *i*", []),
        ("a<br>b<br/>c", "a\\\nb\\\nc", []),
        ("# a<br>b", "# a b", []),
        ('<a href="/x (y)">a</a>', "[a](</x (y)>)", []),
        ('<a name="x"></a>a', "a", []),
        ('a <img src="/a.png" alt="A &amp; B" title="T"> b', 'a ![A & B](/a.png "T") b', []),
        ("a <span class=x>b</span> <u>c</u> <q>d</q>", "a b <u>c</u> “d”", [LossKind.HTML]),
        ("a <!-- unseen --> b", "a  b", []),
        ("`<b>` <b>x</b>", "`<b>` **x**", []),
        ("a <b>b", "a **b**", []),
        ("a </b> b", "a  b", []),
        ("> <b>a</b>\n> c", "> **a** c", []),
    ],
)
def test_inline_html_becomes_markdown(text: str, expected: str, kinds: list[LossKind]) -> None:
    losses = Losses()

    assert to_our_dialect(text, SOFT, losses=losses)[0] == expected
    assert [loss.kind for loss in losses.found] == kinds


@requirement("import.markdown.formulas")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\(x_1\), \\(k\\), \(n\)th, O\(n\)", "$x_1$, $k$, $`n`$&#116;h, &#79;$n$"),
        (r"\\(a\_1 \\, b\\)", r"$a_1 \, b$"),
        (r"\(a b\) \(f\)(x) \(a\)\(b\)", r"$`a b`$ $`f`$(x) $`a`$ $b$"),
        ("a \\[\nx = y \\\\[2pt]\nz\n\\] b", "a \n$$\nx = y \\\\[2pt]\nz\n$$\n b"),
        ("> \\\\[x\n> + y\\\\]", "> $$\n> x\n> + y\n> $$"),
        (r"\(see note\) \[sic\] \[x = 1\](/y) `\(x\)` \\\(x\)", None),
        ("$\\(x\\)$ and\n\n$$\n\\[x=1\\]\n$$", None),
        ("    \\(x_1\\)\n\n```\n\\[x_1\\]\n```", None),
        ("\\(x_1\n\ny\\)", None),
    ],
)
def test_brackets_around_formulas_become_dollar_signs(text: str, expected: str | None) -> None:
    assert with_dollars(text) == (text if expected is None else expected)


@pytest.mark.parametrize("text", ["\\(", "\\\\[", "\\\\[1", "$$x ", "\\[a", "\\(\\a", "$x "])
@requirement("import.markdown.hostile")
def test_the_time_for_brackets_grows_with_the_text(text: str) -> None:
    with takes_at_most(3):
        with_dollars(text * 20_000)


@requirement("import.markdown.html")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<details class=x>\n<summary>More <b>b</b></summary>\n\nText *x*\n\n</details>\n\nafter\n",
            "<details>\n<summary>More **b**</summary>\n\nText *x*\n\n</details>\n\nafter\n",
        ),
        (
            "- a\n\n  <details open><summary>S</summary>\n  <p>p <u>q</u></p>\n\n  md\n  </details>\n",
            "- a\n\n  <details open>\n  <summary>S</summary>\n  p q\n\n  md\n  </details>\n",
        ),
        (
            "<details><summary>S</summary><p>p</p></details>\n\nafter",
            "<details>\n<summary>S</summary>\n\np\n\n</details>\n\nafter",
        ),
    ],
)
def test_boxes_stay_around_html_and_markdown(text: str, expected: str) -> None:
    ours = to_our_dialect(text, SOFT, losses=Losses())[0]

    assert ours == expected
    assert shown(ours, hard_breaks=True).count("</details>") == 1


@requirement("import.markdown.html")
def test_blocks_of_html_become_markdown_with_their_lines() -> None:
    losses = Losses()
    text = "a\n\n<div>\n<p>b <b>c</b></p>\n<video src='/v.mp4'></video>\n</div>\n\n> <p>d</p>\n\n- <p>e</p>\n"

    ours = to_our_dialect(text, SOFT, losses=losses)[0]

    assert shown(ours, hard_breaks=True).startswith("<p>a</p> <p>b <strong>c</strong></p>")
    assert "<blockquote> <p>d</p> </blockquote>" in shown(ours, hard_breaks=True)
    assert [loss.line for loss in losses.found] == [5]


@requirement("import.markdown.html")
def test_html_that_hugo_left_out_stays_left_out(tmp_path: Path) -> None:
    write_file(tmp_path / "hugo.toml", "")
    text = "---\ntitle: A\ndate: 2024-01-02\n---\n<div>unseen</div>\n\na <b>b</b>\n"

    post = read_post(tmp_path, text, name="content/posts/a.md")

    assert post.body == "<div>unseen</div>\n\na <b>b</b>\n"
    assert post.losses == ()
