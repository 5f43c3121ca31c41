"""What a page says of its own article, apart from what it says of others."""

from collections.abc import Iterator

from blog_engine.report.surface.html import Element, HtmlPage


def elements_of_content(page: HtmlPage) -> Iterator[Element]:
    """The elements of the content region that stand in no card of another post."""
    region = next(page.root.with_attr("data-blog-content"), None)
    return _elements(region, leaves_out=frozenset()) if region else iter(())


def elements_of_page(page: HtmlPage) -> Iterator[Element]:
    """Those of the whole page, without navigation and what stands aside."""
    return _elements(page.root, leaves_out=frozenset({"nav", "aside"}))


def _elements(region: Element, *, leaves_out: frozenset[str]) -> Iterator[Element]:
    ahead = region.children[::-1]
    while ahead:
        child = ahead.pop()
        if isinstance(child, Element) and child.name not in leaves_out and not _is_of_other_post(child):
            yield child
            ahead += child.children[::-1]


def _is_of_other_post(element: Element) -> bool:
    if "blog-card" in element.attrs.get("class", "").split():
        return True
    return element.name == "article" and not any(_is_of_this_post(one) for one in (element, *element.all()))


def _is_of_this_post(element: Element) -> bool:
    return element.name == "h1" or "data-blog-content" in element.attrs
