"""The text of parsed Markdown."""

from collections.abc import Iterable
from typing import Final

from markdown_it.token import Token

from blog_engine.content.html import parse_html, text_of
from blog_engine.content.sanitize import TAGS

_LINE_ENDS: Final = frozenset(
    {"paragraph_close", "heading_close", "tr_close", "hr", "softbreak", "hardbreak", "dt_close", "summary_close"}
)
_LITERAL: Final = frozenset({"text", "code_inline", "math_inline"})
_MATH: Final = "math_inline"
_CODE: Final = frozenset({"fence", "code_block", "math_block"})
_HTML: Final = frozenset({"html_block", "html_inline"})
_CELL_ENDS: Final = frozenset({"td_close", "th_close"})


def text_of_tokens(tokens: Iterable[Token]) -> str:
    """Return the text of parsed Markdown, trimmed; see ``plain_text``."""
    out: list[str] = []
    _collect(tokens, out)
    return "".join(out).strip()


def html_text(html: str) -> str:
    """Return the text of HTML without its tags."""
    return text_of(parse_html(html, tags=TAGS, keep=lambda tag, name, value: False))


def _collect(tokens: Iterable[Token], out: list[str], *, is_alt: bool = False) -> None:
    for token in tokens:
        if is_alt and token.type == _MATH:
            # The text of an image is no HTML: a formula in it stays as it is written.
            out.append(token.info)
        elif token.type in _LITERAL:
            out.append(token.content)
        elif token.type in _CODE:
            out.append(token.content.rstrip("\n") + "\n")
        elif token.type in _HTML:
            out.append(html_text(token.content))
        elif token.type in _LINE_ENDS:
            out.append("\n")
        elif token.type in _CELL_ENDS:
            # Separates the last word of a cell from the first of the next.
            out.append(" ")
        elif token.children:
            _collect(token.children, out, is_alt=is_alt or token.type == "image")
