"""What the LibreOffice of ``make`` opens and copies: short texts, as flat OpenDocument files."""

import base64
import re
import struct
import zlib

_NAMES = {
    "office": "office",
    "text": "text",
    "table": "table",
    "style": "style",
    "draw": "drawing",
    "number": "datastyle",
}
_SPACES = " ".join(
    [
        *(f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for short, name in _NAMES.items()),
        'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
        'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
        'xmlns:xlink="http://www.w3.org/1999/xlink"',
        'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    ]
)


def _style(name, properties, family="text"):
    for kind in ("font-weight", "font-style"):
        # Scripts of Asia and of the Near East have attributes of their own.
        if found := re.search(f'fo:{kind}=("[a-z]+")', properties):
            properties += f" style:{kind}-asian={found[1]} style:{kind}-complex={found[1]}"
    return (
        f'<style:style style:name="{name}" style:family="{family}"><style:text-properties {properties}/></style:style>'
    )


def _levels(name, kind):
    """Return a style of lists: ``kind`` has for each level ``*``, which is a bullet, or the format of a number."""
    made = ""
    for level, sign in enumerate(kind, 1):
        place = (
            '<style:list-level-properties text:list-level-position-and-space-mode="label-alignment">'
            f'<style:list-level-label-alignment text:label-followed-by="listtab" fo:margin-left="{level}cm" '
            'fo:text-indent="-0.6cm"/></style:list-level-properties>'
        )
        made += (
            f'<text:list-level-style-bullet text:level="{level}" text:bullet-char="•">{place}'
            "</text:list-level-style-bullet>"
            if sign == "*"
            else f'<text:list-level-style-number text:level="{level}" style:num-format="{sign}" style:num-suffix=".">'
            f"{place}</text:list-level-style-number>"
        )
    return f'<text:list-style style:name="{name}">{made}</text:list-style>'


_STYLES = (
    '<style:style style:name="Standard" style:family="paragraph"/>'
    + "".join(
        f'<style:style style:name="{name}" style:display-name="{name.replace("_20_", " ")}" style:family="paragraph" '
        'style:parent-style-name="Standard"/>'
        for name in ("Text_20_body", "Title", "Subtitle", "Quotations", "Preformatted_20_Text", "Table_20_Contents")
    )
    + "".join(
        f'<style:style style:name="Heading_20_{level}" style:display-name="Heading {level}" style:family="paragraph" '
        f'style:default-outline-level="{level}"><style:text-properties fo:font-weight="bold"/></style:style>'
        for level in (1, 2, 3, 4)
    )
)
_AUTOMATIC = (
    _style("B", 'fo:font-weight="bold"')
    + _style("I", 'fo:font-style="italic"')
    + _style("BI", 'fo:font-weight="bold" fo:font-style="italic"')
    + _style("S", 'style:text-line-through-style="solid" style:text-line-through-type="single"')
    + _style("U", 'style:text-underline-style="solid" style:text-underline-width="auto"')
    + _style("C", 'fo:font-family="Courier New" style:font-pitch="fixed"')
    + _style("Red", 'fo:color="#c9211e" fo:font-size="18pt"')
    + _style("Up", 'style:text-position="super 58%"')
    + _style("Down", 'style:text-position="sub 58%"')
    + _style("Hidden", 'text:display="none"')
    + _style("Caps", 'fo:font-variant="small-caps"')
    + _style("PB", 'fo:font-weight="bold" fo:font-size="16pt"', "paragraph")
    + _levels("Bullets", "***")
    + _levels("Numbers", "111")
    + _levels("Letters", "1ai")
    + _levels("Mixed", "1*1")
)


def _writer(body):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {_SPACES} office:version="1.3" '
        'office:mimetype="application/vnd.oasis.opendocument.text">'
        f"<office:styles>{_STYLES}</office:styles><office:automatic-styles>{_AUTOMATIC}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )


def _calc(rows, columns=""):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document {_SPACES} office:version="1.3" '
        'office:mimetype="application/vnd.oasis.opendocument.spreadsheet">'
        f"<office:automatic-styles>{_CELLS}</office:automatic-styles><office:body><office:spreadsheet>"
        f'<table:table table:name="Sheet">{columns}{rows}</table:table></office:spreadsheet></office:body>'
        "</office:document>"
    )


