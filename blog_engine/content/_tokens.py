"""HTML cut into tags and text in time proportional to its length, whatever is written.

The standard library's parser needs quadratic time for unclosed tags and comments on some Python releases.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final

_TAG: Final = re.compile(r"""<(/?)([A-Za-z][^\s/>]*+)((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""")
_OPENS_TAG: Final = re.compile(r"</?[A-Za-z]")
_ATTRIBUTE: Final = re.compile(r"""([^\s/>=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s>]*+))?""")
_RAW_TEXT: Final = frozenset({"script", "style", "textarea", "title"})


@dataclass(frozen=True, slots=True)
class StartTag:
    """A start tag with its attributes as written, values decoded."""

    name: str
    attrs: list[tuple[str, str]]
    is_self_closing: bool = False
    """Whether it ends in a slash, which means something for SVG and MathML only."""


@dataclass(frozen=True, slots=True)
class EndTag:
    """An end tag."""

    name: str


Token = StartTag | EndTag | str


def tokenize(source: str) -> Iterator[Token]:
    """Tags and decoded text in order; comments, declarations and processing instructions are left out.

    A tag that never ends is text, and so is all that follows it.
    """
    position = 0
    while position < len(source):
        mark = source.find("<", position)
        if mark < 0:
            mark = len(source)
        if mark > position:
            yield unescape(source[position:mark])
        if mark == len(source):
            return
        position, token = _read_mark(source, mark)
        if token:
            yield token
        if isinstance(token, StartTag) and token.name in _RAW_TEXT:
            end = re.compile(rf"</{token.name}(?=[\s/>])", re.IGNORECASE).search(source, position)
            stop = end.start() if end else len(source)
            yield source[position:stop]
            position = stop


def _read_mark(source: str, start: int) -> tuple[int, Token | None]:
    if _OPENS_TAG.match(source, start):
        tag = _TAG.match(source, start)
        return (tag.end(), _tag(tag)) if tag else (len(source), unescape(source[start:]))
    if source.startswith("<!--", start):
        return _after(source, "-->", start + 2), None
    if source.startswith(("<!", "<?", "</"), start):
        return _after(source, ">", start), None
    return start + 1, "<"


def _tag(found: re.Match[str]) -> Token:
    name = found[2].lower()
    if found[1]:
        return EndTag(name)
    attrs = [(key.lower(), unescape(_unquoted(value))) for key, value in _ATTRIBUTE.findall(found[3])]
    return StartTag(name, attrs, is_self_closing=found[3].endswith("/"))


def _unquoted(value: str) -> str:
    return value[1:-1] if value[:1] in {'"', "'"} else value


def _after(source: str, mark: str, start: int) -> int:
    end = source.find(mark, start)
    return len(source) if end < 0 else end + len(mark)
