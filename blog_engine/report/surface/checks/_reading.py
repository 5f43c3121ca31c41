"""What readers get from a part of a page: its words, its links, and what it shows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from blog_engine.content.text import composed
from blog_engine.report.surface.checks._copies import copy_without
from blog_engine.report.surface.checks._stored_media import AddressBook
from blog_engine.report.surface.html import Element

_SPACE: Final = re.compile(r"[ \t\n\f\r]+")
_IN_LINE: Final = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "input", "ins"}
    | {"kbd", "label", "mark", "picture", "q", "s", "samp", "small", "source", "span", "strong", "sub", "sup", "time"}
    | {"u", "var", "wbr"}
)
_MARKS: Final = {"del": "~~", "s": "~~", "sup": "^", "sub": "_"}
"""Elements that change what their words mean: what is struck out is not said, and 10² is not 102."""
_EMBEDDED: Final = ("img", "image", "iframe", "object", "embed", "video", "audio")
_CANDIDATE: Final = re.compile(r"[\s,]*(\S+)([^,]*)")


@dataclass(frozen=True, slots=True)
class Run:
    """Words without a code block among them, white space collapsed; or a code block, as it is."""

    text: str
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link leads, and from which words."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """An image, or something else that a page embeds: what its addresses stand for, and its alternative text."""

    name: str
    stands_for: frozenset[str]
    text: str


def words_of(element: Element) -> tuple[Run, ...]:
    """All visible text in order; the state of task boxes and the numbers of lists belong to it."""
    runs = _Runs()
    runs.read(element)
    runs.end_run()
    return tuple(runs.done)


def links_of(element: Element, book: AddressBook) -> tuple[Link, ...]:
    """The visible links in order; one within another, which HTML does not know, without its words."""
    found = (one for one in element.all("a", "area") if "href" in one.attrs and not one.is_hidden())
    return tuple(Link(book.spelled(one.attrs["href"]), "" if _is_in_link(one) else _line_of(one)) for one in found)


def shown_in(element: Element, book: AddressBook) -> tuple[Shown, ...]:
    """The visible images and embedded things in order, each with all addresses that a browser may choose from."""
    return tuple(_shown(one, book) for one in element.all(*_EMBEDDED) if not one.is_hidden())


def _line_of(element: Element) -> str:
    return plain(" ".join(run.text for run in words_of(element)))


def _is_in_link(element: Element) -> bool:
    around = element.parent
    while around is not None and around.name != "a":
        around = around.parent
    return around is not None


def plain(text: str) -> str:
    """The text in the form in which texts are compared."""
    return _SPACE.sub(" ", composed(text)).strip()


def for_the_eye(element: Element) -> Element:
    """A copy in which nothing is kept from assistive technology alone, so that all stays that is on the screen."""
    copy = copy_without(element, lambda _: False)
    for one in (copy, *copy.all()):
        one.attrs.pop("aria-hidden", None)
    return copy


class _Runs:
    def __init__(self) -> None:
        self.done: list[Run] = []
        self._parts: list[str] = []

    def read(self, element: Element) -> None:
        for child in element.children:
            if isinstance(child, str):
                self._parts.append(child)
            elif child.hides():
                continue
            elif child.name == "pre":
                self.end_run()
                self.done.append(Run(_code(child), is_code=True))
            else:
                around = _MARKS.get(child.name, "" if child.name in _IN_LINE else " ")
                self._parts += [around, _said_by_attributes(child)]
                self.read(child)
                self._parts.append(around)

    def end_run(self) -> None:
        if text := plain("".join(self._parts)):
            self.done.append(Run(text))
        self._parts.clear()


def _said_by_attributes(element: Element) -> str:
    attrs = element.attrs
    if element.name == "input" and attrs.get("type", "").lower() == "checkbox":
        return "[x]" if "checked" in attrs else "[ ]"
    number = attrs.get({"ol": "start", "li": "value"}.get(element.name, ""), "1")
    return "" if number == "1" else f"{number}. "


def _code(element: Element) -> str:
    # What the last line of a code block ends with, nobody sees; a payload does not keep it.
    text = "".join(_all_text(element)).replace("\r\n", "\n").rstrip(" \t\n")
    return composed(text)


def _all_text(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif not child.hides():
            yield from _all_text(child)


def _shown(element: Element, book: AddressBook) -> Shown:
    attrs = element.attrs
    addresses = [attrs[name] for name in ("src", "poster", "data", "href", "xlink:href") if name in attrs]
    choices = [attrs.get("srcset", ""), *_choices_around(element)]
    addresses += [url for choice in choices for url in _urls_in(choice)]
    return Shown(element.name, frozenset(map(book.shown_by, addresses)), plain(attrs.get("alt", "")))


def _choices_around(element: Element) -> Iterator[str]:
    """What the other parts of a ``picture``, ``video`` or ``audio`` offer; a second image in a picture has none."""
    around = element.parent if element.parent is not None and element.parent.name == "picture" else element
    if around is element or next(around.all(element.name)) is element:
        for source in around.all("source"):
            yield source.attrs.get("srcset", "")
            yield source.attrs.get("src", "")


def _urls_in(srcset: str) -> Iterator[str]:
    position = 0
    while found := _CANDIDATE.match(srcset, position):
        url = found[1].rstrip(",")
        # A comma right behind an address ends its entry: then what follows is the next address, no width.
        position = found.end(1) if url != found[1] else found.end()
        if url:
            yield url
