"""Parts of a page, found and copied in one pass however they are nested."""

from collections.abc import Callable, Iterator

from blog_engine.report.surface.html import Element

Fits = Callable[[Element], bool]


def outermost(element: Element, fits: Fits) -> Iterator[Element]:
    """The elements below this one that fit and stand in no other one that does, in document order."""
    ahead = element.children[::-1]
    while ahead:
        child = ahead.pop()
        if isinstance(child, Element):
            if fits(child):
                yield child
            else:
                ahead += child.children[::-1]


def copy_without(element: Element, leaves_out: Fits) -> Element:
    """A copy, without parent, in which the elements that fit are missing."""
    copy = Element(element.name, dict(element.attrs), None)
    for child in element.children:
        if isinstance(child, str):
            copy.children.append(child)
        elif not leaves_out(child):
            inner = copy_without(child, leaves_out)
            inner.parent = copy
            copy.children.append(inner)
    return copy


def has_attr(name: str) -> Fits:
    """Asks for an attribute, whatever its value."""
    return lambda element: name in element.attrs


def has_class(name: str) -> Fits:
    """Asks for a class."""
    return lambda element: name in element.attrs.get("class", "").split()
