"""What a body looks like on a page; Markdown first, then what is particular to rich text."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content.options import KnownImage, PictureSource
from blog_engine.content.rendering import BodyImage, Heading, SourceHeading
from tests.content.builders import DIGEST, QUAY, render_markdown, render_options, render_rich_text
from tests.content.safe_html import faults
from tests.requirements import requirement

EXTERNAL = 'rel="noopener"'
RICH_TEXT_PARTS = [
    *("x", "<a href=/x>", "<img src=i>", "<br>", "<li>", "<tr>", "<td>", "<h2>", "</p>", "</a>", "</li>", "</table>"),
    *(f"<{slash}{name}>" for name in ("p", "em", "ul", "pre", "code", "figure", "div", "span") for slash in ("", "/")),
    *("<table>", "<figcaption>", "</h2>", "</td>", "<blockquote>", "</ul>"),
]


def paragraph(html: str) -> str:
    """What stands inside the one paragraph of the HTML."""
    found = re.fullmatch(r"<p>(.*)</p>\n?", html, re.DOTALL)
    assert found, html
    return found[1]


def text_in(html: str, tag: str) -> str:
    """The text inside the elements of one name, read by the standard library."""
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


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("*a* **b** `c` ~~d~~", "<em>a</em> <strong>b</strong> <code>c</code> <del>d</del>"),
        ("a\nb", "a<br>\nb"),
        ("a  \nb", "a<br>\nb"),
        ('&copy; &amp; \\* < "q"', '© &amp; * &lt; "q"'),
        (":smile:", ":smile:"),
        ("a <b>b</b> <!-- c --> <br> d", "a b   d"),
        ('[a](/b "c")', '<a href="/b" title="c">a</a>'),
        ("[a](https://blog.example/b)", '<a href="https://blog.example/b">a</a>'),
        ("[a](https://blog.example:443/b)", '<a href="https://blog.example:443/b">a</a>'),
        ("[a](https://blog.example:8443/b)", f'<a href="https://blog.example:8443/b" {EXTERNAL}>a</a>'),
        ("[a](//other.example)", f'<a href="//other.example" {EXTERNAL}>a</a>'),
        ("[a](mailto:a@b.example)", '<a href="mailto:a@b.example">a</a>'),
        ("[a](javascript:b)", "<a>a</a>"),
        ("[a](tel:1)", "<a>a</a>"),
        ("![a](data:image/png;base64,AA) b", " b"),
        ("https://a.example/b_c_d.", f'<a href="https://a.example/b_c_d" {EXTERNAL}>https://a.example/b_c_d</a>.'),
        ("(www.a.example)", f'(<a href="http://www.a.example" {EXTERNAL}>www.a.example</a>)'),
        ("to me@a.example.", 'to <a href="mailto:me@a.example">me@a.example</a>.'),
        ("xhttps://a.example", "xhttps://a.example"),
        ("[https://a.example](/b)", '<a href="/b">https://a.example</a>'),
        ("`https://a.example`", "<code>https://a.example</code>"),
    ],
)
def test_inline_markdown(source: str, html: str) -> None:
    assert paragraph(render_markdown(source).html) == html


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("", ""),
        ("<div>gone\nwith its text</div>\n\nkept", "<p>kept</p>\n"),
        ("> a", "<blockquote>\n<p>a</p>\n</blockquote>\n"),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>\n'),
        ("---", "<hr>\n"),
    ],
)
def test_block_markdown(source: str, html: str) -> None:
    assert render_markdown(source).html == html


def test_without_hard_breaks_a_newline_is_a_space() -> None:
    assert paragraph(render_markdown("a\nb", render_options(hard_breaks=False)).html) == "a\nb"


def test_without_an_origin_every_host_is_foreign() -> None:
    html = render_markdown("[a](https://blog.example/b)", render_options(site_origin=None)).html

    assert paragraph(html) == f'<a href="https://blog.example/b" {EXTERNAL}>a</a>'


@pytest.mark.parametrize(
    ("levels", "expected"),
    [([1, 2, 3], [2, 3, 4]), ([3, 4], [2, 3]), ([2, 6], [2, 6]), ([1, 6], [2, 6]), ([3, 1, 6], [4, 2, 6])],
)
def test_headings_shift_so_that_the_smallest_is_the_second_level(levels: list[int], expected: list[int]) -> None:
    rendered = render_markdown("\n\n".join(f"{'#' * level} T" for level in levels))

    assert [heading.level for heading in rendered.headings] == expected
    assert [int(level) for level in re.findall(r"<h([1-6])", rendered.html)] == expected
    assert [heading.level for heading in rendered.source_headings] == levels


def test_a_heading_gets_an_id_and_an_anchor() -> None:
    rendered = render_markdown('# Été & *"sea"* `x_y`')

    assert rendered.headings == (Heading(2, 'Été & "sea" x_y', "ete-sea-x_y"),)
    assert rendered.source_headings == (SourceHeading(1, 'Été & "sea" x_y'),)
    assert rendered.html == (
        '<h2 id="ete-sea-x_y">Été &amp; <em>"sea"</em> <code>x_y</code> <a class="blog-heading-anchor" '
        'href="#ete-sea-x_y" aria-label="Link to Été &amp; &quot;sea&quot; x_y">#</a></h2>\n'
    )


def test_heading_ids_are_unique_in_the_body_and_on_the_page() -> None:
    source = "# A\n# A\n# A-1\n# A\n# !!!\n# ???\n# Blog main\n# fn 7 1\n\nx[^1]\n\n[^1]: y"

    ids = [heading.id for heading in render_markdown(source).headings]

    assert ids == ["a", "a-1", "a-1-1", "a-2", "section", "section-1", "blog-main-1", "fn-7-1-1"]


def test_a_heading_without_text_is_removed_from_the_page_only() -> None:
    rendered = render_markdown("#\n\n## A")

    assert rendered.headings == (Heading(2, "A", "a"),)
    assert rendered.source_headings == (SourceHeading(1, ""), SourceHeading(2, "A"))
    assert rendered.html.count("<h") == 1


def test_the_text_of_a_heading_has_image_texts_and_no_footnote_marks() -> None:
    rendered = render_markdown("# The ![quay](q.png) at dawn[^1]\n\n[^1]: x")

    assert rendered.headings == (Heading(2, "The quay at dawn", "the-quay-at-dawn"),)
    assert "<figure" not in rendered.html


def test_a_stored_image_gets_its_path_and_size() -> None:
    rendered = render_markdown(f'![The quay](/blog/media/{DIGEST}/old-name.png "At <dawn>")')

    assert rendered.images == (BodyImage(f"/blog/media/{DIGEST}/old-name.png", "The quay"),)
    assert rendered.html.strip() == (
        f'<figure class="blog-figure"><img src="{QUAY.path}" alt="The quay" title="At &lt;dawn&gt;" width="640" '
        'height="480" loading="lazy"><figcaption>At &lt;dawn&gt;</figcaption></figure>'
    )


def test_a_stored_image_with_variants_becomes_a_picture() -> None:
    known = KnownImage("/m/480.webp", 640, 480, (PictureSource("image/avif", "/m/480.avif 480w"),), "100vw")
    html = render_markdown(f"![a](/blog/media/{DIGEST}/x.png)", render_options(images={DIGEST: known})).html

    assert html.strip() == (
        '<figure class="blog-figure"><picture><source type="image/avif" srcset="/m/480.avif 480w" sizes="100vw">'
        '<img src="/m/480.webp" alt="a" width="640" height="480" loading="lazy"></picture></figure>'
    )


@pytest.mark.parametrize("src", [f"/blog/media/{'b' * 64}/x.png", "https://o.example/x.png", "x.png"])
def test_another_image_keeps_its_address(src: str) -> None:
    html = render_markdown(f"![]({src})").html

    assert html.strip() == f'<figure class="blog-figure"><img src="{src}" alt="" loading="lazy"></figure>'


IMG = '<img src="i" alt="" loading="lazy">'


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("a ![](i) b", f"<p>a</p><figure>{IMG}</figure><p>b</p>"),
        ("a\n![](i)\nb", f"<p>a</p><figure>{IMG}</figure><p>b</p>"),
        ("![](i)\n![](i)", f"<figure>{IMG}</figure><figure>{IMG}</figure>"),
        ("[![](i)](/l)", f'<figure><a href="/l">{IMG}</a></figure>'),
        (
            "**a [b ![](i)](/l) c**",
            f'<p><strong>a <a href="/l">b </a></strong></p><figure><strong><a href="/l">{IMG}</a></strong></figure>'
            "<p><strong> c</strong></p>",
        ),
        ("- a ![](i)", f"<ul>\n<li>a <figure>{IMG}</figure></li>\n</ul>"),
        ("> ![](i)", f"<blockquote>\n<figure>{IMG}</figure>\n</blockquote>"),
        ("`![](i)`", "<p><code>![](i)</code></p>"),
    ],
)
def test_images_leave_their_paragraph_as_figures(source: str, html: str) -> None:
    rendered = render_markdown(source).html

    assert rendered.replace(' class="blog-figure"', "").strip() == html
    assert faults(rendered) == []


def test_a_table_is_wrapped_and_aligned_by_class() -> None:
    html = render_markdown("|a|b|\n|:-:|--|\n|1|2|").html

    assert html.replace("\n", "") == (
        '<div class="blog-table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>'
        '<th class="blog-align-center">a</th><th>b</th></tr></thead><tbody><tr>'
        '<td class="blog-align-center">1</td><td>2</td></tr></tbody></table></div>'
    )


def test_code_of_a_known_language_is_coloured() -> None:
    html = render_markdown("```python title\nx = 'é' # <b>\n```").html

    assert html.strip() == (
        '<div class="blog-highlight" data-lang="python"><span class="blog-code-lang" aria-hidden="true">python</span>'
        '<pre tabindex="0" role="group" aria-label="Code: python"><code><span class="n">x</span> '
        '<span class="o">=</span> <span class="s1">\'é\'</span> <span class="c1"># &lt;b&gt;</span>\n</code></pre>'
        '<button type="button" class="blog-copy" hidden data-blog-copy aria-label="Copy code">Copy</button></div>'
    )


def test_code_of_an_unknown_language_stays_plain_with_its_label() -> None:
    html = render_markdown("```tide-log\nlow & high\n```").html

    assert 'data-lang="tide-log"' in html
    assert "<code>low &amp; high\n</code>" in html


def test_code_without_a_language_has_no_label() -> None:
    html = render_markdown("    low").html

    assert html.startswith('<div class="blog-highlight"><pre tabindex="0" role="group" aria-label="Code"><code>low\n')
    assert "blog-code-lang" not in html


@given(
    st.text(alphabet=st.sampled_from("ab&;<>\"'lt#x39amp \n\té⛵{}()\\/*`")),
    st.sampled_from(["python", "html", "js", "x"]),
)
def test_the_text_of_code_is_unchanged(code: str, language: str) -> None:
    html = render_markdown(f"``````{language}\n{code}\n``````").html

    assert text_in(html, "code") == f"{code}\n"
    assert faults(html) == []


@requirement("reader:safe")
@given(st.text(alphabet=st.sampled_from("ab*_[]()!<>`~#|-+1.:\n \t\\&;^\"'/@xhtps"), max_size=200))
def test_any_markdown_gives_safe_html(body: str) -> None:
    assert faults(render_markdown(body).html) == []


@requirement("reader:safe")
@given(st.lists(st.sampled_from(RICH_TEXT_PARTS), max_size=30))
def test_any_rich_text_gives_safe_html(parts: list[str]) -> None:
    assert [fault for fault in faults(render_rich_text("".join(parts)).html) if "in <p>" not in fault] == []


def test_footnotes_have_ids_of_their_post_names_and_ways_back() -> None:
    html = render_markdown("a[^n] b[^n]\n\n[^n]: *Note*").html

    assert html.replace("\n", "") == (
        '<p>a<sup id="fn-7-ref-1"><a class="blog-footnote-ref" href="#fn-7-1" role="doc-noteref">1</a></sup> '
        'b<sup id="fn-7-ref-1-1"><a class="blog-footnote-ref" href="#fn-7-1" role="doc-noteref">1</a></sup></p>'
        '<section class="blog-footnotes" role="doc-endnotes" aria-label="Footnotes"><ol><li id="fn-7-1">'
        '<p><em>Note</em> <a class="blog-footnote-back" href="#fn-7-ref-1" role="doc-backlink" '
        'aria-label="Back to reference 1">↩\ufe0e</a> <a class="blog-footnote-back" href="#fn-7-ref-1-1" '
        'role="doc-backlink" aria-label="Back to reference 1-1">↩\ufe0e</a></p></li></ol></section>'
    )


@pytest.mark.parametrize("kind", ["note", "tip", "important", "warning", "caution"])
def test_an_alert_is_a_titled_note(kind: str) -> None:
    html = render_markdown(f"> [!{kind.upper()}]\n> Mind the tide.").html

    assert html.replace("\n", "") == (
        f'<div class="blog-alert blog-alert-{kind}" role="note"><p class="blog-alert-title">{kind.title()}</p>'
        "<p>Mind the tide.</p></div>"
    )


def test_a_task_box_is_named_by_its_item() -> None:
    html = render_markdown("- [x] *Tar* it\n- [ ] Row\n  - far").html

    assert html.replace("\n", "") == (
        '<ul class="blog-tasks"><li class="blog-task"><input class="blog-task-box" disabled type="checkbox" checked '
        'aria-label="Tar it"> <em>Tar</em> it</li><li class="blog-task"><input class="blog-task-box" disabled '
        'type="checkbox" aria-label="Row"> Row<ul><li>far</li></ul></li></ul>'
    )


def test_links_are_distinct_in_order_and_the_authors_own() -> None:
    rendered = render_markdown(
        "# [h](/h)\n\n[a](/a) [b](#b) [a](/a) https://c.example x[^1] [j](javascript:1)\n\n[^1]: [d](d)"
    )

    assert rendered.links == ("/h", "/a", "#b", "https://c.example", "d")


def test_images_are_listed_as_written() -> None:
    rendered = render_markdown("![a *b*](x.png) `![c](y)` ![](data:image/png,x)\n\n# ![d](z.png)\n\n<img src=w.png>")

    assert rendered.images == (BodyImage("x.png", "a b"), BodyImage("z.png", "d"))


@requirement("post:rich-text")
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
    ],
)
def test_rich_text_is_reduced_to_the_allow_list(source: str, html: str) -> None:
    assert render_rich_text(source).html == html


@pytest.mark.parametrize("address", ["http://[::1\xa0]/a", "//[", "http://a:x/b", "http:\\\\a:x"])
def test_an_address_that_cannot_be_taken_apart_is_no_address(address: str) -> None:
    rendered = render_rich_text(f'<p>Text <a href="{address}">a</a> <img src="{address}" alt="b"></p>')

    assert rendered.html == "<p>Text <a>a</a> </p>"
    assert (rendered.images, rendered.links) == ((), ())


def test_rich_text_code_is_one_block_of_text() -> None:
    html = render_rich_text('<pre lang="x-tide">a<b>b</b><img src=i></pre>').html

    assert 'data-lang="x-tide"' in html
    assert "<code>ab</code></pre>" in html


def test_a_figure_that_the_author_made_stays_one() -> None:
    html = render_rich_text("<figure><img src=i><figcaption>c</figcaption></figure>").html

    assert html == f'<figure class="blog-figure">{IMG}<figcaption>c</figcaption></figure>'
