"""From the parser's document to the token stream that bleach filters.

The walker that comes with bleach looks every element up among its siblings again, so that a table of 40,000 rows
takes minutes. This one visits each node once.
"""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element as DomElement

from blog_engine.content._tree import VOID

_SPACES: Final = " \t\n\r\f"

HtmlToken = dict[str, object]


def walk_dom(fragment: DomElement) -> Iterator[HtmlToken]:
    """The html5lib tokens of a parsed fragment, comments left out."""
    yield from _text(fragment.text)
    for element in fragment:
        if isinstance(element.tag, str):
            yield from _element(element, element.tag)
        yield from _text(element.tail)


def _element(element: DomElement, name: str) -> Iterator[HtmlToken]:
    attrs = {(None, key): value for key, value in element.attrib.items()}
    token: HtmlToken = {"name": name, "namespace": None, "data": attrs}
    if name in VOID:
        yield {"type": "EmptyTag", **token}
        return
    yield {"type": "StartTag", **token}
    yield from walk_dom(element)
    yield {"type": "EndTag", "name": name, "namespace": None}


def _text(text: str | None) -> Iterator[HtmlToken]:
    if text:
        yield {"type": "Characters" if text.strip(_SPACES) else "SpaceCharacters", "data": text}