_CELLS = (
    '<style:style style:name="bold" style:family="table-cell"><style:text-properties fo:font-weight="bold"/>'
    "</style:style>"
    '<style:style style:name="red" style:family="table-cell"><style:table-cell-properties '
    'fo:background-color="#ffcccc"/><style:text-properties fo:font-style="italic"/></style:style>'
    '<number:date-style style:name="D"><number:year number:style="long"/><number:text>-</number:text>'
    '<number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/>'
    "</number:date-style>"
    '<style:style style:name="date" style:family="table-cell" style:data-style-name="D"/>'
    '<number:percentage-style style:name="P"><number:number number:decimal-places="1"/><number:text>%</number:text>'
    "</number:percentage-style>"
    '<style:style style:name="percent" style:family="table-cell" style:data-style-name="P"/>'
)


def p(text, style="Text_20_body"):
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(level, text):
    return f'<text:h text:style-name="Heading_20_{level}" text:outline-level="{level}">{text}</text:h>'


def s(style, text):
    return f'<text:span text:style-name="{style}">{text}</text:span>'


def a(url, text):
    return f'<text:a xlink:type="simple" xlink:href="{url}">{text}</text:a>'


def items(style, *entries):
    """Return a list; an entry is a text, or a tuple of a text and what follows it in the item."""
    made = "".join(
        f"<text:list-item>{p(entry)}</text:list-item>"
        if isinstance(entry, str)
        else f"<text:list-item>{p(entry[0])}{''.join(entry[1:])}</text:list-item>"
        for entry in entries
    )
    return f'<text:list text:style-name="{style}">{made}</text:list>'


def table(*rows, head=True):
    made = ""
    for number, row in enumerate(rows):
        cells = "".join(f"<table:table-cell>{p(cell, 'Table_20_Contents')}</table:table-cell>" for cell in row)
        line = f"<table:table-row>{cells}</table:table-row>"
        made += f"<table:table-header-rows>{line}</table:table-header-rows>" if head and number == 0 else line
    columns = f'<table:table-column table:number-columns-repeated="{len(rows[0])}"/>'
    return f'<table:table table:name="T">{columns}{made}</table:table>'


def note(number, text, kind="footnote"):
    return (
        f'<text:note text:id="n{number}" text:note-class="{kind}"><text:note-citation>{number}</text:note-citation>'
        f'<text:note-body><text:p text:style-name="Standard">{text}</text:p></text:note-body></text:note>'
    )


