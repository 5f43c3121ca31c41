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
    parts_that_show,
    text_of,
    tokenize,
    walk,
    write_html,
)
from blog_engine.content.sanitize import ATTRIBUTES, TAGS
from blog_engine.content.urls import IMAGE_SCHEMES, is_allowed
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.html.pasted_code import make_code_blocks
from blog_engine.importing.html.pasted_lines import tidy_lines
from blog_engine.importing.html.pasted_lists import make_lists
from blog_engine.importing.html.pasted_notes import mark_notes, without_signs, write_notes
from blog_engine.importing.html.pasted_tables import tidy_tables
from blog_engine.importing.html.reading import captions_first
from blog_engine.importing.source import Losses

MAX_CLIPBOARD: Final = 1_000_000
"""The most characters of clipboard HTML that are read: some 200 pages of a word processor."""
_MAX_PLAIN: Final = 200_000
"""The most characters of HTML without styles that become Markdown, which takes some 2 s for the most hostile."""
_FRAGMENT: Final = re.compile(r"<!--\s*StartFragment\s*-->(.*?)(?:<!--\s*EndFragment\s*-->|\Z)", re.DOTALL)
_ROWS: Final = re.compile(r"\s*<(?:col|colgroup|tr|td|th|tbody|thead)\b", re.I)
_DROPPED: Final = frozenset(
    {"style", "script", "title", "button", "template", "noscript", "select", "textarea", "svg", "annotation", "rp"}
)
"""Elements whose content is not shown, or is no text of the page."""
_SAME: Final = {
    **{"b": "strong", "i": "em", "cite": "em", "s": "del", "strike": "del", "tt": "code", "v:imagedata": "img"},
    **dict.fromkeys(["u", "font", "ins"], "span"),
    **{
        "tfoot": "tbody",
        "caption": "p",
        "footer": "div",
        "header": "div",
        "article": "div",
        "main": "div",
        "center": "div",
    },
}
_SAID: Final = {"q": "\u201c\u201d", "rt": "()"}
"""Elements around which browsers show characters."""
_PLAYERS: Final = frozenset({"video", "audio", "iframe", "embed"})
_STYLED: Final = ("style", "class", "id", "align", "role")
_KEPT: Final = {"img": ("o:title",), "a": ("name",), "td": ("colspan", "rowspan"), "th": ("colspan", "rowspan")}

_BOLD: Final = re.compile(r"font-weight:\s*(?:bold|[6-9]00)", re.I)
_NORMAL: Final = re.compile(r"font-weight:\s*(?:normal|[1-4]00)", re.I)
_ITALIC: Final = re.compile(r"font-style:\s*(?:italic|oblique)", re.I)
# Bounded: a style can be one long text in which every place begins such a property.
_STRUCK: Final = re.compile(r"text-decoration[a-z-]{0,10}:[^;]{0,60}line-through", re.I)
_FIXED: Final = re.compile(r"font-family:[^;]{0,60}(?:courier|consolas|menlo|mono)", re.I)
_HEADING_CLASS: Final = re.compile(r"\bMso(?:Title|Subtitle)\b")
_UNSEEN_CLASS: Final = re.compile(r"\b(?:MsoCommentReference|msocomanchor|msoDel)\b")
_UNSEEN: Final = re.compile(
    r"display:\s*none|visibility:\s*hidden|mso-hide:\s*all|mso-element:\s*comment|\bclip:\s*rect\(0"
    r"|\b(?:left|top|text-indent):\s*-\d{4,5}px",
    re.I,
)


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
    tree = build_tree(_plain(without_signs(copied)), tags=TAGS, keep=_keep)
    _drop_hidden(tree)
    missing = _name_images(tree)
    mark_notes(tree)
    make_lists(tree)
    make_code_blocks(tree)
    _dress(tree)
    _tidy(tree)
    tidy_tables(tree)
    tidy_lines(tree)
    plain = write_html(tree)
    if len(plain) > _MAX_PLAIN:
        raise ValueError("The clipboard has more than can be converted")
    markdown = convert(plain, losses=Losses(), rich_text_allowed=False).body
    return Pasted(write_notes(markdown).strip("\n"), missing)


