"""Lines and characters of the clipboard: paragraphs of line breaks, spaces, URLs, raised numbers."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from blog_engine.content.html import HEADINGS, INLINE, Element, Node, parts_that_show, text_of, walk
from blog_engine.content.scripts import LOWERED, RAISED, with_own_characters

# Between a number and its unit, and in the punctuation of French; elsewhere editors write one for any space.
_TYPOGRAPHIC: Final = re.compile(r"(?<=[\d«])\xa0(?=\S)|\xa0(?=[»;:!?%€])")
_KEPT_SPACE: Final = "\ue0f3"
_INVISIBLE: Final = re.compile("[\xad\u200b\ufeff\ue0f3]")
"""Hints for line ends and marks of the order of bytes, which keep words from being found."""
_PIECES: Final = frozenset({"img", "hr"})
_URL: Final = re.compile(r"https?://[^\s<>\"'`\xa0]{1,2000}")
_AFTER_URL: Final = ".,;:!?)]}»\u201d\u2019"


def tidy_lines(tree: Element) -> None:
    """Make paragraphs of what two line breaks part, and remove empty ones and characters that no one sees, in place."""
    _tidy_texts(tree, is_code=False, is_linked=False)
    elements = [tree, *walk(tree)]
    empty = {id(element) for element in elements} - parts_that_show(tree, pieces=_PIECES)
    for element in elements:
        if element.name in {"sup", "sub"}:
            _raise(element)
        if element.name in INLINE or element.name == "pre":
            continue
        element.children = [child for child in element.children if not _is_empty_paragraph(child, empty)]
        _split(element)
        _drop_breaks_between_blocks(element)
        _merge_quotations(element, empty)


def _tidy_texts(element: Element, *, is_code: bool, is_linked: bool) -> None:
    is_code = is_code or element.name in {"pre", "code"}
    is_linked = is_linked or element.name == "a"
    made: list[Node] = []
    for child in element.children:
        if isinstance(child, Element):
            _tidy_texts(child, is_code=is_code, is_linked=is_linked)
            made.append(child)
            continue
        text = _INVISIBLE.sub("", child)
        if is_code:
            made.append(text.replace("\xa0", " "))
            continue
        text = _TYPOGRAPHIC.sub(_KEPT_SPACE, text).replace("\xa0", " ").replace(_KEPT_SPACE, "\xa0")
        made += [text] if is_linked else _with_links(text)
    element.children = made


def _with_links(text: str) -> Iterator[Node]:
    end = 0
    for found in _URL.finditer(text):
        url = found[0].rstrip(_AFTER_URL)
        yield text[end : found.start()]
        yield Element("a", {"href": url}, [url])
        end = found.start() + len(url)
    yield text[end:]


def _raise(element: Element) -> None:
    """Write raised and lowered numbers with characters of their own, since Markdown has no sign for them, in place."""
    text = text_of(element).strip()
    numbers = with_own_characters(text, RAISED if element.name == "sup" else LOWERED)
    if numbers != text:
        element.name, element.children = "span", [numbers]


def _is_empty_paragraph(node: Node, empty: set[int]) -> bool:
    return isinstance(node, Element) and node.name in {"p", "div", *HEADINGS} and id(node) in empty


def _is_block(node: Node) -> bool:
    return isinstance(node, Element) and node.name not in INLINE


def _split(element: Element) -> None:
    """Make paragraphs of the parts between two line breaks, in place."""
    if element.name not in {"p", "div", "", "blockquote"}:
        return
    runs: list[list[Node]] = [[]]
    breaks = 0
    for child in element.children:
        if isinstance(child, Element) and child.name == "br":
            breaks += 1
            if breaks == 2:
                runs.append([])
        elif isinstance(child, Element) or child.strip():
            if _is_block(child) or (runs[-1] and _is_block(runs[-1][0])):
                runs.append([])
            elif breaks == 1 and runs[-1]:
                runs[-1].append(Element("br"))
            breaks = 0
            runs[-1].append(child)
        elif runs[-1] and not breaks:
            runs[-1].append(child)
    if len([run for run in runs if run]) < 2 or not any(map(_is_double, _pairs(element.children))):
        return
    element.name = "div" if element.name == "p" else element.name
    element.children = [run[0] if _is_block(run[0]) else Element("p", {}, run) for run in runs if run]


def _pairs(children: list[Node]) -> Iterator[tuple[Node, Node]]:
    shown = [child for child in children if isinstance(child, Element) or child.strip()]
    return pairwise(shown)


def _is_double(pair: tuple[Node, Node]) -> bool:
    return all(isinstance(node, Element) and node.name == "br" for node in pair)


def _drop_breaks_between_blocks(element: Element) -> None:
    """Remove line breaks beside blocks, where they only make space, in place."""
    if not any(map(_is_block, element.children)):
        return
    kept: list[Node] = []
    is_after_block = True
    waiting: list[Node] = []
    for child in element.children:
        if isinstance(child, Element) and child.name == "br":
            waiting += [] if is_after_block else [child]
            continue
        if _is_block(child):
            waiting, is_after_block = [], True
        elif isinstance(child, Element) or child.strip():
            kept += waiting
            waiting, is_after_block = [], False
        kept.append(child)
    element.children = kept


def _merge_quotations(element: Element, empty: set[int]) -> None:
    """Make one of quotations in a row: word processors make one of each paragraph, in place."""
    made: list[Node] = []
    last: Element | None = None
    for child in element.children:
        if isinstance(child, Element) and child.name == "blockquote":
            if not any(map(_is_block, child.children)):
                child.children = [] if id(child) in empty else [Element("p", {}, child.children)]
            if last is not None:
                last.children += child.children
                continue
            last = child
        elif isinstance(child, Element) or child.strip():
            last = None
        made.append(child)
    element.children = made
