"""The script direction of the parts of a body that are not written in the blog's own direction."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from blog_engine.content._tree import HEADINGS, Element, walk

_LETTER: Final = re.compile(r"[^\W\d_]")
_RIGHT_TO_LEFT: Final = re.compile(
    r"(?=[^\W\d_])"
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_BLOCKS: Final = HEADINGS | {"p", "ul", "ol", "dl", "blockquote", "table", "figcaption", "summary"}
_LISTS: Final = frozenset({"ul", "ol", "table"})
_PARTS: Final = frozenset({"li", "td", "th"})
_ALERT: Final = "blog-alert"
_NOT_COUNTED: Final = frozenset({"blog-alert-title", "blog-heading-anchor", "blog-footnote-back"})
"""What the engine adds to a body, in the language of the blog."""


def mark_direction(element: Element, *, direction: str) -> None:
    """Give the outermost blocks below the element a ``dir`` where it is not the blog's direction, in place.

    All letters count, except those of code, and not only the first one: an Arabic paragraph may begin with the name
    of a program.
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
    """Return ``rtl`` or ``ltr``: what most items or cells have, else most letters; ``None`` without any letter.

    Of as many of both kinds, the first decides.
    """
    if element.name not in _LISTS:
        return _of_letters("".join(_written(element)))
    parts = (part for part in walk(element) if part.name in _PARTS)
    # What is listed inside an item counts as items of its own, and only once.
    texts = ("".join(_written(part, without=_LISTS)) for part in parts)
    found = [direction for text in texts if (direction := _of_letters(text))]
    return Counter(found).most_common(1)[0][0] if found else None


def _of_letters(text: str) -> str | None:
    first = _LETTER.search(text)
    if first is None:
        return None
    more = 2 * len(_RIGHT_TO_LEFT.findall(text)) - len(_LETTER.findall(text))
    is_rtl = more > 0 or (more == 0 and bool(_RIGHT_TO_LEFT.match(first[0])))
    return "rtl" if is_rtl else "ltr"


def _written(element: Element, *, without: frozenset[str] = frozenset()) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif child.name not in {"code", "pre"} | without and child.attrs.get("class") not in _NOT_COUNTED:
            yield from _written(child, without=without)
