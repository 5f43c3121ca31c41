"""The HTML of Markdown: text, links, quotes, tables, footnotes, alerts, directions."""

import re

import pytest

from blog_engine.content.options import RenderOptions
from blog_engine.content.rendering import render
from blog_engine.content.syndication import syndicated_html
from blog_engine.enums import BodyFormat
from tests.content.bodies import render_markdown, render_options, render_rich_text
from tests.requirements import requirement

EXTERNAL = 'rel="noopener"'


def paragraph(html: str) -> str:
    """Return the content of the only paragraph of the HTML."""
    found = re.fullmatch(r"<p>(.*)</p>\n?", html, re.DOTALL)
    assert found, html
    return found[1]


@requirement("rendering.raw-html")
@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("*a* **b** `c` ~~d~~", "<em>a</em> <strong>b</strong> <code>c</code> <del>d</del>"),
        ("a\nb", "a<br>\nb"),
        ("a  \nb", "a<br>\nb"),
        ('&copy; &amp; \\* < "q"', '© &amp; * &lt; "q"'),
        (":smile:", ":smile:"),
        ("a <b>b</b> <!-- c --> <br> d", "a <b>b</b>  <br> d"),
        ("a <font>b</font> <b class=x>c</b>", "a b c"),
        ('[a](/b "c")', '<a href="/b" title="c">a</a>'),
        ("[a](https://blog.example/b)", '<a href="https://blog.example/b">a</a>'),
        ("[a](https://blog.example:443/b)", '<a href="https://blog.example:443/b">a</a>'),
        ("[a](https://blog.example:8443/b)", f'<a href="https://blog.example:8443/b" {EXTERNAL}>a</a>'),
        ("[a](//other.example)", f'<a href="//other.example" {EXTERNAL}>a</a>'),
        ("[a](mailto:a@b.example)", '<a href="mailto:a@b.example">a</a>'),
        ("[a](javascript:b)", "<a>a</a>"),
        ("[a](tel:1)", "<a>a</a>"),
        ("[" * 10 + "a" + "]" * 10 + "(/b)", '<a href="/b">' + "[" * 9 + "a" + "]" * 9 + "</a>"),
        ("[" * 11 + "a" + "]" * 11 + "(/b)", "[" * 11 + "a" + "]" * 11 + "(/b)"),
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


@requirement("rendering.raw-html")
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


@requirement("rendering.hard-breaks")
def test_without_hard_breaks_a_newline_is_a_space() -> None:
    assert paragraph(render_markdown("a\nb", render_options(hard_breaks=False)).html) == "a\nb"


@requirement("rendering.links.external")
def test_without_an_origin_every_host_is_foreign() -> None:
    html = render_markdown("[a](https://blog.example/b)", render_options(site_origin=None)).html

    assert paragraph(html) == f'<a href="https://blog.example/b" {EXTERNAL}>a</a>'


@requirement("rendering.tables")
def test_a_table_is_wrapped_and_aligned_by_class() -> None:
    html = render_markdown("|a|b|\n|:-:|--|\n|1|2|").html

    assert html.replace("\n", "") == (
        '<div class="blog-table" tabindex="0" role="group" aria-label="Table"><table><thead><tr>'
        '<th class="blog-align-center">a</th><th>b</th></tr></thead><tbody><tr>'
        '<td class="blog-align-center">1</td><td>2</td></tr></tbody></table></div>'
    )


@requirement("rendering.wide")
@pytest.mark.parametrize(
    ("rows", "is_wide"),
    [
        (["a" * 40, "b" * 36], False),
        (["a" * 40, "b" * 37], True),
        (["a" * 81], True),
        (["a"] * 16, False),
        (["a"] * 17, True),
    ],
)
def test_a_table_with_long_rows_is_wide(rows: list[str], is_wide: bool) -> None:
    head, line, row = (f"|{'|'.join(cells)}|" for cells in (["h"] * len(rows), ["-"] * len(rows), rows))

    html = render_markdown(f"{head}\n{line}\n{row}").html

    assert ('<div class="blog-table blog-wide" tabindex="0"' in html) is is_wide


@requirement("rendering.wide")
def test_the_longest_cell_of_each_column_counts() -> None:
    html = render_markdown(f"|a|b|\n|-|-|\n|{'c' * 50}|d|\n|e|{'f' * 50}|").html

    assert "blog-wide" in html


@requirement("rendering.footnotes.labels")
@pytest.mark.parametrize(
    ("source", "notes", "lone"),
    [
        ("a[^Note]\n\n[^note]: One", ["One"], ()),
        ("a[^n]\n\n[^n]: One\n\n[^N]: Two", ["One"], ("[^N]:",)),
        ("a[^n]\n\n[^n]: One\n\n[^m]: Two", ["One"], ("[^m]:",)),
        ("a[^m] [^a-z]\n\n[^n]: One", [], ("[^m]", "[^n]:")),
        ('a "word"[^m]', [], ("[^m]",)),
        ("the classes '[^a]+', r'[^b]' and (\"[^c]\")", [], ()),
        ("a[^STRASSE]\n\n[^straße]: One", ["One"], ()),
    ],
)
def test_labels_ignore_case_and_the_first_note_counts(source: str, notes: list[str], lone: tuple[str, ...]) -> None:
    rendered = render_markdown(source)

    assert re.findall(r"<li id=[^>]*><p>(\w+) ", rendered.html) == notes
    assert rendered.lone_notes == lone


