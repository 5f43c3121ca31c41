"""The written part of a content region: what an author wrote, without what the page itself adds (records.md 16)."""

from typing import Final

from blog_engine.report.surface.html import Element

GENERATED: Final = "data-blog-generated"
"""Marks what a host's own template adds to an article, such as a line of its own about the author."""

_PARTS: Final = frozenset(
    {"blog-preview-bar", "blog-progress", "blog-breadcrumbs", "blog-kicker", "blog-byline", "blog-share"}
    | {"blog-notices", "blog-notice", "blog-contents", "blog-disclosure", "blog-corrections", "blog-correction"}
    | {"blog-after", "blog-filed", "blog-tags", "blog-responsible", "blog-author", "blog-series", "blog-call"}
    | {"blog-related"}
)
"""The classes of the engine's own templates for parts that no revision records."""
_IN_LINE: Final = frozenset({"a", "abbr", "b", "em", "i", "img", "small", "span", "strong", "time", "svg", "path"})


def written_part(region: Element) -> Element:
    """A copy, without parent, of what the author wrote in a region; the FAQ is not in it.

    Inside the body little is taken away, and only where it says what the renderer writes there: whatever else somebody
    put into it is to be seen.
    """
    return _copy(region, is_body="data-blog-body" in region.attrs)


def _copy(element: Element, *, is_body: bool) -> Element:
    copy = Element(element.name, dict(element.attrs), None)
    for child in element.children:
        if isinstance(child, str):
            copy.children.append(child)
        elif not _is_of_renderer(child) and (is_body or not _is_of_page(child)) and "data-blog-faq" not in child.attrs:
            inner = _copy(child, is_body=is_body or "data-blog-body" in child.attrs)
            inner.parent = copy
            copy.children.append(inner)
    return copy


def _is_of_renderer(element: Element) -> bool:
    classes = element.attrs.get("class", "").split()
    if any(isinstance(child, Element) for child in element.children):
        return False
    if element.name == "a" and "blog-heading-anchor" in classes:
        return element.text() == "#" and element.attrs.get("href", "").startswith("#")
    if element.name == "span" and "blog-code-lang" in classes and element.parent is not None:
        return element.text() == " ".join(element.parent.attrs.get("data-lang", "").split())
    return False


def _is_of_page(element: Element) -> bool:
    attrs = element.attrs
    if GENERATED in attrs or "data-blog-preview" in attrs or "data-blog-contents" in attrs:
        return True
    return not _PARTS.isdisjoint(attrs.get("class", "").split()) or _is_byline(element)


def _is_byline(element: Element) -> bool:
    """Whether this is a line that names the author or a date, as hosts write it in words of their own."""
    if element.name in _IN_LINE or any(one.name not in _IN_LINE for one in element.all()):
        return False
    return any(_signs(one) for one in element.all())


def _signs(element: Element) -> bool:
    attrs = element.attrs
    is_author = "author" in attrs.get("rel", "").lower().split() or "author" in attrs.get("itemprop", "").split()
    return is_author or (element.name == "time" and "datetime" in attrs)
