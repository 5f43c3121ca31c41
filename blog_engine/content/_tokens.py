"""Facts about parsed Markdown: its text, headings, raw HTML and line breaks."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from markdown_it.token import Token

from blog_engine.content.dialect import BREAKS, INLINE_HTML
from blog_engine.content.html import HEADINGS, INLINE, Element, parse_html, text_of
from blog_engine.content.sanitize import TAGS
from blog_engine.content.scripts import LOWERED, RAISED, with_own_characters
from blog_engine.content.urls import is_usable

_LINE_ENDS: Final = frozenset(
    {"paragraph_close", "heading_close", "tr_close", "hr", "softbreak", "hardbreak", "dt_close", "summary_close"}
)
_LITERAL: Final = frozenset({"text", "code_inline", "math_inline"})
_MATH: Final = "math_inline"
_CODE: Final = frozenset({"fence", "code_block", "math_block"})
_HTML: Final = frozenset({"html_block", "html_inline"})
_CELL_ENDS: Final = frozenset({"td_close", "th_close"})


class _Choice(NamedTuple):
    """The tokens that are left out of a text."""

    parts: Mapping[str, str]
    """The start and the end of blocks that are left out with what is in them."""
    single: frozenset[str] = frozenset()


_TITLES: Final = {"alert_title_open": "alert_title_close"}
"""The start and end of what the page adds in the language of the blog."""
_TEXT: Final = _Choice(_TITLES)
_PROSE: Final = _Choice(_TITLES | {"heading_open": "heading_close"}, _CODE | {_MATH})
_SHIFTS: Final = {"<sup>": RAISED, "<sub>": LOWERED}

# A line can break between any two characters of Chinese, Japanese, Thai and the like.
_FIRST_WORD: Final = re.compile(
    "[\u0e00-\u0edf\u1000-\u109f\u1780-\u17ff\u3000-\u9fff\uf900-\ufaff\uff00-\uffef]|[^ ]*"
)
_INSIDE_SENTENCE: Final = re.compile("[\\w,\u3001\uff0c-] ?\\Z")
_NARROWEST_COLUMN: Final = 50
_INDENT: Final = 8


class BodyText(NamedTuple):
    """The text of a body that a reader sees, and its prose: the text without code, formulas and headings."""

    plain: str
    prose: str


def body_text(tokens: Sequence[Token]) -> BodyText:
    """Return the texts of parsed Markdown, trimmed; see ``plain_text``."""
    return BodyText(text_of_tokens(tokens), text_of_tokens(tokens, is_prose=True))


def text_of_tokens(tokens: Iterable[Token], *, is_prose: bool = False) -> str:
    """Return the text, or the prose, of parsed Markdown, trimmed."""
    out: list[str] = []
    _collect(tokens, out, _PROSE if is_prose else _TEXT)
    return "".join(out).strip()


def html_text(html: str) -> str:
    """Return the text of HTML without its tags."""
    return text_of(parse_html(html, tags=TAGS, keep=lambda tag, name, value: False))


def html_prose(html: str) -> str:
    """Return the text of HTML without headings and code, with a space between blocks."""
    tree = parse_html(html, tags=TAGS, keep=lambda tag, name, value: False)
    return " ".join("".join(_prose_parts(tree)).split())


def _prose_parts(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.name not in HEADINGS and child.name != "pre":
            yield from _prose_parts(child)
            if child.name not in INLINE or child.name == "br":
                yield " "


def _collect(tokens: Iterable[Token], out: list[str], left_out: _Choice, *, is_alt: bool = False) -> None:
    ending: str | None = None
    shifted: list[tuple[str, int]] = []
    for token in tokens:
        if ending:
            ending = None if token.type == ending else ending
        elif token.type in left_out.parts:
            ending = left_out.parts[token.type]
        elif token.type in left_out.single:
            continue
        elif is_alt and token.type == _MATH:
            # The text of an image is no HTML: a formula in it stays as it is written.
            out.append(token.info)
        elif token.type in _LITERAL:
            out.append(token.content)
        elif token.type in _CODE:
            out.append(token.content.rstrip("\n") + "\n")
        elif token.type in _HTML:
            tag = token.content.lower()
            if tag in _SHIFTS:
                shifted.append((tag, len(out)))
            elif shifted and tag == shifted[-1][0].replace("<", "</"):
                opening, start = shifted.pop()
                out[start:] = [with_own_characters("".join(out[start:]), _SHIFTS[opening])]
            out.append("\n" if tag in BREAKS else html_text(token.content))
        elif token.type in _LINE_ENDS:
            out.append("\n")
        elif token.type in _CELL_ENDS:
            # Separates the last word of a cell from the first of the next.
            out.append(" ")
        elif token.children:
            _collect(token.children, out, left_out, is_alt=is_alt or token.type == "image")


class HeadingSource(NamedTuple):
    """The place of a heading: its first line from 0, the line after it, and the line after the block that it is in."""

    level: int
    first_line: int
    after: int
    end_of_block: int
    is_top: bool
    """Whether it is in no other block, such as a list or a quote."""


def heading_sources(tokens: Sequence[Token]) -> Iterator[HeadingSource]:
    """Yield the headings of a parsed source in the order of its tokens."""
    around, boxes = [0, 0], list[list[int]]()
    for token in tokens:
        around = token.map if token.level == 0 and token.map else around
        if token.type == "details_open" and token.map:
            boxes.append(token.map)
        if token.type == "heading_open" and token.map:
            first, after = token.map
            while boxes and boxes[-1][1] <= first:
                boxes.pop()
            inner = boxes[-1] if boxes else around
            end = inner[1] if token.level and inner[0] <= first < inner[1] else sys.maxsize
            yield HeadingSource(int(token.tag[1:]), first, after, end, is_top=token.level == 0)


def raw_html_of(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield each piece of raw HTML that is left out, except comments and end tags, which show nothing."""
    for token in tokens:
        is_kept = token.type == "html_inline" and token.content.lower() in INLINE_HTML
        is_shown = is_kept or token.content.lstrip().startswith(("<!--", "</"))
        if token.type in ("html_block", "html_inline") and not is_shown:
            yield token.content.strip()
        yield from raw_html_of(token.children or ())