def _png(color):
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)
    rows = zlib.compress((b"\0" + bytes(color) * 4) * 4, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def picture(name, description, color):
    return (
        f'<draw:frame draw:name="{name}" text:anchor-type="as-char" svg:width="2cm" svg:height="2cm"><draw:image>'
        f"<office:binary-data>{base64.b64encode(_png(color)).decode()}</office:binary-data></draw:image>"
        f"<svg:title>{name}</svg:title><svg:desc>{description}</svg:desc></draw:frame>"
    )


def cell(text, style="", kind="string", more=""):
    shown = f"<text:p>{text}</text:p>"
    value = f'office:value-type="{kind}"'
    if kind in {"float", "percentage"}:
        value += f' office:value="{text}"'
        shown = ""
    elif kind == "date":
        value += f' office:date-value="{text}"'
        shown = ""
    name = f' table:style-name="{style}"' if style else ""
    return f"<table:table-cell {value}{name} {more}>{shown}</table:table-cell>"


def row(*cells):
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


WRITER = {
    "headings": h(1, "A winter at the lock")
    + p("The keeper writes down what passes.")
    + h(2, "Morning")
    + p("Three barges came up before the frost.")
    + h(3, "What they carried")
    + p("Gravel, and one piano.")
    + h(4, "The piano")
    + p("It was out of tune."),
    "title": p("Notes from the lock", "Title")
    + p("Second winter", "Subtitle")
    + h(1, "January")
    + p("Ice from bank to bank."),
    "emphasis": p(
        f"The gate is {s('B', 'heavy')}, the key is {s('I', 'lost')}, both are {s('BI', 'old')}, and the sign is "
        f"{s('S', 'wrong')} {s('U', 'underlined')}. Water is H{s('Down', '2')}O, an area is m{s('Up', '2')}."
    )
    + p(
        f"Run {s('C', 'lock --open')} at dawn. {s('Red', 'Red and large')} is no emphasis, nor is {s('Caps', 'Small')}."
    )
    + p(f"{s('B', 'Bold with a space ')}before the next word, and {s('B', 'one')}{s('B', ' bold run')} of two parts.")
    + p("A paragraph that is bold and large as a whole", "PB"),
    "bullets": p("The boat needs:")
    + items(
        "Bullets",
        "a rope",
        ("an anchor", items("Bullets", "with a chain", ("or two", items("Bullets", "spare")))),
        "a flag",
    )
    + p("And a crew."),
    "numbers": p("To open the gate:")
    + items("Numbers", "ring the bell,", f"turn the {s('B', 'red')} wheel,", "wait.")
    + p("Then go through."),
    "numbers in numbers": items(
        "Letters",
        (
            "Before the lock",
            items("Letters", "slow down", ("hoist the flag", items("Letters", "the blue one", "not the red one"))),
        ),
        ("In the lock", items("Letters", "hold the rope")),
    ),
    "bullets in numbers": items(
        "Mixed", ("Pack", items("Mixed", "bread", "cheese")), "Leave", ("Arrive", items("Mixed", "moor", "sleep"))
    ),
    "paragraphs in an item": items(
        "Numbers", ("First, the long one.", p("It has a second paragraph.")), "Second, the short one."
    )
    + p("Between the lists.")
    + '<text:list text:style-name="Numbers" text:continue-numbering="true"><text:list-item>'
    + p("Third, which goes on counting.")
    + "</text:list-item></text:list>",
    "typed lists": p("To do:", "Standard")
    + "".join(p(f"•<text:tab/>{text}", "Standard") for text in ("paint the door", "oil the hinge"))
    + p("In this order:", "Standard")
    + "".join(p(f"{n}.<text:tab/>{text}", "Standard") for n, text in ((1, "sand"), (2, "paint"), (3, "dry")))
    + p("\u2013<text:s/>a dash", "Standard")
    + p("\u2013<text:s/>another dash", "Standard"),
    "table": p("Levels by hour:")
    + table(("Hour", "Level"), ("06:00", "1.20 m"), ("12:00", f"{s('B', '3.45 m')} | high"), ("18:00", ""))
    + p("Measured at the steps."),
    "table without a head": table(("Ada", "barge"), ("Eve", "tug"), head=False),
    "table with merged cells": (
        '<table:table table:name="T"><table:table-column table:number-columns-repeated="3"/><table:table-row>'
        '<table:table-cell table:number-columns-spanned="2">'
        + p("Boat and year")
        + "</table:table-cell><table:covered-table-cell/><table:table-cell>"
        + p("Tons")
        + "</table:table-cell></table:table-row><table:table-row><table:table-cell>"
        + p("Ada")
        + "</table:table-cell><table:table-cell>"
        + p("1904")
        + "</table:table-cell><table:table-cell>"
        + p("12")
        + "</table:table-cell></table:table-row></table:table>"
    ),
    "lists in cells": (
        '<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/><table:table-row>'
        f"<table:table-cell>{p('Day')}</table:table-cell><table:table-cell>{p('Crew')}</table:table-cell></table:table-row>"
        f"<table:table-row><table:table-cell>{p('Monday')}{p('and Tuesday')}</table:table-cell><table:table-cell>"
        f"{items('Bullets', 'Ada', 'Eve')}</table:table-cell></table:table-row></table:table>"
    ),
    "links": p(
        f"See {a('https://example.org/locks?from=desk&amp;page=2', 'the list of locks')} and "
        f"{a('mailto:keeper@example.org', 'write')}."
    )
    + p(
        f"{a('#Morning', 'Within the document')} and {a('https://example.org/', s('B', 'bold'))}, "
        "also https://example.org/bare as text."
    ),
    "footnotes": p(
        f"The lock was built in 1871{note(1, 'By hand, in two summers.')} and rebuilt later"
        + note(2, f"See {a('https://example.org/plan', 'the plan')}.")
        + "."
    )
    + p(f"An endnote{note(1, 'At the very end.', 'endnote')} too."),
    "images": p(f"Here {picture('the gate', 'The gate in the snow', (20, 90, 160))} it is.")
    + p(picture("the keeper", "", (160, 110, 40)))
    + p("And on."),
    "tabs and spaces": p("Name:<text:tab/>Ada<text:tab/><text:tab/>Year:<text:tab/>1904", "Standard")
    + p('10\u00a0km, 3\u00a0%, «\u00a0oui\u00a0», and<text:s text:c="4"/>four spaces.', "Standard")
    + p("Soft\u00adhyphen and zero\u200bwidth, a non\u2011breaking hyphen.", "Standard")
    + p("One line<text:line-break/>and the next.", "Standard")
    + p("", "Standard")
    + p("", "Standard")
    + p("After two empty lines.", "Standard"),
    "comments": p(
        "The gate"
        "<office:annotation><dc:creator>Erik</dc:creator><dc:date>2026-01-02T03:04:05</dc:date>"
        "<text:p>Which gate?</text:p></office:annotation> is closed."
    ),
    "hidden text": p(f"Shown{s('Hidden', ' and never shown')} to all.")
    + '<text:section text:name="S" text:display="none">'
    + p("A hidden section.")
    + "</text:section>"
    + p("The end."),
    "tracked changes": (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:insertion><office:change-info>'
        "<dc:creator>Erik</dc:creator><dc:date>2026-01-02T03:04:05</dc:date></office:change-info></text:insertion>"
        '</text:changed-region><text:changed-region text:id="c2"><text:deletion><office:change-info><dc:creator>Erik'
        "</dc:creator><dc:date>2026-01-02T03:04:05</dc:date></office:change-info><text:p>wooden</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes>"
        + p(
            'A <text:change text:change-id="c2"/><text:change-start text:change-id="c1"/>steel'
            '<text:change-end text:change-id="c1"/> gate.'
        )
    ),
    "quotation and code": p("The keeper said:")
    + p("No one passes at night.", "Quotations")
    + p("Not even the mayor.", "Quotations")
    + p("The script says:")
    + p("if night:", "Preformatted_20_Text")
    + p('<text:s text:c="4"/>close(gate)', "Preformatted_20_Text")
    + p("After it."),
    "contents and fields": p("What is in it:")
    + (
        '<text:table-of-content text:name="Contents"><text:table-of-content-source text:outline-level="2"/>'
        "<text:index-body>"
        + p("January<text:tab/>1")
        + p("February<text:tab/>2")
        + "</text:index-body></text:table-of-content>"
        + h(1, '<text:bookmark text:name="jan"/>January')
        + p('Page <text:page-number text:select-page="current">1</text:page-number>.')
        + h(1, "February")
        + p("Short.")
    ),
    "other scripts": h(2, "潮汐表")
    + p(f"海水{s('B', '每天')}涨落两次。")
    + h(2, "المرسى")
    + p(f"القارب {s('I', 'قديم')} جدًا.")
    + items("Bullets", "أول", "ثانٍ"),
    "characters of Markdown": p(
        "2 * 3 * 4 = 24, snake_case_name, &lt;b&gt;not bold&lt;/b&gt;, [no](link), `no code`, # no heading"
    )
    + p("# no heading here")
    + p("- no item here")
    + p("1986. A year begins the line.")
    + p("+ plus, &gt; greater, | pipe, ~~no~~, \\ backslash, &amp;amp; entity"),
}

CALC = {
    "cells": row(cell("Boat"), cell("Tons"))
    + row(cell("Ada"), cell("12", kind="float"))
    + row(cell("Eve"), cell("7.5", kind="float")),
    "formats": row(cell("Day", "bold"), cell("Share", "bold"), cell("Note", "bold"))
    + row(cell("2026-01-02", "date", "date"), cell("0.125", "percent", "percentage"), cell("a | b", "red"))
    + row(cell("2026-01-03", "date", "date"), cell("1", "percent", "percentage"), cell("")),
    "merged cells": row(
        cell("Winter", more='table:number-columns-spanned="2" table:number-rows-spanned="1"'),
        "<table:covered-table-cell/>",
        cell("Total"),
    )
    + row(cell("January"), cell("February"), cell("Both"))
    + row(cell("3", kind="float"), cell("4", kind="float"), cell("7", kind="float")),
    "lines and links": row(cell("Where"), cell("What"))
    + row(cell("quay</text:p><text:p>steps"), cell(a("https://example.org/gauge", "the gauge"))),
    "one cell": row(cell("only this")),
    "gaps": row(cell("A"), "<table:table-cell/>", cell("C"))
    + row("<table:table-cell/>", "<table:table-cell/>", "<table:table-cell/>")
    + row(cell("1", kind="float"), "<table:table-cell/>", cell("3", kind="float")),
}

FILES = {f"writer {name}": _writer(body) for name, body in WRITER.items()} | {
    f"calc {name}": _calc(rows) for name, rows in CALC.items()
}
"""The text of each document, under the name of the program and of what it shows."""
