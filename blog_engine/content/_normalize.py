"""The last rules of the allow list that need a tree: checkboxes, addresses, code, and our own classes."""

from typing import Final

from blog_engine.content._sanitize import COMPILER_CLASSES
from blog_engine.content._tree import Element, Node, text_of
from blog_engine.content._urls import IMAGE_SCHEMES, LINK_SCHEMES, is_allowed

_TEXT_ONLY: Final = frozenset({"pre", "code"})
_DROPPED: Final = frozenset({"img", "input"})
_PARENTS: Final = {"li": frozenset({"ul", "ol"}), "figcaption": frozenset({"figure"})}
_ALIGNMENTS: Final = frozenset({"left", "center", "right", "justify"})


def normalize(element: Element) -> None:
    """Apply reader.md 16.2 to everything below the element, in place.

    An ``input`` that is not a disabled checkbox and an image without a safe source vanish; an unsafe link keeps its
    text; ``pre`` holds one ``code`` with text only; the compiler's classes get their names on the page.
    """
    children: list[Node] = []
    for child in element.children:
        if isinstance(child, Element):
            if child.name in _DROPPED and not _may_stay(child):
                continue
            if element.name not in _PARENTS.get(child.name, {element.name}):
                child.name = "div"
            _normalize_attributes(child)
            if child.name in _TEXT_ONLY:
                _reduce_to_text(child)
            else:
                normalize(child)
        children.append(child)
    element.children = children


def _may_stay(element: Element) -> bool:
    attrs = element.attrs
    if element.name == "input":
        return attrs.get("type", "").lower() == "checkbox" and "disabled" in attrs
    src = attrs.get("src", "")
    return bool(src.strip()) and is_allowed(src, schemes=IMAGE_SCHEMES)


def _normalize_attributes(element: Element) -> None:
    attrs = element.attrs
    if "href" in attrs and not is_allowed(attrs["href"], schemes=LINK_SCHEMES):
        del attrs["href"]
    if "class" in attrs:
        attrs["class"] = COMPILER_CLASSES[attrs["class"]]
    alignment = attrs.pop("align", "").lower()
    if alignment in _ALIGNMENTS:
        attrs["class"] = f"blog-align-{alignment}"


def _reduce_to_text(element: Element) -> None:
    text = text_of(element)
    element.children = [Element("code", children=[text])] if element.name == "pre" else [text]
