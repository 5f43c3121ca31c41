"""What WordPress shows of a body: paragraphs, blocks, shortcodes."""

import re

import pytest

from blog_engine.importing.html.conversion import convert
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.wordpress.bodies import SharedContent, shown_body
from blog_engine.importing.wordpress.shortcodes import GalleryImage
from tests.requirements import requirement

SHARED = SharedContent(
    reusable={"9": "<!-- wp:paragraph -->\n<p>Shared</p>\n<!-- /wp:paragraph -->", "8": '<!-- wp:block {"ref":8} /-->'},
    images={"3": GalleryImage("/c.jpg", "C", "Cap"), "4": GalleryImage("/d.jpg", "", "")},
    attached={"1": [GalleryImage("/e.jpg", "", "")]},
)


def markdown_of(content: str, *, footnotes: str = "") -> tuple[str, list[tuple[LossKind, int | None]]]:
    losses = Losses()
    html = shown_body(content, post_id="1", footnotes=footnotes, shared=SHARED, losses=losses)
    body = convert(html, losses=losses, rich_text_allowed=False)
    return body.body, [(loss.kind, loss.line) for loss in losses.found]


@requirement("import.wordpress.paragraphs")
@pytest.mark.parametrize(
    ("content", "markdown"),
    [
        ("a\n\nb\nc", "a\n\nb\\\nc\n"),
        ("a\r\n\r\nb", "a\n\nb\n"),
        ("a\n \nb\n\n\n\nc", "a\n\nb\n\nc\n"),
        ("<b>a</b>\n<i>b</i>", "**a**\\\n*b*\n"),
        ("a<br />\nb", "a\\\nb\n"),
        ("a\n<ul>\n<li>b</li>\n<li>c\nd</li>\n</ul>\ne", "a\n\n- b\n- c\\\n  d\n\ne\n"),
        ("<pre>\na\n\nb\n</pre>\nc", "```\na\n\nb\n```\n\nc\n"),
        ("<blockquote>a\n\nb</blockquote>", "> a\n>\n> b\n"),
        ("<table>\n\n<tr>\n<th>a</th>\n</tr>\n\n<tr><td>b</td></tr></table>", "| a |\n| --- |\n| b |\n"),
        ("a<!--more-->\n\nb<!--nextpage-->c", "a\n\nb\n\nc\n"),
        ("<p>a\nb</p>\n\n<p>c</p>", "a\\\nb\n\nc\n"),
        ("<strong>a\n\nb</strong>", "**a**\n\n**b**\n"),
    ],
)
def test_texts_of_the_classic_editor_get_paragraphs(content: str, markdown: str) -> None:
    assert markdown_of(content) == (markdown, [])


def block(name: str, inner: str = "", attributes: str = "") -> str:
    return f"<!-- wp:{name} {attributes}{' ' if attributes else ''}-->{inner}<!-- /wp:{name} -->"


@requirement("import.wordpress.blocks", "import.wordpress.shortcodes")
@pytest.mark.parametrize(
    ("content", "markdown", "losses"),
    [
        (block("paragraph", "<p>a\nb</p>"), "a b\n", []),
        (block("group", f"<div>{block('paragraph', '<p>a</p>')}</div>"), "a\n", []),
        (block("embed", "<figure>\nx</figure>", '{"url":"https://x.example/"}'), "<https://x.example/>\n", ["embed"]),
        (block("embed", "<figure>x</figure>", "{broken"), "", ["embed"]),
        (block("verse", "<pre>a\n  b</pre>"), "a\\\n&#160;\xa0b\n", []),
        (block("columns", "<p>a</p>"), "a\n", ["block"]),
        (block("file", '<a href="/a.pdf">a</a>', '{"href":"/a.pdf"}'), "[a](/a.pdf)\n", ["file"]),
        (block("shop/cart", "<p>a</p>"), "a\n", ["block"]),
        (block("shop/cart"), "", ["block"]),
        ("<!-- wp:latest-posts /-->", "", ["block"]),
        ('<!-- wp:block {"ref":9} /-->', "Shared\n", []),
        ('<!-- wp:block {"ref":8} /-->', "", ["block"]),
        ('<!-- wp:block {"ref":7} /-->', "", ["block"]),
        ("<!-- wp:spacer /-->a<!-- /wp:list -->b<!-- wp:list -->c", "abc\n", []),
        ("<!-- a note --><!-- wp:more --><!--more--><!-- /wp:more -->a", "a\n", []),
        ('a [form id="1"] b', "a b\n", ["shortcode"]),
        ("[box]a [b c=1]d[/b][/box]", "a d\n", ["shortcode", "shortcode"]),
        ("[contact-form][last_posts]", "", ["shortcode", "shortcode"]),
        ('[caption id="x" width="1"]<a href="/b"><img src="/a"></a> Words[/caption]', '[![](/a "Words")](/b)\n', []),
        ('[caption caption="Old"]<img src="/a">[/caption]', '![](/a "Old")\n', []),
        ("[caption]no image[/caption]", "no image\n", []),
        (
            "[embed]https://x.example/?a=1&amp;b=2[/embed]",
            "[https\\://x.example/?a=1&b=2](https://x.example/?a=1&b=2)\n",
            ["embed"],
        ),
        ("[embed]javascript:x[/embed]", "", ["embed"]),
        ('[audio mp3="/a.mp3"][/audio]', "[/a.mp3](/a.mp3)\n", ["file"]),
        ('[playlist ids="1"]', "", ["file"]),
        ('[gallery ids="4"', '\\[gallery ids="4"\n', []),
    ],
)
def test_blocks_and_shortcodes_become_html_or_are_named(content: str, markdown: str, losses: list[str]) -> None:
    body, named = markdown_of(content)

    assert (body, [kind for kind, _ in named]) == (markdown, losses)


