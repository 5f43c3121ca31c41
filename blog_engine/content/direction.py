"""The text direction of blocks."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from blog_engine.content.html import HEADINGS, Element, walk
from blog_engine.content.image_notes import NOTE_CLASS

_LETTER: Final = re.compile(r"[^\W\d_]")
_RIGHT_TO_LEFT: Final = re.compile(
    r"(?=[^\W\d_])"
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_BLOCKS: Final = HEADINGS | {"p", "ul", "ol", "dl", "blockquote", "table", "figcaption", "summary"}
_LISTS: Final = frozenset({"ul", "ol", "dl", "table"})
_PARTS: Final = frozenset({"li", "dt", "dd", "td", "th"})
_ALERT: Final = "blog-alert"
_NOT_COUNTED: Final = frozenset({"blog-alert-title", "blog-heading-anchor", "blog-footnote-back", NOTE_CLASS})
"""Classes of the text that rendering adds in the language of the blog."""


def mark_direction(element: Element, *, direction: str) -> None:
    """Set ``dir`` on the outermost blocks that run against ``direction``, in place.

    The direction is that of most letters outside code, not of the first one: an Arabic paragraph can start with the
    name of a program.
    """
    for child in element.children:
        if not isinstance(child, Element) or child.name == "pre":
            continue
        is_alert = child.attrs.get("class", "").split(" ")[0] == _ALERT
        if child.name not in _BLOCKS and not is_alert:
            mark_direction(child, direction=direction)
        elif (own := _direction_of(child)) and own != direction:
            child.attrs["dir"] = own
            if is_alert:
                _keep_title(child)


def _keep_title(alert: Element) -> None:
    for child in alert.children:
        if isinstance(child, Element) and child.attrs.get("class") == "blog-alert-title":
            child.attrs["dir"] = "auto"


def _direction_of(element: Element) -> str | None:
    """Return ``rtl`` or ``ltr``, or ``None`` for a block without letters.

    For a list or table it is the direction of most items or cells, for another block that of most letters. In a tie,
    the first one decides.
    """
    if element.name not in _LISTS:
        return _direction_of_text("".join(_text_parts(element)))
    parts = (part for part in walk(element) if part.name in _PARTS)
    # The items of a nested list are counted on their own, not again with the item around them.
    texts = ("".join(_text_parts(part, without=_LISTS)) for part in parts)
    found = [direction for text in texts if (direction := _direction_of_text(text))]
    return Counter(found).most_common(1)[0][0] if found else None


def _direction_of_text(text: str) -> str | None:
    first = _LETTER.search(text)
    if first is None:
        return None
    if text.isascii():
        return "ltr"
    more = 2 * len(_RIGHT_TO_LEFT.findall(text)) - len(_LETTER.findall(text))
    is_rtl = more > 0 or (more == 0 and bool(_RIGHT_TO_LEFT.match(first[0])))
    return "rtl" if is_rtl else "ltr"


def _text_parts(element: Element, *, without: frozenset[str] = frozenset()) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.name not in {"code", "pre"} | without and child.attrs.get("class") not in _NOT_COUNTED:
            yield from _text_parts(child, without=without)
