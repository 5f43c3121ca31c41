"""HTML becomes Markdown without loss, or what is lost is named."""

import re
from random import Random
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blog_engine.content.rendering import render
from blog_engine.enums import BodyFormat
from blog_engine.importing.html.conversion import Converted, convert
from blog_engine.importing.source import Losses, LossKind
from tests.content.bodies import render_options
from tests.importing.wordpress.visible import article_words, visible_words
from tests.requirements import requirement
from tests.support.costs import takes_at_most


def converted(html: str, *, rich_text_allowed: bool = False) -> tuple[Converted, list[tuple[LossKind, int | None]]]:
    losses = Losses()
    body = convert(html, losses=losses, rich_text_allowed=rich_text_allowed)
    return body, [(loss.kind, loss.line) for loss in losses.found]


def test_blocks_of_a_cell_in_one_line_are_one_loss_whose_words_did_not_change() -> None:
    losses = Losses()
    cell = "<td>one <div>&#160;</div> <b>two</b><p>three <a href='/x'>four</a></p></td>"
    items = "<td><ul><li><code>five</code></li><li>six</li></ul></td>"

    body = convert(
        f"<table><tr><th>A</th><th>B</th></tr><tr>{cell}{items}</tr></table>", losses=losses, rich_text_allowed=False
    )

    assert body.body == "| A | B |\n| --- | --- |\n| one **two** three [four](/x) | `five` six |\n"
    assert [loss.message for loss in losses.found] == ["A cell with blocks is one line now (2 times)"]


