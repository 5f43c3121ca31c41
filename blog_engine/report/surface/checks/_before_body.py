"""What a page says before its article begins."""

from collections.abc import Iterator

from blog_engine.report.surface.html import Element, HtmlPage


def elements_before_body(page: HtmlPage) -> Iterator[Element]:
    """The elements that end before the body begins, in order; all of a page that marks no body."""
    body = next(page.root.with_attr("data-blog-body"), None)
    around = set(_ids_around(body))
    for element in page.root.all():
        if element is body:
            return
        if id(element) not in around:
            yield element


def says_before_body(page: HtmlPage, sentence: str, *, unlike: str = "") -> bool:
    """Whether readers see the sentence before the body, within one element, and not as a part of ``unlike``."""
    return any(sentence in one.visible_text().replace(unlike, "") for one in elements_before_body(page))


def _ids_around(element: Element | None) -> Iterator[int]:
    while element is not None:
        yield id(element)
        element = element.parent