def test_footnotes_become_a_list() -> None:
    notes = '[{"content":"First <em>note</em>","id":"a"}]'

    assert markdown_of("<!-- wp:footnotes /-->", footnotes=notes) == ("1. First *note*\n", [(LossKind.BLOCK, 1)])
    assert markdown_of("<!-- wp:footnotes /-->", footnotes="{") == ("", [(LossKind.BLOCK, 1)])


@requirement("import.wordpress.galleries")
@pytest.mark.parametrize(
    ("content", "markdown", "count"),
    [
        (block("gallery", '<ul class="x"><li><figure><img src="/a"></figure></li></ul>'), "![](/a)\n", 1),
        (
            block(
                "gallery",
                '<figure class="wp-block-gallery"><img src="/a">'
                '<figcaption class="blocks-gallery-caption">Two</figcaption></figure>',
            ),
            "![](/a)\n\nTwo\n",
            1,
        ),
        ('[gallery ids="4,3"]', '![](/d.jpg)\n\n![C](/c.jpg "Cap")\n', 1),
        ('[gallery ids="3,99"]', '![C](/c.jpg "Cap")\n', 2),
        ("[gallery]", "![](/e.jpg)\n", 1),
    ],
)
def test_the_images_of_galleries_are_below_each_other(content: str, markdown: str, count: int) -> None:
    assert markdown_of(content) == (markdown, [(LossKind.GALLERY, 1)] * count)


@requirement("import.wordpress.brackets")
@pytest.mark.parametrize(
    "content",
    [
        "[note] [1] [sic] [this is text] a[0]",
        "<code>[form id=1]</code>",
        "<pre>[box]a[/box]</pre>",
        "[[note]] [link](x)",
    ],
)
def test_other_words_in_brackets_stay(content: str) -> None:
    body, losses = markdown_of(content)

    assert losses == []
    assert body.replace("\\", "").strip("`\n").strip() == re.sub("</?(?:code|pre)>", "", content)


@requirement("import.wordpress.brackets")
def test_an_escaped_shortcode_is_shown() -> None:
    assert markdown_of("[[gallery]] and [[box]] beside [box]a[/box]")[0] == "\\[gallery\\] and \\[box\\] beside a\n"


@requirement("import.wordpress.lone-urls")
@pytest.mark.parametrize(
    ("content", "markdown", "losses"),
    [
        ("a\n\nhttps://youtu.be/x\n\nb", "a\n\n<https://youtu.be/x>\n\nb\n", [(LossKind.EMBED, 3)]),
        ("https://m.youtube.com/x", "<https://m.youtube.com/x>\n", [(LossKind.EMBED, 1)]),
        ("https://plain.example/", "<https://plain.example/>\n", []),
        ("see https://youtu.be/x", "see https\\://youtu.be/x\n", []),
        ("<pre>\nhttps://youtu.be/x\n</pre>", "```\nhttps://youtu.be/x\n```\n", []),
        ("http://[x", "http\\://\\[x\n", []),
    ],
)
def test_a_lone_url_becomes_a_link(content: str, markdown: str, losses: list[tuple[LossKind, int]]) -> None:
    assert markdown_of(content) == (markdown, losses)


@requirement("import.wordpress.lines")
def test_losses_name_the_line_in_the_editor() -> None:
    lines = [
        block("paragraph", "\n<p>a</p>\n"),
        '<!-- wp:block {"ref":9} /-->',
        block("gallery", '\n<figure class="wp-block-gallery">\n<img src="/a">\n</figure>\n'),
        block("embed", "\n<figure>\nx\n</figure>\n", '{"url":"https://x.example/"}'),
        block("verse", "<pre>a\nb</pre>"),
        "[form id=1]",
        "<script>\n</script>",
        "<p>x<sup>2</sup></p>",
    ]
    content = "\n".join(lines)

    named = dict(markdown_of(content)[1][::-1])

    assert content.splitlines()[named[LossKind.GALLERY] - 1].startswith("<!-- wp:gallery")
    assert content.splitlines()[named[LossKind.EMBED] - 1].startswith("<!-- wp:embed")
    assert content.splitlines()[named[LossKind.SHORTCODE] - 1] == "[form id=1]"
    html = [line for kind, line in markdown_of(content)[1] if kind is LossKind.HTML]
    assert [content.splitlines()[line - 1] for line in html if line] == ["<script>", "<p>x<sup>2</sup></p>"]