LINK = re.compile(r'<a href="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)


def seen(body: Converted) -> tuple[str, int, int, int]:
    """Return the words of a body without the space between them, and the numbers of code blocks, images and links."""
    html = render(body.body, body_format=body.body_format, options=render_options(images={})).html
    links = {quote(unquote(url)) for url, inner in LINK.findall(html) if "<img" in inner or visible_words(inner)}
    return article_words(html).replace(" ", ""), html.count("<pre"), html.count("<img"), len(links)


_MATH = '<math%s><mrow><mi>q</mi></mrow><annotation encoding="application/x-tex">%s</annotation></math>'

LOSSLESS = [
    ("<p>A <b>bold</b> and <i>slanted</i> <s>word</s>.</p>", "A **bold** and *slanted* ~~word~~.\n"),
    ("<p>a<strong>:x:</strong>b</p>", "&#97;**:x:**&#98;\n"),
    ("<p><strong><em>both</em></strong></p>", "**_both_**\n"),
    ("<p><strong>one <a href='/a'>two</a></strong></p>", "**one [two](/a)**\n"),
    ("<p>one<br>two</p>", "one\\\ntwo\n"),
    ("<p>one\ntwo</p>", "one two\n"),
    ("<h2>C#</h2><h3>Two</h3>", "## C\\#\n\n### Two\n"),
    ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c\n"),
    ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b\n"),
    ('<ol start="4"><li>a<li>b</ol><ol><li>c</ol>', "4. a\n5. b\n\n1) c\n"),
    ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b\n"),
    ("<ul><li></li><li>b</li></ul>", "-\n- b\n"),
    ("<ol><li>a<ol start=3><li>b</ol></ol>", "1. a\n\n   3. b\n"),
    ("<blockquote>a<p>b</p></blockquote>", "> a\n>\n> b\n"),
    ("a<hr>b", "a\n\n***\n\nb\n"),
    ('<pre><code class="language-python">a\n  `b`\n</code></pre>', "```python\na\n  `b`\n```\n"),
    ("<pre>\n```\n\n  x</pre>", "````\n```\n\n  x\n````\n"),
    ('<pre class="brush: php">x</pre>', "```php\nx\n```\n"),
    ("<p><code>a`b</code></p>", "``a`b``\n"),
    ("<p>1. a<br># b<br>- c<br>&gt; d<br>===</p>", "1\\. a\\\n\\# b\\\n\\- c\\\n\\> d\\\n\\=\\==\n"),
    ("<p>$5 and $6</p><p>$7</p>", "\\$5 and \\$6\n\n$7\n"),
    ("<p>$<b>x</b>$ a==<b>b</b>== <img src=/i.jpg alt='$c$'></p>", None),
    ("<p>a<br>: b</p>", "a\\\n\\: b\n"),
    ("<p>*a* _b_ c_d `e` [f] &lt;g&gt; &amp;amp; \\ ~h~</p>", None),
    ("<p>https://x.example www.x.example me@x.example</p>", "https\\://x.example www\\.x.example me\\@x.example\n"),
    ("<p>&nbsp;a&nbsp;b&nbsp;</p>", "&#160;a\xa0b&#160;\n"),
    ("<p>&nbsp;</p><p>a</p><p></p>", "a\n"),
    ('<a href="/a_(b)">x</a>', "[x](</a_(b)>)\n"),
    ('<a href="/a?b&amp;copy;" title=\'say "c"\'>x</a>', '[x](/a?b\\&copy; "say \\"c\\"")\n'),
    ('<a href="https://x.example/">https://x.example/</a>', "<https://x.example/>\n"),
    ('Look!<a href="/a">x</a>', "Look\\![x](/a)\n"),
    ('<p><a href="/big"><img src="/i.jpg" alt="[a]"></a></p>', "[![\\[a\\]](/i.jpg)](/big)\n"),
    ('<figure><img src="/i.jpg"><figcaption>a "b"</figcaption></figure>', '![](/i.jpg "a \\"b\\"")\n'),
    (
        "<table><thead><tr><th>a<th>b|c<tbody><tr><td>1<td><code>x|y</code></table>",
        "| a | b\\|c |\n| --- | --- |\n| 1 | `x\\|y` |\n",
    ),
    (
        '<table><tr><th align=right>a<tr><td style="text-align: right">1</table>',
        "| a |\n| --: |\n| 1 |\n",
    ),
    ("<div><section><p>a</p></section> b</div>", "a\n\nb\n"),
    ("<p>a<!-- note -->b</p>", "ab\n"),
    ('<a href="/a"><h2>b</h2><p>c</p></a>', "## [b](/a)\n\n[c](/a)\n"),
    (
        '<ul><li><input type="checkbox" disabled> a</li><li><input type=checkbox checked disabled="disabled"> b</ul>',
        "- [ ] a\n- [x] b\n",
    ),
    ("<q>a</q>", "“a”\n"),
    ("<p>Press <kbd>Ctrl</kbd>+<b><kbd>C</kbd></b></p>", "Press <kbd>Ctrl</kbd>+**<kbd>C</kbd>**\n"),
    ("<p><mark>a b</mark>, <mark>c</mark> d</p>", "==a b==, ==c== d\n"),
    ("<p>a<mark>b</mark>c <mark><i>d</i></mark> =<mark>e</mark></p>", None),
    ("<p>a <mark>b <a href=/c>c</a></mark> ==d== <kbd>`e*</kbd></p>", None),
    (
        "<details open><summary>A <i>b</i></summary>c<ul><li>d</ul></details>e",
        "<details open>\n<summary>A *b*</summary>\n\nc\n\n- d\n\n</details>\n\ne\n",
    ),
    ("<ul><li>a<details><summary>b</summary><blockquote>c</blockquote></details></ul>", None),
    ("<details><summary>a</summary><details><summary>b &lt;/summary></summary></details></details>", None),
    (
        "<dl><dt>A<dd>b<p>c</p><ul><li>d</ul><dd>e<dt>F<dd><pre>g\n\nh</pre></dl>i",
        "A\n: b\n\n  c\n\n  - d\n: e\n\nF\n: ```\n  g\n\n  h\n  ```\n\ni\n",
    ),
    ("<dl><div><dt>a</dt><dd>b</dd></div><div><dt>: c<dd>: d</div></dl>", None),
    (f"<p>O{_MATH % ('', 'n')}th, {_MATH % ('', 'x_1')} and $5 {_MATH % ('', 'a b c')}(x)</p>", None),
    (f"<p>a {_MATH % ('', 'x^2')}.</p>", "a $x^2$.\n"),
    (f"{_MATH % (' display=block', 'a &amp;= b')}", "$$\na &= b\n$$\n"),
    (f"<table><tr><th>{_MATH % ('', '|x|')}</table>", None),
    (
        f"<span class='katex'>{_MATH % ('', 'y')}<span class='katex-html' aria-hidden='true'><b>y</b></span></span>",
        "$y$\n",
    ),
    ("", ""),
]


@requirement("import.html.lossless", "import.html.elements", "import.html.not-named", "import.html.languages")
@pytest.mark.parametrize(("html", "markdown"), LOSSLESS)
def test_what_markdown_can_express_becomes_markdown_without_loss(html: str, markdown: str | None) -> None:
    body, losses = converted(html)

    assert losses == []
    assert body.body_format is BodyFormat.MARKDOWN
    assert markdown is None or body.body == markdown
    rendered = render(body.body, body_format=BodyFormat.MARKDOWN, options=render_options(hard_breaks=False))
    assert rendered.dropped_html == ()


@requirement("import.html.named")
@pytest.mark.parametrize(
    ("html", "words", "line"),
    [
        ("<p>a</p>\n<p>x<sup>2</sup></p>", "a x2", 2),
        ("<p>a</p>\n\n<p style='text-align:center'>b</p>", "a b", 3),
        ("<table>\n<tr><th>a\n<tr><td>b<br>c</table>", "a b c", 3),
        ("\n<table><tr><td>a</table>", "a", 2),
        ("<figure><img src=/i.jpg>\n<figcaption>by <a href=/a>b</a></figcaption></figure>", "by b", 2),
        ("a\n<span lang=fr>oui</span>", "a oui", 2),
        ("<h2>a<br>b</h2>", "a b", 1),
        ("\n<p>a <input type=checkbox disabled></p>", "a [ ]", 2),
        ("<p>a <a href='/b' rel='sponsored'>b</a></p>", "a b", 1),
    ],
)
def test_what_only_rich_text_can_express_is_named_or_stays_html(html: str, words: str, line: int) -> None:
    markdown, losses = converted(html)
    rich_text, rich_text_losses = converted(html, rich_text_allowed=True)

    assert markdown.body_format is BodyFormat.MARKDOWN
    assert (LossKind.HTML, line) in losses
    assert article_words(render(markdown.body, body_format=BodyFormat.MARKDOWN, options=render_options()).html) == words
    assert (rich_text.body_format, rich_text_losses) == (BodyFormat.RICH_TEXT, [])


@requirement("import.html.left-out")
@pytest.mark.parametrize("rich_text_allowed", [False, True])
@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<style>p { color: red }</style>",
        "<form>a <input name=b></form>",
        "<button>a</button>",
        "<svg><path d='M0 0'/></svg>",
        "<math><mi>x</mi></math>",
        "<p style='display:none'>a</p>",
        "<p style='color:red'>a</p>",
        "<u>a</u>",
        "<abbr title='b'>a</abbr>",
        "<pre>a <strong>b</strong></pre>",
        "<table><tr><th colspan=2>a</table>",
        "<ol reversed><li>a</ol>",
        "<my-card>a</my-card>",
        "<img src='/a.jpg' title='b'>",
    ],
)
def test_what_no_body_shows_is_named_whatever_the_format(html: str, rich_text_allowed: bool) -> None:
    losses = converted(f"\n{html}", rich_text_allowed=rich_text_allowed)[1]

    assert (LossKind.HTML, 2) in losses


