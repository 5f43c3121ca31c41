"""Requests that are as expensive as the limits permit, by kind."""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from blog_engine.content import _markdown
from blog_engine.content.options import TooMuchMarkup
from blog_engine.content.plain_text import check_markup
from blog_engine.enums import BodyFormat

BODY = 256 * 1024
"""Bytes of a body (``max_body_bytes``)."""
TEXT = 65_536
FAQ = 262_144
REQUEST = 3 * 1024 * 1024
ENTRIES = 500
_SAMPLE = 16 * 1024


class Case(NamedTuple):
    """A request; ``content`` returns its fields, or its body as bytes.

    A path is that of the API, or begins with ``/admin/``; ``{preview}`` is the one that the last answer named.
    """

    name: str
    method: str
    path: str
    content: Callable[[], dict[str, Any] | bytes]
    before: tuple["Case", ...] = ()
    """Requests that are sent before and not measured."""


def repeated(pattern: str, size: int = BODY) -> str:
    """Repeat a pattern up to a number of bytes."""
    return (pattern * (size // len(pattern.encode()) + 1)).encode()[:size].decode(errors="ignore")


def after(start: str, pattern: str) -> Callable[[int], str]:
    """Return a body of any size: a start, then a repeated pattern."""
    return lambda size: start + repeated(pattern, max(0, size - len(start.encode())))


def table(columns: int) -> Callable[[int], str]:
    """Return a body of any size: tables whose short rows are filled to the width of the head."""
    head = "|a" * columns + "\n" + "|-" * columns + "\n"
    return after("", head + "x\n" * columns + "\n")


def numbered(pattern: str) -> Callable[[int], str]:
    """Return a body of any size: a pattern with a number that counts up."""

    def body(size: int) -> str:
        count = size // len(pattern.format(0)) + 1
        return "".join(pattern.format(number) for number in range(count))[:size]

    return body


MARKDOWN: dict[str, Callable[[int], str]] = {
    "prose": after("", "The tide was low and the boats lay on their sides. " * 8 + "\n\n"),
    "one word": after("", "a"),
    "blank lines": after("", "\n"),
    "spaces": after("", " "),
    "tabs": after("", "a\t"),
    "paragraphs": after("", "a\n\n"),
    "line breaks": after("", "a\n"),
    "hard breaks": after("", "a  \n"),
    "headings": after("", "# a\n"),
    "headings of one text": after("", "## a b c\n"),
    "headings in other scripts": after("", "# 漢字\n"),
    "underlined headings": after("", "a\n=\n"),
    "rules": after("", "---\n"),
    "quotes": after("", "> a\n\n"),
    "deep quotes": after("", ">"),
    "quoted lists": after("", "> - "),
    "lists": after("", "- a\n"),
    "empty lists": after("", "*\n"),
    "ordered lists": after("", "1. a\n"),
    "deep lists": lambda size: "".join("  " * level + "- a\n" for level in range(int(size**0.5)))[:size],
    "deep lists in lines": after("", "- "),
    "tasks": after("", "- [ ] a\n"),
    "alerts": after("", "> [!NOTE]\n> a\n\n"),
    "wide tables": table(100),
    "narrow tables": after("|a|b|\n|-|-|\n", "|x|y|\n"),
    "short rows": after("|a" * 500 + "\n" + "|-" * 500 + "\n", "|x\n"),
    "table heads": after("", "|a|\n|-|\n\n"),
    "escaped pipes": after("|a|\n|-|\n", "|\\|"),
    "pipes": after("", "|"),
    "emphasis": after("", "*a* "),
    "open emphasis": after("", "*a **b "),
    "crossed emphasis": after("", "*a _b* c_ "),
    "nested emphasis": lambda size: "**" * (size // 4) + "a" + "**" * (size // 4),
    "nested strikes": lambda size: "~~a " * (size // 8) + "a~~ " * (size // 8),
    "stars": after("", "*"),
    "underscores": after("", "_a "),
    "tildes": after("", "~"),
    "code in the line": after("", "`a` "),
    "growing backticks": lambda size: " ".join("`" * length for length in range(int((2 * size) ** 0.5)))[:size],
    "code blocks": after("", "```\na\n```\n"),
    "highlighted blocks": after("", "```java\n" + "a " * 150 + "\n```\n"),
    "highlighted Python": after("", "```py\n" + "(a,\n" * 200 + "```\n"),
    "open code block": after("```python\n", "def f(x): return 'a'\n"),
    "indented code": after("", "    a\n\na\n\n"),
    "links": after("", "[a](b) "),
    "links with titles": after("", '[a](b "c") '),
    "links of quotes": after("", '[a](b "&&&&&&&&") '),
    "one long link": lambda size: "[a](/" + "&" * (size - 6) + ")",
    "one long title": lambda size: '[a](/ "' + "&" * (size - 9) + '")',
    "open links": after("", "[a]("),
    "open links in brackets": after("", "[a](<b"),
    "open titles": after("", '[a](b "c'),
    "brackets": after("", "["),
    "balanced brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "pairs of brackets": after("", "[]"),
    "open images": after("", "!["),
    "images": after("", "![a](b) "),
    "images in links": after("", "[![a](b)](c) "),
    "stored images": after("", f"![a](/blog/media/{'a' * 64}/a.png) "),
    "references": after("[a]: b\n\n", "[a] "),
    "references with labels": after("[a]: b\n\n", "[b][a] "),
    "one long reference": lambda size: after("[a]: " + "b" * (size // 2) + "\n\n", "[a] ")(size),
    "definitions": numbered("[a{}]: b\n"),
    "definitions without end": after("", "[a]: b 'c\n"),
    "long label": lambda size: "[" + "ẞ" * (size // 3 - 9) + "]: b",
    "footnote definitions": numbered("[^{}]: a\n"),
    "footnotes": numbered("[^{0}]: a\n\n[^{0}]\n\n"),
    "footnote marks": after("[^a]: x\n\n", "[^a] "),
    "footnotes in footnotes": after("", "[^a]: "),
    "open footnotes": after("[^a]: x\n\n", "[^"),
    "autolinks": after("", "<http://a.b> "),
    "bare URLs": after("", "www.a.b "),
    "URLs with schemes": after("", "http://a.b "),
    "e-mail addresses": after("", "a@b.c "),
    "schemes": after("", "xhttp://"),
    "closing brackets": after("http://a.example/", ")"),
    "entities": after("", "&amp;"),
    "numeric entities": after("", "&#0;"),
    "marks as entities": after("a", "&#769;&#790;"),
    "ampersands": after("", "&"),
    "less-than signs": after("", "<"),
    "quotation marks": after("", '"'),
    "backslashes": after("", "\\*"),
    "raw HTML": after("", "<b>a</b> "),
    "raw blocks": after("", "<p>\n\n"),
    "open tags": after("", "<a "),
    "open attributes": after("", "<a b='"),
    "open comments": after("", "<!--"),
    "declarations": after("", "<!A "),
    "processing": after("", "<?"),
    "CDATA": after("", "<![CDATA["),
    "scripts of many kinds": after("", "a\u044f漢\u0627\U0001d4b3\u200d "),
    "right to left": after("", "\u202eא\u202c "),
    "bounded marks": after("", "a" + "\u0301\u0316" * 15),
    "hard wrapped": after("", "word " * 15 + "\n"),
}

RICH_TEXT: dict[str, Callable[[int], str]] = {
    "paragraphs": after("", "<p>a</p>"),
    "deep blocks": after("", "<div>"),
    "emphasis": after("", "<em>a</em>"),
    "distinct emphases": numbered("<em title={}>"),
    "emphases over paragraphs": lambda size: numbered("<em title={}>")(size // 2) + repeated("<p>x", size // 2),
    "cells": after("<table>", "<td>a"),
    "rows": after("<table>", "<tr><td>a"),
    "text in tables": after("<table>", "x<td>"),
    "lists": after("", "<ul><li>a"),
    "images": after("", "<img src=i>"),
    "code": after("", '<pre lang="java">a a a</pre>'),
    "open tags": after("", "<a "),
    "open attributes": after("", "<a b='"),
    "many attributes": lambda size: "<p " + numbered("a{}=1 ")(size - 5) + ">x",
    "references after a long text": lambda size: "a" * (size - 100_000) + "&lt;" * 19_990,
    "references in an attribute": lambda size: '<p title="' + "a" * 100_000 + "&lt;" * 19_990 + '">x',
    "less-than signs": after("", "<"),
    "unknown elements": numbered("<x{}>"),
}


WHOLE = ("paragraphs", "line breaks", "wide tables", "links", "code blocks")
"""Kinds of Markdown that are also sent whole, to be refused."""
PAGES = ("paragraphs", "links", "wide tables", "brackets", "one word")
EXTRACTED = {"headings": "#### a?\nb\n", "bold": "**a?** b\n", "chapters": "## FAQ\n", "links": "#### [a](b)?\n"}
ANSWERS = {
    "paragraphs": "a\n\n",
    "stars": "a*\n\n",
    "links": "[a](b) ",
    "tables": "|a" * 20 + "\n" + "|-" * 20 + "\n" + "x\n" * 20,
    "URLs": "http://a.b ",
    "brackets": "[",
}
SEARCHES = {
    "words": "a b " * 25,
    "quotes": '"' * 100,
    "minus": "-a " * 33,
    "signs": "%_\\" * 33,
    "marks": "\u0301\u0316" * 50,
    "without spaces": "漢" * 100,
    "very long": "a" * 50_000,
}
JSON: dict[str, Callable[[], bytes]] = {
    "deep": lambda: b'{"title":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}",
    "many keys": lambda: json.dumps({f"k{number}": 1 for number in range(200_000)}).encode(),
    "long list": lambda: b'{"title": "a", "tags": [' + b'"a",' * 700_000 + b'"a"]}',
    "long number": lambda: b'{"title": ' + b"9" * 3_000_000 + b"}",
    "escapes": lambda: b'{"title": "' + b"\\u0061" * 500_000 + b'"}',
    "long key": lambda: b'{"' + b"a" * 3_000_000 + b'": 1}',
}
TEXTS = {
    "description": "a " * (TEXT // 2),
    "search_description": "é" * TEXT,
    "note": "<" * TEXT,
    "provenance_evidence": "&" * TEXT,
}
LONG_FAQ = [{"question": "Why?", "answer": repeated("a*\n\n", TEXT)} for _ in range(3)]
FIELDS: dict[str, dict[str, Any]] = {
    "answers: long": {"faq": LONG_FAQ},
    "texts": TEXTS,
    "tags": {"tags": [f"{'é' * 200}{number}" for number in range(ENTRIES)]},
    "tags of one slug": {"tags": [f"a{'!' * number}" for number in range(250)]},
    "title in another script": {"title": "漢" * 255},
    "title of emoji": {"title": "🌊" * 255},
    "marks in a title": {"title": "\u0301\u0316" * 127},
    "marks in a body": {"body": repeated("\u0301\u0316")},
    "marks that decompose": {"body": repeated("\u0f73")},
}


def cases() -> Iterator[Case]:
    """Yield every request."""
    for name, body in MARKDOWN.items():
        yield post(f"markdown: {name}", lambda body=body: {"body": fitted(body)})
    for name in WHOLE:
        yield post(f"markdown, whole: {name}", lambda body=MARKDOWN[name]: {"body": body(BODY)})
    for name, body in RICH_TEXT.items():
        yield post(
            f"html: {name}",
            lambda body=body: {"body": fitted(body, BodyFormat.RICH_TEXT), "body_format": "rich_text"},
        )
    for name in PAGES:
        yield Case(
            f"page: {name}", "put", "/pages/ai_use", lambda body=MARKDOWN[name]: {"title": "AI", "body": fitted(body)}
        )
        yield Case(f"edit: {name}", "patch", "/posts/warm", lambda body=MARKDOWN[name]: {"body": fitted(body)})
    for name, pattern in EXTRACTED.items():
        body = after("## FAQ\n", pattern)
        yield Case(f"extraction: {name}", "post", "/faq_extractions", lambda body=body: {"body": fitted(body)})
    asked = {"standalone_questions": [f"a{number}?" for number in range(ENTRIES)]}
    chapters = after("", "## a1?\nb\n")
    yield Case("extraction: asked", "post", "/faq_extractions", lambda: asked | {"body": fitted(chapters)})
    for name, pattern in ANSWERS.items():
        answer = repeated(pattern, FAQ // ENTRIES - 9)
        faq = [{"question": f"Why {number}?", "answer": answer} for number in range(ENTRIES)]
        yield post(f"answers: {name}", lambda faq=faq: {"faq": faq})
    for name, fields in FIELDS.items():
        yield post(name, lambda fields=fields: fields)
    for name, words in SEARCHES.items():
        yield Case(f"search: {name}", "get", "/posts", lambda words=words: {"q": words})
    for name, raw in JSON.items():
        yield Case(f"JSON: {name}", "post", "/posts", raw)
    tags = [f"t{number}" for number in range(ENTRIES)]
    at_once = TEXTS | {"publish": True, "faq": LONG_FAQ, "tags": tags}
    yield post("everything at once", lambda: at_once | {"body": fitted(MARKDOWN["links"])})


def post(name: str, content: Callable[[], dict[str, Any]]) -> Case:
    """Return the case of a new post."""
    return Case(name, "post", "/posts", lambda: {"title": "Tides"} | content())


def fitted(body: Callable[[int], str], body_format: BodyFormat = BodyFormat.MARKDOWN) -> str:
    """Return the body at nearly the largest size that the limits of markup permit."""
    size = BODY
    if body_format == BodyFormat.MARKDOWN:
        size = min(BODY, int(0.99 * _SAMPLE / used(body(_SAMPLE))))
    while not is_accepted(body(size), body_format):
        size = int(size * 0.9)
    return body(size)


def used(sample: str) -> float:
    """Return the part of the limits of markup that a text uses."""
    env = _markdown.fresh_env(sample)
    _markdown._plain_parser().parse(sample, env)
    left = env[_markdown._BUDGET]
    return max(1e-6, 1 - left.markup / _markdown.MAX_MARKUP, 1 - left.cells / _markdown.MAX_CELLS)


def is_accepted(body: str, body_format: BodyFormat) -> bool:
    """Return whether a body is within the limits of markup."""
    try:
        check_markup(body, body_format=body_format)
    except TooMuchMarkup:
        return False
    return True
