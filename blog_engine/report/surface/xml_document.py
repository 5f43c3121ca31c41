"""XML that came over the network."""

from typing import NoReturn
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser


def parse_xml(source: bytes) -> Element | None:
    """The root of the document; ``None`` when it is not well-formed or has a DOCTYPE.

    No document that a blog publishes needs one, and entities that it declares can grow a few bytes to gigabytes.
    """
    parser = XMLParser(target=_WithoutDoctype())  # noqa: S314 - the target refuses what could be dangerous
    try:
        parser.feed(source)
        root: Element = parser.close()
    except (ParseError, ValueError, LookupError):
        # The last two are answers to encodings that Python does not know or expat cannot read.
        return None
    return root


def local_name(element: Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rpartition("}")[2]


class _WithoutDoctype(TreeBuilder):
    def doctype(self, name: str, public_id: str | None, system_id: str | None) -> NoReturn:
        raise ValueError("A document with a DOCTYPE is not read.")