@pytest.mark.parametrize(
    ("html", "kind"),
    [("<a href='tel:1'>a</a>", LossKind.LINK), ("<img src='data:x'>", LossKind.IMAGE), ("<img>", LossKind.IMAGE)],
)
def test_urls_that_no_body_can_have_are_named(html: str, kind: LossKind) -> None:
    assert converted(html)[1] == [(kind, 1)]


@requirement("import.html.elements")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a <kbd>b</kbd> <mark>c</mark><sup>d</sup></p>", "<kbd>b</kbd> <mark>c</mark>"),
        ("<details><summary>a<sup>2</sup></summary><p>b</p></details>", "<details><summary>a<sup>2</sup></summary>"),
        ("<dl><dt>a</dt><dt>b</dt><dd>c</dd></dl>", "<dl><dt>a</dt><dt>b</dt><dd>c</dd></dl>"),
    ],
)
def test_rich_text_keeps_keys_marks_boxes_and_terms(html: str, text: str) -> None:
    body, losses = converted(html, rich_text_allowed=True)

    assert losses == []
    assert body.body_format is BodyFormat.RICH_TEXT
    assert text in body.body


@requirement("import.html.elements")
def test_a_formula_in_rich_text_is_code_and_named() -> None:
    body, losses = converted(f"<p>a<sup>b</sup> {_MATH % ('', 'x^2')}</p>", rich_text_allowed=True)

    assert "<code>x^2</code>" in body.body
    assert losses == [(LossKind.HTML, 1)]


@requirement("import.html.players")
@pytest.mark.parametrize(
    ("html", "markdown", "kind"),
    [
        ('<iframe src="//x.example/a">no</iframe>b', "<https://x.example/a>\n\nb\n", LossKind.EMBED),
        ('<object data="https://x.example/a"><p>no</p></object>', "<https://x.example/a>\n", LossKind.EMBED),
        ('<embed src="https://x.example/a">', "<https://x.example/a>\n", LossKind.EMBED),
        ('<video><source src="/a.mp4"><source src="/a.ogv"></video>', "[/a.mp4](/a.mp4)\n", LossKind.FILE),
        ('<audio src="/a.mp3"></audio>', "[/a.mp3](/a.mp3)\n", LossKind.FILE),
    ],
)
def test_players_become_links(html: str, markdown: str, kind: LossKind) -> None:
    body, losses = converted(html)

    assert (body.body, losses) == (markdown, [(kind, 1)])


