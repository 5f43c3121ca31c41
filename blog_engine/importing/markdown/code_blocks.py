"""The languages and options of code blocks, which each program writes in its own way."""

import re
from textwrap import dedent
from typing import Final

from blog_engine.importing.markdown.text import fence

_CODE_HILITE: Final = re.compile(r"(?:(:{3,})|#(!))[ \t]*([\w#.+-]+)?([ \t][^\n]*)?\n?")
"""The first line of code: ``:::python``, or ``#!python`` without a path."""
_BRACED: Final = re.compile(r"\s*\{:?\s*(.*?)\s*\}\s*", re.DOTALL)
_PART: Final = re.compile(r"""\.([^\s{}.]+)|([\w-]+)=("[^"]*"|'[^']*'|[^\s"']+)|(#\S+)|(\S+)""")
_QUERY: Final = re.compile(r"([\w#.+-]+)\?([\w=&,-]*)(?=\s|$)")
_NUMBERS: Final = re.compile(r"[0-9][0-9,\s-]*")
_LINES: Final = frozenset({"hl_lines", "mark", "ins", "highlight"})


def code_fence(code: str) -> list[str] | None:
    """Return code whose first line is its language as the lines of a fence; ``None`` for other code.

    Of ``:::`` and ``#!`` the line is none of the code, of ``#!/bin/sh`` it is (documentation of codehilite).
    """
    code = dedent(code)
    found = _CODE_HILITE.match(code)
    if not found or not found[3]:
        return None
    options = _PART.findall(found[4] or "")
    lines = [value.strip("\"'") for _, name, value, _, _ in options if name in _LINES]
    marked = f" {{{','.join(lines[0].split())}}}" if lines and _NUMBERS.fullmatch(lines[0]) else ""
    language = f"{found[3]}{marked}"
    numbered = " linenos" if found[2] else ""
    return fence(code[found.end() :], language + numbered).split("\n")


def fence_information(information: str) -> str:
    """Return the information of a fence as it is read here: language, file name and marked lines.

    That is ``python title="a.py" {1,3}``; kramdown has ``ruby?start=2``, Python-Markdown ``{.python hl_lines="1 3"}``.
    """
    braced = _BRACED.fullmatch(information)
    written = braced[1] if braced and not _NUMBERS.fullmatch(braced[1]) else information
    if written is information and not re.search(r"\?|hl_lines|linenums|linenostart", information):
        return information
    language = title = marked = numbered = ""
    for name, key, value, _, word in _PART.findall(_QUERY.sub(r"\1", written)):
        plain = value.strip("\"'")
        if key == "title":
            title = f" title={value}"
        elif key in _LINES and _NUMBERS.fullmatch(plain):
            marked = f" {{{','.join(plain.replace(',', ' ').split())}}}"
        elif key == "linenums":
            numbered = " linenos"
        elif not language and (name or word) and name not in {"no-copy", "annotate"}:
            language = name or word
    return f"{language}{title}{marked}{numbered}".strip()
