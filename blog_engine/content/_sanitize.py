"""The allow list: what of a body's HTML reaches a page (reader.md 16.2)."""

import re
from collections.abc import Mapping
from typing import Final

from bleach.sanitizer import Cleaner

from blog_engine.content._dom_walker import walk_dom
from blog_engine.content._parse import Keep, parse_html
from blog_engine.content._tokens import StartTag, tokenize
from blog_engine.content._tree import HEADINGS, Element, write_html

TAGS: Final = (
    HEADINGS
    | frozenset({"p", "ul", "ol", "li", "a", "strong", "em", "del", "code", "pre", "blockquote", "br", "hr", "img"})
    | frozenset({"figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td"})
    | frozenset({"sup", "sub", "section", "div", "span", "input"})
)
ATTRIBUTES: Final[Mapping[str, frozenset[str]]] = {
    "a": frozenset({"href", "rel"}),
    "img": frozenset({"src", "alt", "width", "height"}),
    "input": frozenset({"type", "checked", "disabled"}),
    "ol": frozenset({"start"}),
}
EVERYWHERE: Final = frozenset({"title", "lang", "align"})
PROTOCOLS: Final = frozenset({"http", "https", "mailto"})

ALERTS: Final = ("note", "tip", "important", "warning", "caution")
COMPILER_CLASSES: Final[Mapping[str, str]] = {
    "contains-task-list": "blog-tasks",
    "task-list-item": "blog-task",
    "task-list-item-checkbox": "blog-task-box",
    "markdown-alert-title": "blog-alert-title",
    **{f"markdown-alert markdown-alert-{kind}": f"blog-alert blog-alert-{kind}" for kind in ALERTS},
    "footnote-ref": "blog-footnote-ref",
    "footnotes": "blog-footnotes",
    "footnote-back": "blog-footnote-back",
}
"""Classes that our Markdown compiler writes, and their names on the page; no author can write any of them."""

_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_NUMERIC: Final = frozenset({"start", "width", "height"})


def sanitize_compiled(html: str, *, footnote_prefix: str) -> Element:
    """What our Markdown compiler wrote, sanitised; its own classes and footnote ids stay.

    Safe because the compiler drops raw HTML, so that no class or id in its output comes from the author.
    """
    footnote_id = re.compile(rf"{re.escape(footnote_prefix)}(ref-)?[0-9]+(-[0-9]+)?")

    def keep(tag: str, name: str, value: str) -> bool:
        if name == "class":
            return value in COMPILER_CLASSES
        return footnote_id.fullmatch(value) is not None if name == "id" else _is_listed(tag, name, value)

    return parse_html(_clean(html, keep=keep), tags=TAGS, keep=keep)


def sanitize_sent(html: str) -> Element:
    """HTML that an author sent, sanitised; no class, id, style or handler survives."""
    # html5lib needs quadratic time for deep nesting and unclosed emphasis, so it is given a tidy tree.
    tidy = write_html(parse_html(html, tags=TAGS, keep=_is_listed))
    return parse_html(_clean(tidy, keep=_is_listed), tags=TAGS, keep=_is_listed)


def foreign_elements(html: str) -> tuple[str, ...]:
    """Return the start tags of the elements that ``sanitize_sent`` takes out, each element once."""
    names = dict.fromkeys(token.name for token in tokenize(html) if isinstance(token, StartTag))
    return tuple(f"<{name}>" for name in names if name not in TAGS)


def _clean(html: str, *, keep: Keep) -> str:
    # A Cleaner keeps state between calls and is not safe to share among threads.
    cleaner = Cleaner(tags=TAGS, attributes=keep, protocols=PROTOCOLS, strip=True, strip_comments=True)
    cleaner.walker = walk_dom  # type: ignore[assignment]  # the stub names a class, bleach only calls it
    return cleaner.clean(html)


def _is_listed(tag: str, name: str, value: str) -> bool:
    if name in _NUMERIC and not _NUMBER.fullmatch(value):
        return False
    return name in EVERYWHERE or name in ATTRIBUTES.get(tag, frozenset())
