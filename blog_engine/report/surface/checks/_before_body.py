"""What a page says before its article begins."""

from blog_engine.report.surface.checks._reading import words_of
from blog_engine.report.surface.html import Element, HtmlPage


def part_before_body(page: HtmlPage) -> Element:
    """A copy of the page that ends where the body begins; all of a page that marks no body."""
    copy, _ = _until_body(page.root)
    return copy


def says(part: Element, sentence: str, *, unlike: str = "") -> bool:
    """Whether readers see the sentence, and not only within the sentence ``unlike``."""
    return sentence in " ".join(run.text for run in words_of(part)).replace(unlike, "")


def _until_body(element: Element) -> tuple[Element, bool]:
    """A copy, and whether it was broken off at the body."""
    copy = Element(element.name, dict(element.attrs), None)
    for child in element.children:
        if isinstance(child, str):
            copy.children.append(child)
            continue
        if "data-blog-body" in child.attrs:
            return copy, True
        inner, is_over = _until_body(child)
        inner.parent = copy
        copy.children.append(inner)
        if is_over:
            return copy, True
    return copy, False
