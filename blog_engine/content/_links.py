"""The links of a body: reading them for the findings, marking those that leave the site (reader.md 16.3)."""

from typing import Final

from blog_engine.content._tree import Element, walk
from blog_engine.content._urls import is_external

_FOOTNOTE_LINKS: Final = frozenset({"blog-footnote-ref", "blog-footnote-back"})


def read_links(tree: Element) -> tuple[str, ...]:
    """The distinct targets that the author linked, in document order; footnote marks are not the author's."""
    written = (element for element in _links(tree) if element.attrs.get("class") not in _FOOTNOTE_LINKS)
    return tuple(dict.fromkeys(element.attrs["href"] for element in written))


def mark_external_links(tree: Element, *, site_origin: str | None) -> None:
    """Add ``noopener`` to the ``rel`` of every link to another host or port, in place; other values stay."""
    for element in _links(tree):
        if is_external(element.attrs["href"], site_origin=site_origin):
            values = element.attrs.get("rel", "").split()
            element.attrs["rel"] = " ".join(dict.fromkeys([*values, "noopener"]))


def _links(tree: Element) -> list[Element]:
    return [element for element in walk(tree) if element.name == "a" and "href" in element.attrs]
