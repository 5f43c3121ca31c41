"""What is read from the tokens of HTML before there is a tree."""

from collections.abc import Iterable, Iterator
from typing import Final

from blog_engine.content.html import EndTag, StartTag, Token

_TEX: Final = "application/x-tex"


class MathElement:
    """Collects the TeX of a ``math`` element."""

    def __init__(self, line: int, *, is_block: bool, alt: str) -> None:
        self.line, self.is_block = line, is_block
        self._alt = alt
        self._parts: list[str] = []
        self._is_tex = False

    def add(self, token: Token) -> None:
        if isinstance(token, str):
            self._parts += [token] if self._is_tex else []
        elif token.name == "annotation":
            self._is_tex = isinstance(token, StartTag) and dict(token.attrs).get("encoding", "").lower() == _TEX

    def tex(self) -> str:
        """Return the TeX, else the text that the element has for it."""
        return ("".join(self._parts) or self._alt).strip()


def captions_first(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens with each caption before its table."""
    table: StartTag | None = None
    in_caption = False
    for token in tokens:
        if isinstance(token, StartTag) and token.name == "table" and table is None:
            table = token
            continue
        if table is not None and not in_caption and not (isinstance(token, str) and not token.strip()):
            if isinstance(token, StartTag) and token.name == "caption":
                in_caption = True
            else:
                yield table
                table = None
        yield token
        if table is not None and in_caption and isinstance(token, EndTag) and token.name == "caption":
            in_caption = False
            yield table
            table = None
    if table is not None:
        yield table