def unusable_urls_of(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield each image that is not shown and each link that leads nowhere because of its URL, as it can be written."""
    for token in tokens:
        match token.type:
            case "image" if not is_usable(url := str(token.attrs.get("src", "")), is_image=True):
                yield f"![{token.content}]({url})"
            case "link_open" if not is_usable(url := str(token.attrs.get("href", "")), is_image=False):
                yield f"[…]({url})"
        yield from unusable_urls_of(token.children or ())


def _first_word(line: str) -> str:
    found = _FIRST_WORD.match(line)
    return found[0] if found else ""


def is_hard_wrapped(tokens: Sequence[Token]) -> bool:
    """Return whether paragraphs are broken where the next word would pass a column."""
    breaks: list[tuple[int, int]] = []
    inside_sentences = 0
    for opening, inline in pairwise(tokens):
        if opening.type != "paragraph_open":
            continue
        for line, following in pairwise(inline.content.split("\n")):
            # Two spaces or a backslash at the end of a line mark a break that the author wants.
            if not line.endswith(("  ", "\\")):
                breaks.append((len(line), len(line) + 1 + len(_first_word(following))))
                inside_sentences += bool(_INSIDE_SENTENCE.search(line))
    column = max((length for length, _ in breaks), default=0)
    full = sum(with_next > column - _INDENT for _, with_next in breaks)
    is_at_column = len(breaks) >= 3 and column >= _NARROWEST_COLUMN and full >= 0.9 * len(breaks)
    # Images, links, verses or statements of code below each other can be equally long by chance.
    return is_at_column and 2 * inside_sentences >= len(breaks)