@requirement("import.html.page-links")
def test_links_to_headings_of_the_page_are_kept_and_others_named() -> None:
    html = (
        '<h2></h2><h2 id="gear">Our gear</h2><h3><a name="old"></a>Gear</h3>\n'
        '<a href="#gear">a</a> <a href="#old">b</a> <a href="#our-gear">c</a> <a href="#note-1">d</a>'
    )

    body, losses = converted(html)

    assert body.body.splitlines()[-1] == "[a](#our-gear) [b](#gear) [c](#our-gear) [d](#note-1)"
    assert losses == [(LossKind.LINK, 2)]


@requirement("import.html.named")
def test_code_with_line_breaks_outside_of_a_block_is_named() -> None:
    body, losses = converted("<p>a</p>\n<p><code>b<br>c</code></p>\n<pre>d<br>e</pre>")

    assert body.body == "a\n\n```\nb\nc\n```\n\n```\nd\ne\n```\n"
    assert losses == [(LossKind.HTML, 2)]


def test_a_placeholder_gives_way_to_the_image_that_a_script_would_load() -> None:
    assert converted('<img src="data:image/gif;base64,R0" data-src="/a.jpg" alt="a">')[0].body == "![a](/a.jpg)\n"


_WORDS = [
    *("rope", "tide", "a", "x2", "snake_case", "5 * 3", "1.", "- no list", "# no heading", "&gt; no quote", "`tick`"),
    *("[x]", "[[y]]", "![z]", "a|b", "~so~", "&amp;", "&lt;b&gt;", "&amp;amp;", "\\", "\\*", "*star*", "_under_", "C#"),
    *("https://bare.example/x", "www.bare.example", "me@mail.example", "&nbsp;", "…", "“quote”", "鷗", "é", "=", "---"),
    *("<!-- note -->", "!", "(", ")", '"', "'", ":", "::", "+ plus", "2) two", "\n", "  ", "&#x3000;", "🐟", "^", "|"),
]
_URLS = [
    *("/a", "https://x.example/a_(b)?x=1&amp;y=2", "https://x.example/ü b", "#top", "mailto:a@b.example"),
    *("?p=1&amp;copy;=2", "https://plain.example/", "/a|b", "/back\\slash"),
]
_ALTS = ["", "a picture", "[x] *y* &quot;z&quot;"]
_CODE = ["x = 1\n", "\n\n  a\n\tb", "```\nx", "&lt;b&gt;", "", "a\n\n\nb", "<b>x</b>", "    four", "|"]


def random_html(random: Random) -> str:
    """Return a body of up to four blocks."""
    glue = random.choice(["", "\n", "\n\n"])
    return glue.join(_block(random, depth=3) for _ in range(random.randint(1, 4)))


def _text(random: Random) -> str:
    return random.choice(["", " "]).join(random.choices(_WORDS, k=random.randint(1, 4)))


def _image(random: Random) -> str:
    return f'<img src="{random.choice(_URLS[:3])}" alt="{random.choice(_ALTS)}">'


def _inline(random: Random, *, depth: int = 3, in_link: bool = False) -> str:
    parts = []
    for _ in range(random.randint(1, 4)):
        match random.randrange(8 if depth else 2):
            case 0 | 1 | 2:
                parts.append(_text(random))
            case 3:
                parts.append(random.choice(["<br>", _image(random)]))
            case 4 if not in_link:
                title = random.choice(["", ' title="t"', ' title="a &quot;b&quot; *c*"'])
                parts.append(
                    f'<a href="{random.choice(_URLS)}"{title}>{_inline(random, depth=depth - 1, in_link=True)}</a>'
                )
            case _:
                name = random.choice(
                    ["strong", "em", "b", "i", "del", "strong", "em", "code", "sup", "span", "u", "kbd", "mark"]
                )
                parts.append(f"<{name}>{_inline(random, depth=depth - 1, in_link=in_link)}</{name}>")
    return random.choice(["", " "]).join(parts)