@requirement("rendering.footnotes")
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


@requirement("rendering.alerts")
@pytest.mark.parametrize("kind", ["note", "tip", "important", "warning", "caution"])
def test_an_alert_is_a_titled_note(kind: str) -> None:
    html = render_markdown(f"> [!{kind.upper()}]\n> Mind the tide.").html

    assert html.replace("\n", "") == (
        f'<div class="blog-alert blog-alert-{kind}" role="note"><p class="blog-alert-title">{kind.title()}</p>'
        "<p>Mind the tide.</p></div>"
    )


@requirement("rendering.tasks")
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


def test_two_thousand_footnote_marks_are_read_and_no_more() -> None:
    html = render_markdown("[^a]: b\n\n" + "[^a] " * 2001).html

    assert html.count('class="blog-footnote-ref"') == 2000
    assert "[^a]</p>" in html


def shown(body: str, *, direction: str = "ltr") -> str:
    options = RenderOptions(
        hard_breaks=True,
        site_origin=None,
        mount="/blog",
        script_name="",
        footnote_prefix="fn-",
        images={},
        direction=direction,
    )
    return render(body, body_format=BodyFormat.MARKDOWN, options=options).html


@requirement("pages.directions")
@pytest.mark.parametrize(
    ("body", "html"),
    [
        ("مرحبا!", '<p dir="rtl">مرحبا!</p>'),
        ("שלום, Django", "<p>שלום, Django</p>"),
        ("Django هو إطار عمل", '<p dir="rtl">Django هو إطار عمل</p>'),
        ("The word سلام means peace", "<p>The word سلام means peace</p>"),
        ("`settings.DATABASES` هنا", '<p dir="rtl"><code>settings.DATABASES</code> هنا</p>'),
        ("1, 2, 3!", "<p>1, 2, 3!</p>"),
        ("- واحد\n- another item", '<ul dir="rtl">\n<li>واحد</li>\n<li>another item</li>\n</ul>'),
        ("- one\n- اثنان", "<ul>\n<li>one</li>\n<li>اثنان</li>\n</ul>"),
        ("- واحد\n- two", '<ul dir="rtl">\n<li>واحد</li>\n<li>two</li>\n</ul>'),
        ("> اقتباس\n>\n> - واحد", '<blockquote dir="rtl">\n<p>اقتباس</p>\n<ul>\n<li>واحد</li>\n</ul>\n</blockquote>'),
        ("```\nנשר\n```", "<code>נשר\n</code>"),
    ],
)
def test_a_block_in_the_other_direction_has_a_dir_attribute(body: str, html: str) -> None:
    assert html in shown(body)


@requirement("pages.directions")
def test_headings_tables_and_alerts_have_a_direction() -> None:
    html = shown("## عنوان\n\n| الاسم | العمر |\n| - | - |\n| سارة | 30 |\n\n> [!NOTE]\n> ملاحظة")

    assert '<h2 id="عنوان" dir="rtl">' in html
    assert '<table dir="rtl">' in html
    assert 'role="note" dir="rtl">' in html
    assert '<p class="blog-alert-title" dir="auto">Note</p>' in html


@requirement("pages.directions")
def test_on_a_page_from_right_to_left_it_is_the_other_way_round() -> None:
    html = shown("مرحبا\n\nHello!\n\n> [!NOTE]\n> English", direction="rtl")

    assert "<p>مرحبا</p>" in html
    assert '<p dir="ltr">Hello!</p>' in html
    assert 'role="note" dir="ltr">' in html


@requirement("pages.directions", "feeds.full-content")
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_blocks_from_right_to_left_are_marked_for_feed_readers(direction: str) -> None:
    html = syndicated_html(shown("مرحبا\n\n> [!NOTE]\n> ملاحظة", direction=direction), url="https://example.com/a")

    assert '<p dir="rtl">مرحبا</p>' in html
    assert '<div role="note" dir="rtl">' in html


@requirement("rendering.blank")
@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ('<video src="x"></video>', ""),
        ("a\n\n<video></video> <iframe></iframe>\n\nb", "<p>a</p> <p>b</p>"),
        ("**<video></video>**", ""),
        ("![x](javascript:x)", ""),
        ("> <video></video>\n>\n> a", "<blockquote> <p>a</p> </blockquote>"),
        ("- a\n\n  <span></span>\n\n- b", "<ul> <li> <p>a</p> </li> <li> <p>b</p> </li> </ul>"),
        ("&nbsp;", "<p>\xa0</p>"),
        ("<video>a</video>", "<p>a</p>"),
        ("[](/x)", '<p><a href="/x"></a></p>'),
    ],
)
def test_a_paragraph_of_which_nothing_is_left_is_not_shown(markdown: str, html: str) -> None:
    assert re.sub("\n+", " ", render_markdown(markdown).html).strip() == html


@requirement("rendering.blank")
@pytest.mark.parametrize(
    ("sent", "html"),
    [
        ("<p> </p><p>a</p><p>\n\t</p>", "<p>a</p>"),
        ("<p><iframe></iframe></p>", ""),
        ("<p><strong> <em></em></strong></p>", ""),
        ("<p><br></p><p>&nbsp;</p>", "<p><br></p><p>\xa0</p>"),
    ],
)
def test_a_blank_paragraph_of_rich_text_is_not_shown(sent: str, html: str) -> None:
    assert render_rich_text(sent).html == html
