"""Names and roles for what the Markdown compiler adds: footnotes, alerts, task boxes, tables (reader.md 16.2)."""

from typing import Final

from blog_engine.content._tree import Element, Node, text_of, walk
from blog_engine.content.options import RenderLabels

_LISTS: Final = frozenset({"ul", "ol"})


def annotate(tree: Element, *, labels: RenderLabels) -> None:
    """Say in the blog's language, for eyes and for screen readers, what these parts are, in place."""
    for element in walk(tree):
        css_class = element.attrs.get("class", "")
        if css_class == "blog-footnotes":
            element.attrs |= {"role": "doc-endnotes", "aria-label": labels.footnotes}
        elif css_class.startswith("blog-alert blog-alert-"):
            _annotate_alert(element, kind=css_class.rpartition("-")[2], labels=labels)
        elif css_class == "blog-task":
            _name_task_box(element)
        elif css_class == "blog-footnote-ref":
            element.attrs["role"] = "doc-noteref"
        elif css_class == "blog-footnote-back":
            reference = element.attrs["href"].rpartition("ref-")[2]
            label = labels.back_to_reference % {"number": reference}
            element.attrs |= {"role": "doc-backlink", "aria-label": label}


def wrap_tables(element: Element, *, labels: RenderLabels) -> None:
    """Put every table below the element into a ``div.blog-table`` that scrolls by keyboard, in place."""
    attrs = {"class": "blog-table", "tabindex": "0", "role": "group", "aria-label": labels.table}
    for position, child in enumerate(element.children):
        if isinstance(child, Element):
            wrap_tables(child, labels=labels)
            if child.name == "table":
                element.children[position] = Element("div", dict(attrs), [child])


def _annotate_alert(alert: Element, *, kind: str, labels: RenderLabels) -> None:
    alert.attrs["role"] = "note"
    for child in alert.children:
        if isinstance(child, Element) and child.attrs.get("class") == "blog-alert-title":
            child.children = [labels.alerts[kind]]
            return


def _name_task_box(item: Element) -> None:
    # The text of the item names its box: a checkbox without a name says nothing to a screen reader.
    name = " ".join("".join(_own_text(child) for child in item.children).split())
    for element in walk(item):
        if element.attrs.get("class") == "blog-task-box":
            if name:
                element.attrs["aria-label"] = name
            return


def _own_text(node: Node) -> str:
    if isinstance(node, str):
        return node
    return "" if node.name in _LISTS else text_of(node)
