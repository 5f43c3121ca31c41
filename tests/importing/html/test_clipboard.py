"""HTML as programs put it on the clipboard, and the Markdown that a writer gets of it."""

from contextlib import suppress
from pathlib import Path

import pytest

from blog_engine.importing.html.clipboard import MAX_CLIPBOARD, markdown_of_clipboard
from tests.requirements import requirement
from tests.support.costs import takes_at_most

COPIED = sorted((Path(__file__).parent / "clipboard").glob("*/*.html"))
"""What LibreOffice, Chromium and Firefox put on the clipboard of scripts/exports/clipboard/make."""

_WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><!--[if gte mso 9]><xml><w:WordDocument/></xml><![endif]-->
<style><!-- p.MsoNormal {margin:0cm;} @list l0 {mso-list-id:1;} --></style></head><body lang=EN-GB>
<!--StartFragment-->%s<!--EndFragment--></body></html>"""
_WORD_ITEM = (
    "<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l%d level%d lfo1'><![if !supportLists]>"
    "<span style='font-family:Symbol'><span style='mso-list:Ignore'>%s<span style='font:7.0pt \"Times New Roman\"'>"
    "&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>%s<o:p></o:p></p>\n"
)
_DOCS = '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-4f1c">%s</b>'


def _word(*parts: str) -> str:
    return _WORD % "".join(parts)


DOCUMENTS = {
    "word: heading, bold and italic": (
        _word(
            "<h2>The quay<o:p></o:p></h2>",
            "<p class=MsoNormal>It is <b>old</b>,\nand <i>wide</i>.<o:p></o:p></p>",
            "<p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>The end.</p>",
        ),
        "## The quay\n\nIt is **old**, and *wide*.\n\nThe end.",
    ),
    "word: title": (
        _word("<p class=MsoTitle>Boats</p><p class=MsoSubtitle>At night</p><p class=MsoNormal>Text.</p>"),
        "# Boats\n\n## At night\n\nText.",
    ),
    "word: list in a list": (
        _word(
            _WORD_ITEM % (0, 1, "·", "Rope"),
            _WORD_ITEM % (0, 2, "o", "of hemp"),
            _WORD_ITEM % (0, 2, "o", "of <b>wire</b>"),
            _WORD_ITEM % (0, 1, "·", "Anchor"),
        ),
        "- Rope\n  - of hemp\n  - of **wire**\n- Anchor",
    ),
    "word: numbered list, and text after it": (
        _word(_WORD_ITEM % (1, 1, "1.", "First"), _WORD_ITEM % (1, 1, "2.", "Second"), "<p class=MsoNormal>After.</p>"),
        "1. First\n2. Second\n\nAfter.",
    ),
    "word: letters number a list": (
        _word(_WORD_ITEM % (1, 1, "a)", "First"), _WORD_ITEM % (1, 1, "b)", "Second")),
        "1. First\n2. Second",
    ),
    "word: table": (
        _word(
            "<table class=MsoTableGrid border=1><tr><td width=301><p class=MsoNormal><b>Ship</b><o:p></o:p></p></td>"
            "<td><p class=MsoNormal><b>Year</b></p></td></tr><tr><td><p class=MsoNormal>Ada | Eve</p></td>"
            "<td><p class=MsoNormal>1904</p></td></tr></table>"
        ),
        "| Ship | Year |\n| --- | --- |\n| Ada \\| Eve | 1904 |",
    ),
    "word: link and struck text": (
        _word('<p class=MsoNormal>See <a href="https://example.org/a">the <i>map</i></a>, <s>not</s> here.</p>'),
        "See [the *map*](https://example.org/a), ~~not~~ here.",
    ),
    "word: a picture of the document": (
        _word('<p class=MsoNormal>A <img width=96 src="file:///C:/Temp/clip_image001.png" alt="A ferry"> leaves.</p>'),
        "A (A ferry) leaves.",
    ),
    "word: characters of Markdown": (
        _word("<p class=MsoNormal>2 * 3 * 4, snake_case_name, # no heading, [no] (link) and 1. no list</p>"),
        "2 \\* 3 \\* 4, snake_case_name, # no heading, \\[no\\] (link) and 1. no list",
    ),
    "docs: heading and styles": (
        _DOCS % '<h1 dir="ltr"><span style="font-size:20pt;font-weight:400">Tides</span></h1><p dir="ltr">'
        '<span style="font-weight:400">They </span><span style="font-weight:700">rise</span>'
        '<span style="font-weight:400"> and </span><span style="font-style:italic">fall</span>'
        '<span style="text-decoration:line-through"> twice</span><span>.</span></p>',
        "# Tides\n\nThey **rise** and *fall* ~~twice~~.",
    ),
    "docs: list in a list": (
        _DOCS % '<ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>One</span></p></li>'
        '<ul><li aria-level="2"><p><span>Deep</span></p></li></ul><li><p><span>Two</span></p></li></ul>',
        "- One\n  - Deep\n- Two",
    ),
    "docs: link through its own page": (
        _DOCS % '<p><a href="https://www.google.com/url?q=https://example.org/x%3Fa%3D1&amp;sa=D&amp;ust=1">'
        '<span style="color:#1155cc;text-decoration:underline">there</span></a></p>',
        "[there](https://example.org/x?a=1)",
    ),
    "docs: table": (
        _DOCS % '<div dir="ltr"><table><colgroup><col width="312"/></colgroup><tbody><tr><td><p><span style='
        '"font-weight:700">Port</span></p></td><td><p><span>Depth</span></p></td></tr><tr><td><p><span>Oslo</span></p>'
        "</td><td><p><span>11 m</span></p></td></tr></tbody></table></div><br><br>",
        "| Port | Depth |\n| --- | --- |\n| Oslo | 11 m |",
    ),
    "docs: one bold word": (
        _DOCS % '<span style="font-weight:700;font-style:normal">harbour</span>',
        "**harbour**",
    ),
    "excel: cells": (
        '<html><head><style><!--td {mso-style-parent:style0;}--></style></head><body link="#0563C1"><table border=0>\n'
        "<!--StartFragment-->\n <col width=64 style='width:48pt'>\n <tr height=20><td height=20 class=xl65>Name</td>"
        "<td>Tons</td></tr><tr><td>Ada</td><td align=right>12</td></tr>\n<!--EndFragment-->\n</table></body></html>",
        "| Name | Tons |\n| --- | --- |\n| Ada | 12 |",
    ),
    "sheets: cells": (
        '<meta charset="utf-8"><google-sheets-html-origin><style type="text/css"><!--td {border: 1px}--></style>'
        '<table xmlns="http://www.w3.org/1999/xhtml" data-sheets-root="1"><colgroup><col width="100"/></colgroup>'
        "<tbody>"
        '<tr><td data-sheets-value="{}">A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></tbody></table>',
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ),
    "libreoffice writer": (
        '<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 7.4.7.2 (Linux)"/></head>'
        '<body lang="en-US" link="#000080"><h1 class="western">Moorings</h1>\n<p style="margin-bottom: 0cm">Text '
        "<b>bold</b> "
        '<i>slanted</i> <strike>gone</strike> <font color="#c9211e"><font size="4">red</font></font></p>\n'
        "<ul>\n<li><p>one</p>"
        "</li><li><p>two</p></li></ul>\n<p><br/>\n<br/>\n</p></body></html>",
        "# Moorings\n\nText **bold** *slanted* ~~gone~~ red\n\n- one\n- two",
    ),
    "libreoffice calc": (
        '<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 7.4"/></head><body>'
        '<table cellspacing="0">'
        '<colgroup width="85"></colgroup><tr><td height="17" align="left"><b>Day</b></td><td><b>Boats</b></td></tr>'
        '<tr><td align="left">Mon</td><td align="right" sdval="4" sdnum="1033;">4</td></tr></table></body></html>',
        "| Day | Boats |\n| --- | --- |\n| Mon | 4 |",
    ),
    "chromium: part of a page": (
        "<meta charset='utf-8'><p style=\"color: rgb(32, 33, 34); font-weight: 400; font-style: normal;\">"
        "A <b>lighthouse</b> is "
        'a tower.<sup id="cite_ref"><a href="https://en.example.org/wiki/L#note-1">[1]</a></sup></p><h3>Use</h3><blockquote>'
        "<p>Light.</p></blockquote>",
        "A **lighthouse** is a tower.[\\[1\\]](https://en.example.org/wiki/L#note-1)\n\n### Use\n\n> Light.",
    ),
    "firefox: part of a page": (
        '<p>Use <code>git add</code>, then:</p><pre><code class="language-sh">git commit\n</code></pre>'
        "<ol><li>One</li></ol>",
        "Use `git add`, then:\n\n```sh\ngit commit\n```\n\n1. One",
    ),
    "an image of a page": (
        '<meta charset="utf-8"><img src="https://example.org/quay.jpg" alt="The quay"/>',
        "![The quay](https://example.org/quay.jpg)",
    ),
    "outlook: paragraphs are divisions": (
        '<div style="font-family:Aptos">Dear Ada,</div><div><br></div><div>the boat is <b>late</b>.</div>',
        "Dear Ada,\n\nthe boat is **late**.",
    ),
    "apple notes": (
        '<meta charset="UTF-8"><div><b><h1>List</h1></b></div><ul class="Apple-dash-list"><li>Milk</li>'
        "<li>Tea</li></ul>",
        "# List\n\n- Milk\n- Tea",
    ),
    "notion": (
        "<meta charset='utf-8'><h2>Plan</h2><!-- notionvc: 1 --><ul><li><p>One</p></li><li><p>Two</p></li></ul><p>See "
        '<a href="https://example.org">here</a></p>',
        "## Plan\n\n- One\n- Two\n\nSee [here](https://example.org)",
    ),
    "word: footnotes": (
        _word(
            '<p class=MsoNormal>Built in 1871<a style=\'mso-footnote-id:ftn1\' href="#_ftn1" name="_ftnref1">'
            "<span class=MsoFootnoteReference><span style='mso-special-character:footnote'>[1]</span></span></a>.</p>"
            "<div style='mso-element:footnote-list'><br clear=all><hr align=left size=1 width=\"33%\">"
            "<div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText>"
            '<a href="#_ftnref1" name="_ftn1"><span class=MsoFootnoteReference>[1]</span></a> By hand.</p>'
            "<p class=MsoFootnoteText>In two summers.</p></div></div>"
        ),
        "Built in 1871[^1].\n\n[^1]: By hand. In two summers.",
    ),
    "word: a comment, hidden and deleted text": (
        _word(
            '<p class=MsoNormal>The gate<span class=MsoCommentReference><a class=msocomanchor href="#_msocom_1">[E1]'
            "</a></span> is <span class=msoDel>open</span>shut<span style='display:none;mso-hide:all'> now</span>.</p>"
            "<div style='mso-element:comment-list'><p class=MsoCommentText>Which gate?</p></div>"
        ),
        "The gate is shut.",
    ),
    "word: smart tags, tabs and a numbered heading": (
        _word(
            "<h2 style='mso-list:l0 level2 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.1<span>&nbsp;"
            '</span></span><![endif]>Tides in <st1:place w:st="on">Oslo</st1:place></h2><p class=MsoNormal>Low:<span '
            "style='mso-tab-count:1'>      </span>1.20&nbsp;m,&nbsp;high</p>"
        ),
        "## Tides in Oslo\n\nLow: 1.20\xa0m, high",
    ),
    "outlook: items with a typed bullet": (
        '<p class="MsoListParagraph" style="text-indent:-18pt"><span>\xb7&nbsp;&nbsp;&nbsp; </span>Rope</p>'
        '<p class="MsoListParagraph"><span>\xb7&nbsp;&nbsp; </span><b>Anchor</b></p><p>After.</p>',
        "- Rope\n- **Anchor**\n\nAfter.",
    ),
    "a list that is typed with numbers": (
        "<p>3.\tOar</p><p>4.\tFlag</p><p>1986. A year.</p><p>\u2013 A line of speech.</p>",
        "3. Oar\n4. Flag\n\n1986\\. A year.\n\n\u2013 A line of speech.",
    ),
    "docs: footnote": (
        _DOCS % '<p><span>Old</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup><span>.</span></p><hr>'
        '<div><p><a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;Very.</span></p></div>',
        "Old[^1].\n\n***\n\n[^1]: Very.",
    ),
    "visual studio code": (
        "<meta charset='utf-8'><div style=\"color: #ccc;font-family: 'Droid Sans Mono', monospace;white-space: pre;\">"
        '<div><span style="color: #c586c0;">if</span><span> night:</span></div><div><span>    close()</span></div><br>'
        "<div>wait()</div></div>",
        "```\nif night:\n    close()\n\nwait()\n```",
    ),
    "the spaces of French": (
        "<p>«\xa0Oui\xa0», dit-il\xa0: 3\xa0% de 10\xa0km,\xa0vraiment\xa0?</p>",
        "«\xa0Oui\xa0», dit-il\xa0: 3\xa0% de 10\xa0km, vraiment\xa0?",
    ),
    "hints for line ends and raised numbers": (
        "<p>har\xadbour\u200b, 5 m<sup>2</sup>, CO<sub>2</sub>, 1<sup>st</sup></p>",
        "harbour, 5 m², CO₂, 1st",
    ),
    "cells over rows and columns": (
        '<table><tr><td rowspan="2">A</td><td colspan="2">B</td></tr><tr><td>1</td><td>2</td></tr></table>',
        "| A | B |  |\n| --- | --- | --- |\n|  | 1 | 2 |",
    ),
    "a line break in a line": ("<p>Rope<br>Anchor</p>", "Rope\\\nAnchor"),
    "a script": ("<p>Hello</p><script>alert(1)</script><style>p{}</style>", "Hello"),
    "a link that runs a script": ('<p><a href="javascript:alert(1)">here</a></p>', "here"),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_keeps_its_structure(name: str) -> None:
    html, markdown = DOCUMENTS[name]

    assert markdown_of_clipboard(html).markdown == markdown


@pytest.mark.parametrize("path", COPIED, ids=lambda path: f"{path.parent.name}/{path.stem}")
@requirement("desk.paste")
def test_what_a_program_copies_keeps_its_structure(path: Path) -> None:
    assert markdown_of_clipboard(path.read_text("utf-8")).markdown == path.with_suffix(".md").read_text("utf-8").strip()


def test_the_documents_come_from_several_programs() -> None:
    assert {path.parent.name for path in COPIED} == {"chromium", "firefox", "libreoffice-calc", "libreoffice-writer"}
    assert len(COPIED) >= 25


def test_images_that_only_the_other_program_has_are_counted() -> None:
    html = _word('<p>A <img src="file:///C:/a.png">, <img src="data:image/png;base64,AAAA" alt="B"></p>')

    pasted = markdown_of_clipboard(html)

    assert pasted.missing_images == 2
    assert pasted.markdown == "A (a.png), (B)"


@pytest.mark.parametrize("html", ["<b>" * MAX_CLIPBOARD, "<p>word</p>" * 50_000], ids=["source", "plain"])
def test_more_than_a_request_can_convert_is_refused(html: str) -> None:
    with pytest.raises(ValueError, match="more than can be converted"):
        markdown_of_clipboard(html)


@pytest.mark.parametrize(
    "html",
    [
        f"<span style='{'text-decoration:' * 60_000}'>x</span>",
        f"<span style='{'text-decoration' * 60_000}'>x</span>",
        f"<span style='{'font-family:' * 80_000}'>x</span>",
        "<!--StartFragment-->" * 50_000,
        "<!--" + " " * 900_000,
        "<div>" * 119 + "<p>a</p>" * 20_000,
        "<span>" * 119 + "<i>a</i>" * 20_000,
        "<p style='mso-list:l0 level9 lfo1'>a" * 20_000,
        "<table><tr>" + "<td colspan=999 rowspan=999>x" * 30_000,
        "<table><tr><td>" * 30_000,
        "https://" * 100_000,
        "".join(f"<a href=#b{n} name=a{n}>x</a><div><a href=#a{n} name=b{n}>y</a></div>" for n in range(9_000)),
        "<p>\u2022 a" * 20_000,
        "<div>" * 119 + "a<br><br>" * 20_000,
        f"<div style='font-family:mono;white-space:pre'>{'<div>' * 110}{'<p>a</p>' * 20_000}",
        "<p>" + "1\xa0" * 300_000,
    ],
    ids=[
        *("properties", "names", "fonts", "fragments", "comment", "divisions", "spans", "lists"),
        *("cells", "tables", "urls", "notes", "typed", "lines", "code", "spaces"),
    ],
)
@pytest.mark.heavy
@pytest.mark.measured
def test_a_hostile_clipboard_takes_bounded_time(html: str) -> None:
    with takes_at_most(8), suppress(ValueError):  # at most 1.5 s on an idle machine
        markdown_of_clipboard(html)
