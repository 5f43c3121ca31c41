"""Read the blocks of a sanitised tree, with runs of text as readers see them: white space collapsed, pieces joined."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from markdown_it.common.normalize_url import normalizeLink

from blog_engine.content.html import HEADINGS, INLINE, Element, Node, text_of
from blog_engine.importing.html.blocks import (
    Block,
    Box,
    Break,
    Cell,
    Code,
    DefinedTerm,
    Definition,
    Details,
    Figure,
    Formula,
    HeadingBlock,
    InlinePicture,
    ListBlock,
    Paragraph,
    Quote,
    Rule,
    Span,
    Style,
    TableBlock,
    Terms,
    Text,
)
from blog_engine.importing.html.reading import LINE

_SPACE: Final = re.compile(r"[ \t\n\r\f]+")
_PLAIN: Final = Style()
_A_SPACE: Final = Text(" ", _PLAIN)
_BLANK: Final = " \t\n\r\f"
_MARKS: Final = frozenset({"strong", "em", "del", "sup", "sub", "kbd", "mark"})
_FORMULA: Final = "blog-math"
_CODE: Final = frozenset({"pre", "code"})
_WITH_TITLE: Final = frozenset({"a", "img"})
_ROWS: Final = frozenset({"thead", "tbody"})
_FOOTNOTES: Final = "blog-footnotes"


def _normal_spans(spans: list[Span]) -> tuple[Span, ...]:
    """Return spans with white space collapsed and pieces of one style joined.

    A space belongs to what the words on both sides of it share. Breaks at the start and the end are left out.
    """
    if len(spans) == 1 and isinstance(spans[0], Text) and not spans[0].style.is_code:
        only = spans[0]
        text = _SPACE.sub(" ", only.text).strip(" ")
        return (Text(text, only.style, only.line),) if text.strip() else ()
    words: list[Span] = []
    for span in spans:
        if not isinstance(span, Text) or span.style.is_code:
            words.append(span)
            continue
        text = _SPACE.sub(" ", span.text)
        inner = text.strip(" ")
        if text[0] == " ":
            words.append(_A_SPACE)
        if inner:
            words.append(Text(inner, span.style, span.line))
            if text[-1] == " ":
                words.append(_A_SPACE)
    kept: list[Span] = []
    for word in words:
        if _is_space(word) and (not kept or _is_space(kept[-1]) or isinstance(kept[-1], Break)):
            continue
        if isinstance(word, Break):
            while kept and _is_space(kept[-1]):
                kept.pop()
            if not kept:
                continue
        kept.append(word)
    while kept and (_is_space(kept[-1]) or isinstance(kept[-1], Break)):
        kept.pop()
    if not any(not isinstance(span, Text) or span.style.is_code or span.text.strip() for span in kept):
        return ()
    return tuple(_joined(kept))


def _joined(words: list[Span]) -> Iterator[Span]:
    last: Text | None = None
    for position, word in enumerate(words):
        if not isinstance(word, Text):
            if last is not None:
                yield last
            last = None
            yield word
            continue
        style = _shared(words[position - 1], words[position + 1]) if _is_space(word) else word.style
        if last is not None and last.style == style:
            last = Text(last.text + word.text, style, last.line)
        else:
            if last is not None:
                yield last
            last = Text(word.text, style, word.line)
    if last is not None:
        yield last


def _is_space(span: Span) -> bool:
    return span is _A_SPACE


def _shared(left: Span, right: Span) -> Style:
    if not isinstance(left, Text) or not isinstance(right, Text):
        return _PLAIN
    if left.style.href == right.style.href and left.style.title == right.style.title:
        href, title = left.style.href, left.style.title
    else:
        href, title = None, ""
    return Style(left.style.marks & right.style.marks, False, href, title)


@dataclass(frozen=True, slots=True)
class _Context:
    style: Style = _PLAIN
    align: str = ""
    line: int = 1
    lifts: bool = True
    """Whether images become figures, as on the page."""


def blocks_of(tree: Element) -> tuple[Block, ...]:
    """Return the blocks of a sanitised tree; empty paragraphs and headings, which no page shows, are left out."""
    return tuple(_Flow(_Context()).read(tree.children))


class _Flow:
    """Collects the blocks of one container; text outside paragraphs becomes paragraphs."""

    def __init__(self, context: _Context) -> None:
        self._context = context
        self._blocks: list[Block] = []
        self._spans: list[Span] = []
        self._line = context.line
        self._captions = False

    def read(self, nodes: Iterable[Node]) -> list[Block]:
        self._nodes(nodes, self._context)
        self._end_paragraph(self._context)
        return self._blocks

    def _nodes(self, nodes: Iterable[Node], context: _Context) -> None:
        for node in nodes:
            if isinstance(node, str):
                self._text(node, context)
            elif node.name in INLINE and node.attrs.get("class") != _FOOTNOTES:
                self._inline(node, _inside(node, context))
            else:
                self._end_paragraph(context)
                self._block(node, _inside(node, context))

    def _text(self, text: str, context: _Context) -> None:
        if not self._spans:
            text = text.lstrip(_BLANK)
            self._line = context.line
        if text:
            self._spans.append(Text(text, context.style, context.line))

    def _inline(self, element: Element, context: _Context) -> None:
        match element.name:
            case "br":
                self._spans.append(Break())
            case "img":
                self._picture(element, context)
            case "input":
                self._spans.append(Box("checked" in element.attrs))
            case "code" if "\n" in text_of(element).strip():
                self._code_lines(text_of(element).split("\n"), context)
            case "code":
                code = _SPACE.sub(" ", text_of(element)).strip(" ")
                if code:
                    style = replace(context.style, is_code=True)
                    if element.attrs.get("class") == _FORMULA:
                        style = _marked(style, "math")
                    self._spans.append(Text(code, style, context.line))
            case _:
                self._nodes(element.children, context)

    def _code_lines(self, lines: list[str], context: _Context) -> None:
        """Read code with line breaks: a block of it, or lines of one paragraph where no block can be."""
        while lines and not lines[0].strip():
            del lines[0]
        while lines and not lines[-1].strip():
            del lines[-1]
        if len(lines) > 1 and context.lifts and context.style == _PLAIN:
            self._end_paragraph(context)
            text = "\n".join(line.replace("\xa0", " ").rstrip() for line in lines)
            self._blocks.append(Code(text, "", line=context.line))
            return
        style = replace(context.style, is_code=True)
        for number, line in enumerate(lines):
            self._spans += [Break()] if number else []
            self._spans += [Text(line.strip(), style, context.line)] if line.strip() else []

    def _picture(self, image: Element, context: _Context) -> None:
        src, alt = _url(image.attrs.get("src", "")), " ".join(image.attrs.get("alt", "").split())
        if not src:
            return
        if not context.lifts:
            self._spans.append(InlinePicture(src, alt, context.style.href))
            return
        self._end_paragraph(context)
        caption = _SPACE.sub(" ", image.attrs.get("title", "")).strip(" ")
        spans = (Text(caption, _PLAIN),) if caption else ()
        self._blocks.append(Figure(src, alt, context.style.href, spans, line=context.line))

    def _end_paragraph(self, context: _Context) -> None:
        if not self._spans:
            return
        spans, self._spans = _normal_spans(self._spans), []
        if spans:
            self._blocks.append(Paragraph(spans, context.align, self._captions, line=self._line or context.line))

    def _block(self, element: Element, context: _Context) -> None:
        name, line = element.name, context.line
        if name in HEADINGS:
            spans = _Flow(replace(context, lifts=False)).spans(element.children)
            if any(isinstance(span, Text) or (isinstance(span, InlinePicture) and span.alt) for span in spans):
                self._blocks.append(HeadingBlock(int(name[1]), spans, context.align, line=line))
            return
        match name:
            case "pre":
                text = text_of(element).replace("\r\n", "\n").rstrip("\n")
                self._blocks.append(Code(text, _language(element), line=line))
            case "hr":
                self._blocks.append(Rule(line=line))
            case "blockquote":
                blocks = tuple(_Flow(context).read(element.children))
                if blocks:
                    self._blocks.append(Quote(blocks, line=line))
            case "ul" | "ol":
                self._list(element, context)
            case "table":
                self._blocks.append(_table(element, context))
            case "figure":
                self._figure(element, context)
            case "details":
                self._details(element, context)
            case "dl":
                self._terms(element, context)
            case "div" if element.attrs.get("class") == _FORMULA:
                self._blocks.append(Formula(_tex(element), line=line))
            case _:
                self._nodes(element.children, context)
                self._end_paragraph(context)

    def spans(self, nodes: Iterable[Node]) -> tuple[Span, ...]:
        """Return the content of a heading; blocks inside it are words of it."""
        for node in nodes:
            if isinstance(node, str):
                self._text(node, self._context)
            elif node.name in INLINE:
                self._inline(node, _inside(node, self._context))
            else:
                inner = _Flow(_inside(node, self._context)).spans(node.children)
                self._spans += [Text(" ", _PLAIN), *inner, Text(" ", _PLAIN)]
        return _normal_spans(self._spans)

    def _list(self, element: Element, context: _Context) -> None:
        items: list[tuple[Block, ...]] = []
        for child in element.children:
            if isinstance(child, Element) and child.name == "li":
                items.append(tuple(_Flow(_inside(child, context)).read(child.children)))
            elif isinstance(child, Element) or child.strip(_BLANK):
                # A list directly in a list, or text: readers see it below the item before.
                below = tuple(_Flow(context).read([child]))
                if below:
                    items.append((*items.pop(), *below) if items else below)
        start = None
        if element.name == "ol":
            start = int(element.attrs.get("start") or 1)
        if items:
            self._blocks.append(ListBlock(tuple(items), start, line=context.line))

    def _details(self, element: Element, context: _Context) -> None:
        # The sanitiser leaves no box without a summary, which comes first.
        summary, *others = (child for child in element.children if isinstance(child, Element) or child.strip(_BLANK))
        inside = _inside(summary, replace(context, lifts=False)) if isinstance(summary, Element) else context
        spans = _Flow(inside).spans(summary.children if isinstance(summary, Element) else [summary])
        blocks = tuple(_Flow(context).read(others))
        self._blocks.append(Details(spans, blocks, "open" in element.attrs, line=context.line))

    def _terms(self, element: Element, context: _Context) -> None:
        entries: list[DefinedTerm | Definition] = []
        for child in element.children:
            if not isinstance(child, Element):
                continue
            inside = _inside(child, context)
            if child.name == "dt":
                spans = _Flow(replace(inside, lifts=False)).spans(child.children)
                entries += [DefinedTerm(spans)] if spans else []
            else:
                blocks = tuple(_Flow(inside).read(child.children))
                entries += [Definition(blocks)] if blocks else []
        if entries:
            self._blocks.append(Terms(tuple(entries), line=context.line))

    def _figure(self, element: Element, context: _Context) -> None:
        captions = [node for node in element.children if isinstance(node, Element) and node.name == "figcaption"]
        others = [node for node in element.children if node not in captions]
        before = len(self._blocks)
        self._nodes(others, context)
        self._end_paragraph(context)
        made = self._blocks[before:]
        for caption in captions:
            content = _Flow(replace(_inside(caption, context), lifts=True)).read(caption.children)
            only = content[0] if len(content) == 1 else None
            single = made[0] if len(made) == 1 else None
            if isinstance(single, Figure) and isinstance(only, Paragraph):
                self._blocks[-1] = made[0] = replace(single, caption=only.spans)
            else:
                self._blocks += [
                    replace(block, is_caption=True) if isinstance(block, Paragraph) else block for block in content
                ]


def _inside(element: Element, context: _Context) -> _Context:
    """Return the context inside an element."""
    name, attrs, style = element.name, element.attrs, context.style
    if name in _MARKS:
        style = _marked(style, name)
    if not attrs:
        return context if style is context.style else replace(context, style=style)
    if "lang" in attrs and name not in _CODE:
        style = _marked(style, f"lang={attrs['lang']}")
    if name == "a" and attrs.get("href"):
        title = " ".join(attrs.get("title", "").split())
        style = Style(style.marks, style.is_code, _url(attrs["href"]), title)
        if attrs.get("rel"):
            style = _marked(style, f"rel={attrs['rel']}")
    elif name not in _WITH_TITLE and attrs.get("title"):
        style = _marked(style, f"title={attrs['title']}")
    align = _align(element) or context.align
    line = int(attrs[LINE]) if LINE in attrs else context.line
    return _Context(style, "" if align == "left" else align, line, context.lifts)


@lru_cache(maxsize=1_000)
def _marked(style: Style, mark: str) -> Style:
    return replace(style, marks=style.marks | {mark})


def _align(element: Element) -> str:
    # The sanitiser makes classes of the attribute.
    _, found, alignment = element.attrs.get("class", "").rpartition("blog-align-")
    return alignment if found else element.attrs.get("align", "")


def _tex(block: Element) -> str:
    """Return the TeX of a formula, without white space at the ends of lines."""
    return "\n".join(line.strip(_BLANK) for line in text_of(block).strip(_BLANK).split("\n"))


def _language(pre: Element) -> str:
    codes = [child for child in pre.children if isinstance(child, Element) and child.name == "code"]
    return (pre.attrs.get("lang") or (codes[0].attrs.get("lang") if codes else "") or "").strip()


def _table(element: Element, context: _Context) -> TableBlock:
    rows: list[tuple[tuple[Cell, ...], bool]] = []
    for group in element.children:
        if not isinstance(group, Element):
            continue
        for row in group.children if group.name in _ROWS else [group]:
            if isinstance(row, Element) and row.name == "tr":
                cells = tuple(
                    _cell(cell, context)
                    for cell in row.children
                    if isinstance(cell, Element) and cell.name in {"td", "th"}
                )
                if cells:
                    rows.append((cells, group.name == "thead" or all(cell.is_head for cell in cells)))
    has_head = bool(rows) and rows[0][1]
    width = max((len(cells) for cells, _ in rows), default=0)
    filled = [(*cells, *[Cell(())] * (width - len(cells))) for cells, _ in rows]
    head = tuple(replace(cell, is_head=True) for cell in filled[0]) if has_head else ()
    return TableBlock(head, tuple(filled[1:] if has_head else filled), line=context.line)


def _cell(element: Element, context: _Context) -> Cell:
    inside = _inside(element, replace(context, align="", lifts=False))
    blocks = tuple(_Flow(replace(inside, align="")).read(element.children))
    return Cell(blocks, element.name == "th", inside.align if blocks else "")


@lru_cache(maxsize=1_000)
def _url(url: str) -> str:
    """Return a URL as the Markdown parser writes it, so that two bodies can be compared."""
    return normalizeLink("".join(url.split("\n")).strip(_BLANK)) if url else ""