def _plain(html: str) -> Iterator[Token]:
    """Yield the tokens that are shown, with one name for elements that look the same."""
    skipping: list[str] = []
    for token in captions_first(tokenize(html)):
        if skipping:
            if isinstance(token, StartTag) and token.name == skipping[0] and not token.is_self_closing:
                skipping.append(token.name)
            elif isinstance(token, EndTag) and token.name == skipping[0]:
                skipping.pop()
        elif isinstance(token, StartTag):
            if token.name in _DROPPED:
                skipping += [] if token.is_self_closing and token.name == "svg" else [token.name]
            elif token.name in _SAID:
                yield _SAID[token.name][0]
            elif token.name in _PLAYERS:
                yield from _link_to(dict(token.attrs).get("src", ""))
            else:
                yield StartTag(_SAME.get(token.name, token.name), _with_font(token))
        elif isinstance(token, EndTag):
            yield _SAID[token.name][1] if token.name in _SAID else EndTag(_SAME.get(token.name, token.name))
        else:
            yield token


def _link_to(source: str) -> Iterator[Token]:
    """Yield a paragraph with a link to what a player shows, if others can load it."""
    if source.startswith(("https:", "http:")):
        yield from (StartTag("p", []), StartTag("a", [("href", source)]), source, EndTag("a"), EndTag("p"))


def _with_font(token: StartTag) -> list[tuple[str, str]]:
    """Return the attributes of a tag, with the font of an old program as a style."""
    if token.name != "font":
        return token.attrs
    attrs = dict(token.attrs)
    return [("style", f"font-family: {attrs.get('face', '')}; {attrs.get('style', '')}")]


def _keep(tag: str, name: str, value: str) -> bool:
    return name in _STYLED or name in ATTRIBUTES.get(tag, ()) or name in _KEPT.get(tag, ())


def _drop_hidden(tree: Element) -> None:
    """Remove what the other program does not show, and comments, in place."""
    for element in (tree, *walk(tree)):
        element.children = [child for child in element.children if isinstance(child, str) or not _is_unseen(child)]


def _is_unseen(element: Element) -> bool:
    style, classes = element.attrs.get("style", ""), element.attrs.get("class", "")
    return bool(_UNSEEN.search(style) or _UNSEEN_CLASS.search(classes))


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


def _dress(tree: Element) -> None:
    """Replace styles by the elements that mean them, in place."""
    shown = parts_that_show(tree)
    for element in list(walk(tree)):
        style = element.attrs.pop("style", "")
        # The class of code names its language.
        classes = element.attrs.get("class", "") if element.name in {"code", "pre"} else element.attrs.pop("class", "")
        for name in ("id", "name"):
            element.attrs.pop(name, None)
        if element.name == "p" and _HEADING_CLASS.search(classes):
            element.name = "h1" if "MsoTitle" in classes else "h2"
        if element.name == "strong" and (_NORMAL.search(style) or any(_is_heading(one) for one in element.children)):
            # Google Docs wraps everything it copies in such an element; headings are bold by themselves.
            element.name = "span"
        if element.name == "a" and "href" in element.attrs:
            element.attrs["href"] = _target(element.attrs["href"])
        if element.name not in {"span", "td", "th", "p", "li", "div"}:
            continue
        if id(element) not in shown or (
            element.name in {"span", "div"} and any(_is_block(child) for child in element.children)
        ):
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
        if element.name in HEADINGS:
            # The sign with a link to the heading itself.
            element.children = [child for child in element.children if not _is_permalink(child)]
            # A heading is bold by itself.
            _unwrap(element, {"span"})
            _unwrap(element, {"strong"})
        elif element.name in {"li", "td", "th"}:
            _unwrap(element, {"p", "div"} if sum(map(_is_block, element.children)) <= 1 else set())


def _is_permalink(node: "Element | str") -> bool:
    return (
        isinstance(node, Element)
        and node.name == "a"
        and text_of(node).strip() in {"", "#", "\xb6", "\xa7", "\U0001f517"}
    )


def _unwrap(element: Element, names: set[str]) -> None:
    element.children = [
        inner
        for child in element.children
        for inner in (child.children if isinstance(child, Element) and child.name in names else [child])
    ]