def _block(random: Random, *, depth: int) -> str:
    match random.randrange(13 if depth else 6):
        case 0 | 1:
            start = random.choice(["<p>", "<p>", '<p align="center">', "<p lang=fr>"])
            return f"{start}{_inline(random)}</p>"
        case 2:
            level = random.randint(1, 6)
            return f"<h{level}>{_inline(random)}</h{level}>"
        case 3:
            language = random.choice(["", ' class="language-python"', ' lang="sh"'])
            return f"<pre{language}>{random.choice(_CODE)}</pre>"
        case 4:
            caption = f"<figcaption>{_inline(random)}</figcaption>" if random.random() < 0.6 else ""
            return f"<figure>{_image(random)}{caption}</figure>"
        case 5:
            return random.choice(["<hr>", _inline(random)])
        case 6 | 7:
            return _list(random, depth=depth)
        case 8:
            return _table(random, depth=depth)
        case 9:
            return f"<blockquote>{''.join(_block(random, depth=depth - 1) for _ in range(2))}</blockquote>"
        case 10:
            start = random.choice(["<details>", "<details open>"])
            blocks = "".join(_block(random, depth=depth - 1) for _ in range(random.randint(0, 2)))
            return f"{start}<summary>{_inline(random)}</summary>{blocks}</details>"
        case 11:
            terms = (f"<dt>{_inline(random)}</dt><dd>{_block(random, depth=depth - 1)}</dd>" for _ in range(2))
            return f"<dl>{''.join(terms)}</dl>"
        case _:
            name = random.choice(["div", "section", "center", "dl", "article"])
            return f"<{name}>{_block(random, depth=depth - 1)}</{name}>"


def _list(random: Random, *, depth: int) -> str:
    start = random.choice(["ul", "ol", 'ol start="7"', 'ol start="0"', "ul"])
    items = []
    for _ in range(random.randint(1, 3)):
        inner = _inline(random) if random.random() < 0.8 else ""
        below = _block(random, depth=depth - 1) if random.random() < 0.4 else ""
        box = random.choice(
            ["", "", "", '<input type="checkbox" disabled>', '<input type="checkbox" checked disabled> ']
        )
        items.append(f"<li>{box}{inner}{below}</li>")
    return f"<{start}>{''.join(items)}</{start[:2]}>"


def _table(random: Random, *, depth: int) -> str:
    rows = []
    width = random.randint(1, 3)
    for number in range(random.randint(1, 3)):
        cells = []
        for _ in range(width if random.random() < 0.9 else width + 1):
            tag = "th" if number == 0 and random.random() < 0.8 else random.choice(["td", "td", 'td align="right"'])
            inner = _block(random, depth=depth - 1) if random.random() < 0.1 else _inline(random, depth=2)
            cells.append(f"<{tag}>{inner}</{tag[:2]}>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


@requirement("import.html.lossless", "import.html.named")
@settings(max_examples=150, deadline=None, database=None)
@given(st.integers(min_value=0, max_value=10**9))
@pytest.mark.heavy
def test_no_html_is_changed_without_being_named(seed: int) -> None:
    html = random_html(Random(seed))  # noqa: S311  chance decides what is tested, no secret

    markdown, losses = converted(html)
    rich_text, rich_text_losses = converted(html, rich_text_allowed=True)

    if rich_text.body_format is BodyFormat.RICH_TEXT:
        assert losses
    if not losses:
        assert (rich_text, rich_text_losses) == (markdown, [])
        # The sanitiser reads HTML without the help of the conversion.
        assert seen(markdown) == seen(Converted(html, BodyFormat.RICH_TEXT))


HOSTILE = {
    "divisions": "<div>",
    "quotes": "<blockquote>",
    "lists": "<ul><li>",
    "emphasis": "<strong>a<em>b",
    "links": "<a href=x>y",
    "tags that do not end": '<a "',
    "marks": "*_[`!<&",
    "code marks": "`` `",
    "cells": "<td>a",
    "captions": "<table><caption>",
    "frames": "<iframe>",
    "comments": "<!--",
    "code": "<pre><code>",
}


_QUICK = {"divisions", "emphasis", "marks", "cells"}


@requirement("import.html.bounded")
@pytest.mark.parametrize(
    "piece",
    [
        pytest.param(piece, id=name, marks=() if name in _QUICK else pytest.mark.heavy)
        for name, piece in HOSTILE.items()
    ],
)
@pytest.mark.heavy
def test_hostile_html_takes_seconds_at_most(piece: str) -> None:
    with takes_at_most(10):  # at most 1 s on an idle machine
        converted(piece * (60_000 // len(piece)))
