"""Code in colour: Pygments' short token classes, the text unchanged (reader.md 16.3)."""

import re
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES, _TokenType
from pygments.util import ClassNotFound

from blog_engine.content._tree import Element, Node

MAX_HIGHLIGHTED: Final = 10_000
"""Characters of a block; longer ones stay plain, because many lexers need quadratic time for hostile text."""

_WILD: Final = re.compile(r"[^\n]{401}|\s{101}")
"""What only generated or hostile code has, and what is slow: a very long line, a very long run of white space."""


def highlight(code: str, *, language: str) -> list[Node]:
    """The code as text and ``span`` elements; plain text for an unknown language and for a block beyond the limits."""
    lexer = _lexer(language) if len(code) <= MAX_HIGHLIGHTED and not _WILD.search(code) else None
    if lexer is None:
        return [code]
    tokens = list(lexer.get_tokens(code))
    if "".join(text for _, text in tokens) != code:
        return [code]
    return _spans(tokens)


def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _spans(tokens: list[tuple[_TokenType, str]]) -> list[Node]:
    nodes: list[Node] = []
    previous = ""
    for token_type, text in tokens:
        name = _short_class(token_type)
        last = nodes[-1] if nodes else None
        if name and name == previous and isinstance(last, Element):
            last.children.append(text)
        else:
            nodes.append(Element("span", {"class": name}, [text]) if name else text)
        previous = name
    return nodes


def _short_class(token_type: _TokenType) -> str:
    while token_type not in STANDARD_TYPES and token_type.parent is not None:
        token_type = token_type.parent
    name = STANDARD_TYPES.get(token_type, "")
    return "" if name == "w" else name
