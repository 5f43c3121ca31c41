"""Code blocks as readers see them: coloured, labelled, scrollable by keyboard, with a copy button."""

from blog_engine.content._highlight import Highlighter
from blog_engine.content._tree import Element, Node, text_of
from blog_engine.content.options import RenderLabels


def dress_code_blocks(element: Element, *, labels: RenderLabels) -> None:
    """Put every ``pre`` below the element into a ``div.blog-highlight``, in place.

    The label and the button stand outside the ``pre``, so that they neither scroll away nor belong to its text. The
    button is hidden until a script makes it work.
    """
    _dress_below(element, labels=labels, highlighter=Highlighter())


def _dress_below(element: Element, *, labels: RenderLabels, highlighter: Highlighter) -> None:
    for position, child in enumerate(element.children):
        if isinstance(child, Element):
            if child.name == "pre":
                element.children[position] = _dressed(child, labels=labels, highlighter=highlighter)
            else:
                _dress_below(child, labels=labels, highlighter=highlighter)


def _dressed(pre: Element, *, labels: RenderLabels, highlighter: Highlighter) -> Element:
    language = pre.attrs.get("lang", "").strip()
    code = text_of(pre)
    name = labels.code_in % {"language": language} if language else labels.code
    # A named group, not a region: a page with many blocks must not get as many landmarks.
    attrs = {"tabindex": "0", "role": "group", "aria-label": name}
    shown = Element("code", {}, highlighter.highlight(code, language=language))
    parts: list[Node] = [Element("pre", attrs, [shown])]
    if language:
        parts.insert(0, Element("span", {"class": "blog-code-lang", "aria-hidden": "true"}, [language]))
    parts.append(_copy_button(labels))
    return Element("div", {"class": "blog-highlight"} | ({"data-lang": language} if language else {}), parts)


def _copy_button(labels: RenderLabels) -> Element:
    attrs = {"type": "button", "class": "blog-copy", "hidden": "", "data-blog-copy": "", "aria-label": labels.copy_code}
    return Element("button", attrs, [labels.copy])
