"""Code blocks that a script of the host draws as diagrams."""

from typing import Final

from blog_engine.content.html import Element

DIAGRAM_MARK: Final = '<figure class="blog-diagram" data-blog-diagram="%s">'
"""What the HTML of a body contains if it has a diagram in a language; the text of an author cannot contain it."""


def wrap_diagrams(element: Element, *, languages: frozenset[str]) -> None:
    """Wrap each code block in one of the languages in a ``figure`` that names it, in place.

    The block stays what readers see without the script.
    """
    for position, child in enumerate(element.children):
        if not isinstance(child, Element):
            continue
        language = child.attrs.get("data-lang", "").lower()
        if language in languages:
            attrs = {"class": "blog-diagram", "data-blog-diagram": language}
            element.children[position] = Element("figure", attrs, [child])
        else:
            wrap_diagrams(child, languages=languages)
