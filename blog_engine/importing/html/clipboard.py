"""Markdown from the HTML that programs put on the clipboard: word processors, spreadsheets, browsers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

from blog_engine.content.html import (
    HEADINGS,
    INLINE,
    Element,
    EndTag,
    StartTag,
    Token,
    build_tree,
    text_of,
    tokenize,
    walk,
    write_html,
)
from blog_engine.content.sanitize import ATTRIBUTES, TAGS
from blog_engine.content.urls import IMAGE_SCHEMES, is_allowed
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.source import Losses

MAX_CLIPBOARD: Final = 1_000_000
"""The most characters of clipboard HTML that are read: some 200 pages of a word processor."""
_MAX_PLAIN: Final = 200_000
"""The most characters of HTML without styles that become Markdown, which takes some 2 s for the most hostile."""
_FRAGMENT: Final = re.compile(r"<!--\s*StartFragment\s*-->(.*?)(?:<!--\s*EndFragment\s*-->|\Z)", re.DOTALL)
_ROWS: Final = re.compile(r"\s*<(?:col|colgroup|tr|td|th|tbody|thead)\b", re.I)
_DROPPED: Final = frozenset({"style", "script", "title"})
"""Elements of which the text is not shown. The tokens have it as one text."""
_SAME: Final = {
    **{"b": "strong", "i": "em", "cite": "em", "s": "del", "strike": "del", "tt": "code", "v:imagedata": "img"},
    **dict.fromkeys(["u", "font", "ins"], "span"),
}
_STYLED: Final = ("style", "class", "id", "align")

_BOLD: Final = re.compile(r"font-weight:\s*(?:bold|[6-9]00)", re.I)
_NORMAL: Final = re.compile(r"font-weight:\s*(?:normal|[1-4]00)", re.I)
_ITALIC: Final = re.compile(r"font-style:\s*(?:italic|oblique)", re.I)
# Bounded: a style can be one long text in which every place begins such a property.
_STRUCK: Final = re.compile(r"text-decoration[a-z-]{0,10}:[^;]{0,60}line-through", re.I)
_FIXED: Final = re.compile(r"font-family:[^;]{0,60}(?:courier|consolas|menlo|mono)", re.I)
_LIST: Final = re.compile(r"mso-list:\s*l\d+\s+level(\d)", re.I)
_IGNORED: Final = re.compile(r"mso-list:\s*ignore", re.I)
_NUMBER: Final = re.compile(r"\(?(?:\d{1,4}|[a-z]{1,4})[.)]", re.I)
_HEADING_CLASS: Final = re.compile(r"\bMso(?:Title|Subtitle)\b")


@dataclass(frozen=True, slots=True)
class Pasted:
    """Markdown of a clipboard, and the number of images that were not on it."""

    markdown: str
    missing_images: int


def markdown_of_clipboard(html: str) -> Pasted:
    """Return the Markdown of clipboard HTML.

    Structure is kept: headings, emphasis, links, lists, tables, code, images with a URL. Fonts, colours and sizes are
    left out. An image that only the other program has is its name in parentheses. Raises ``ValueError`` if there is
    more than can be converted in the time of a request.
    """
    if len(html) > MAX_CLIPBOARD:
        raise ValueError("The clipboard has more than can be converted")
    found = _FRAGMENT.search(html)
    # Spreadsheets mark the rows, which are no table without what is around them.
    copied = found[1] if found and not _ROWS.match(found[1]) else html
    tree = build_tree(_plain(copied), tags=TAGS, keep=_keep)
    missing = _name_images(tree)
    _make_lists(tree)
    _dress(tree)
    _tidy(tree)
    plain = write_html(tree)
    if len(plain) > _MAX_PLAIN:
        raise ValueError("The clipboard has more than can be converted")
    markdown = convert(plain, losses=Losses(), rich_text_allowed=False).body
    return Pasted(markdown.strip("\n"), missing)


def _plain(html: str) -> Iterator[Token]:
    """Yield the tokens with one name for elements that look the same."""
    dropped = False
    for token in tokenize(html):
        if isinstance(token, StartTag):
            dropped = token.name in _DROPPED
            yield StartTag(_SAME.get(token.name, token.name), token.attrs)
        elif isinstance(token, EndTag):
            dropped = False
            yield EndTag(_SAME.get(token.name, token.name))
        elif not dropped:
            yield token


def _keep(tag: str, name: str, value: str) -> bool:
    return name in _STYLED or name in ATTRIBUTES.get(tag, ()) or (tag == "img" and name == "o:title")


def _name_images(tree: Element) -> int:
    """Replace images without a URL that others can load by their names, in place, and return how many there were."""
    missing = 0
    for element in (tree, *walk(tree)):
        for place, child in enumerate(element.children):
            if not isinstance(child, Element) or child.name != "img":
                continue
            source = child.attrs.get("src", "").strip()
            if source.startswith("//"):
                child.attrs["src"] = source = f"https:{source}"
            if source.startswith(("https:", "http:")) and is_allowed(source, schemes=IMAGE_SCHEMES):
                continue
            missing += 1
            name = child.attrs.get("alt") or child.attrs.get("o:title") or _file_name(source)
            element.children[place] = f"({name})" if name else ""
    return missing


def _file_name(source: str) -> str:
    return "" if source.startswith(("data:", "blob:")) else re.split(r"[/\\]", source)[-1]


def _make_lists(tree: Element) -> None:
    """Make lists of the paragraphs that Word marks as items, in place."""
    for element in (tree, *list(walk(tree))):
        if not any(isinstance(child, Element) and _level(child) for child in element.children):
            continue
        made: list[Element | str] = []
        open_lists: list[Element] = []
        for child in element.children:
            level = _level(child) if isinstance(child, Element) else 0
            if not level:
                # White space between items does not end a list.
                if isinstance(child, Element) or child.strip():
                    open_lists = []
                made.append(child)
                continue
            assert isinstance(child, Element)  # noqa: S101 - text has no level
            kind = _take_marker(child)
            del open_lists[level:]
            if len(open_lists) == level and open_lists[-1].name != kind:
                open_lists.pop()
            while len(open_lists) < level:
                fresh = Element(kind)
                if open_lists:
                    items = open_lists[-1].children
                    if not items:
                        items.append(Element("li"))
                    last = items[-1]
                    assert isinstance(last, Element)  # noqa: S101 - lists get items only
                    last.children.append(fresh)
                else:
                    made.append(fresh)
                open_lists.append(fresh)
            open_lists[-1].children.append(Element("li", {}, child.children))
        element.children = made


def _level(element: Element) -> int:
    found = _LIST.search(element.attrs.get("style", "")) if element.name == "p" else None
    return max(1, int(found[1])) if found else 0


def _take_marker(item: Element) -> str:
    """Remove the sign or number that Word writes before an item, and return the element of its list."""
    for element in (item, *walk(item)):
        for place, child in enumerate(element.children):
            if isinstance(child, Element) and _IGNORED.search(child.attrs.get("style", "")):
                marker = text_of(child).replace("\xa0", " ").strip()
                del element.children[place]
                # The letter o is the hollow bullet of the second level.
                return "ol" if _NUMBER.fullmatch(marker) and marker != "o" else "ul"
    return "ul"


def _dress(tree: Element) -> None:
    """Replace styles by the elements that mean them, in place."""
    for element in list(walk(tree)):
        style = element.attrs.pop("style", "")
        # The class of code names its language.
        classes = element.attrs.get("class", "") if element.name in {"code", "pre"} else element.attrs.pop("class", "")
        element.attrs.pop("id", None)
        if element.name == "p" and _HEADING_CLASS.search(classes):
            element.name = "h1" if "MsoTitle" in classes else "h2"
        if element.name == "strong" and (_NORMAL.search(style) or any(_is_heading(one) for one in element.children)):
            # Google Docs wraps everything it copies in such an element; headings are bold by themselves.
            element.name = "span"
        if element.name == "a" and "href" in element.attrs:
            element.attrs["href"] = _target(element.attrs["href"])
        if element.name not in {"span", "td", "th", "p", "li"}:
            continue
        text = text_of(element)
        if not text.strip() or (element.name == "span" and any(_is_block(child) for child in element.children)):
            continue
        for pattern, name in ((_BOLD, "strong"), (_ITALIC, "em"), (_STRUCK, "del")):
            if pattern.search(style):
                element.children = [Element(name, {}, element.children)]
        if (
            element.name == "span"
            and _FIXED.search(style)
            and not any(isinstance(one, Element) for one in element.children)
        ):
            element.children = [Element("code", {}, element.children)]


def _is_block(node: "Element | str") -> bool:
    return isinstance(node, Element) and node.name not in INLINE


def _is_heading(node: "Element | str") -> bool:
    return isinstance(node, Element) and node.name in HEADINGS


def _target(href: str) -> str:
    """Return where a link leads: Google Docs sends readers through a page of its own."""
    parts = urlsplit(href) if href.startswith("https://www.google.com/url?") else None
    return parse_qs(parts.query).get("q", [href])[0] if parts else href


def _tidy(tree: Element) -> None:
    """Remove what programs add for the look of a page, in place."""
    for element in (tree, *list(walk(tree))):
        element.children = [
            child.replace("\xa0", " ") if isinstance(child, str) else child
            for child in element.children
            if not _is_empty_paragraph(child)
        ]
        if element.name in HEADINGS:
            # A heading is bold by itself.
            _unwrap(element, {"span"})
            _unwrap(element, {"strong"})
        elif element.name in {"li", "td", "th"}:
            _unwrap(element, {"p", "div"} if sum(map(_is_block, element.children)) <= 1 else set())
        if element.name not in INLINE and element.name != "pre":
            _drop_breaks_between_blocks(element)
    for element in walk(tree):
        if element.name == "table":
            _make_heading_row(element)


def _is_empty_paragraph(node: "Element | str") -> bool:
    if isinstance(node, str) or node.name not in {"p", "div", *HEADINGS}:
        return False
    return not text_of(node).replace("\xa0", " ").strip() and not any(one.name in {"img", "hr"} for one in walk(node))


def _unwrap(element: Element, names: set[str]) -> None:
    element.children = [
        inner
        for child in element.children
        for inner in (child.children if isinstance(child, Element) and child.name in names else [child])
    ]


def _drop_breaks_between_blocks(element: Element) -> None:
    """Remove line breaks beside blocks, where they only make space, in place."""
    if not any(map(_is_block, element.children)):
        return
    kept: list[Element | str] = []
    is_after_block = True
    waiting: list[Element | str] = []
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


def _make_heading_row(table: Element) -> None:
    """Make the first row the heading, which each table has in Markdown."""
    groups = [child for child in table.children if isinstance(child, Element)]
    rows = [row for group in groups for row in ([group] if group.name == "tr" else group.children)]
    first = next((row for row in rows if isinstance(row, Element) and row.name == "tr"), None)
    for cell in _cells(first) if first else ():
        cell.name = "th"
        # What is in a heading is bold by itself; spans around it mean nothing by now.
        _unwrap(cell, {"span"})
        _unwrap(cell, {"strong"})


def _cells(row: Element) -> Iterator[Element]:
    return (cell for cell in row.children if isinstance(cell, Element) and cell.name == "td")
