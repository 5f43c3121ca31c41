"""Visible features of blocks, piece by piece, to name the differences between two bodies."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, assert_never

from blog_engine.importing.html.blocks import (
    Block,
    Box,
    Break,
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
    TableBlock,
    Terms,
    Text,
)


class Feature(NamedTuple):
    """Something that readers see."""

    key: tuple[str, ...]
    """Equal for the same thing in two bodies."""
    message: str
    """What is lost without it."""
    line: int


def features_of(blocks: Iterable[Block]) -> Iterator[Feature]:
    """Yield what readers see of blocks."""
    for block in blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[Feature]:
    line = block.line
    match block:
        case Paragraph():
            yield from _align(block.align, block.spans, line)
            if block.is_caption:
                yield Feature(("caption", _words(block.spans)), "<figcaption> is a paragraph now", line)
            yield from _spans(block.spans, line)
        case HeadingBlock():
            words = _words(block.spans)
            yield Feature(("heading", str(block.level), words), f"<h{block.level}> is not the same heading", line)
            yield from _align(block.align, block.spans, line)
            yield from _spans(block.spans, line)
        case Code():
            yield Feature(("code", block.text), "The text of <pre> changed", line)
            yield Feature(("language", block.language, block.text), f"The language {block.language} of <pre>", line)
        case Rule():
            yield Feature(("hr",), "<hr>", line)
        case Figure():
            yield Feature(("img", block.src, block.alt, block.href or ""), f"The image {block.src}", line)
            if block.caption:
                words = _words(block.caption)
                first = next((span.line for span in block.caption if isinstance(span, Text)), line)
                yield Feature(("caption", words), "<figcaption> with links or emphasis is a paragraph now", first)
                yield from _spans(block.caption, line)
        case Quote():
            yield Feature(("blockquote", str(len(block.blocks))), "<blockquote> is not the same", line)
            yield from features_of(block.blocks)
        case Formula():
            yield Feature(("formula", block.tex), "The formula of <math> changed", line)
        case Details():
            words = _words(block.summary)
            yield Feature(("details", str(block.is_open), words), "<details>: it is always open", line)
            yield from _spans(block.summary, line)
            yield from features_of(block.blocks)
        case Terms():
            yield from _terms(block)
        case ListBlock():
            yield from _list(block)
        case TableBlock():
            yield from _table(block)
        case _:
            assert_never(block)


def _terms(block: Terms) -> Iterator[Feature]:
    yield Feature(("dl", str(len(block.entries))), "<dl> is not the same list of terms", block.line)
    for entry in block.entries:
        match entry:
            case DefinedTerm():
                yield Feature(("dt", _words(entry.spans)), "<dt> is not the same term", block.line)
                yield from _spans(entry.spans, block.line)
            case Definition():
                yield Feature(("dd", str(len(entry.blocks))), "<dd> is not the same definition", block.line)
                yield from features_of(entry.blocks)
            case _:
                assert_never(entry)


def _list(block: ListBlock) -> Iterator[Feature]:
    name = "ul" if block.start is None else "ol"
    yield Feature((name, str(len(block.items))), f"<{name}> is not the same list", block.line)
    if block.start is not None:
        yield Feature(
            ("start", str(block.start), str(len(block.items))), f"The start {block.start} of <ol>", block.line
        )
    for item in block.items:
        yield from features_of(item)


def _table(block: TableBlock) -> Iterator[Feature]:
    line = block.line
    width = str(max(len(block.head), max((len(row) for row in block.rows), default=0)))
    yield Feature(("table", str(len(block.rows)), width), "<table> is not the same table", line)
    if not block.head:
        yield Feature(("headless", str(len(block.rows)), width), "<table> without a head has an empty one now", line)
    for row in (block.head, *block.rows):
        for position, cell in enumerate(row):
            column = str(position)
            words = " ".join(_words(getattr(inner, "spans", ())) for inner in cell.blocks)
            if cell.is_head and row is not block.head:
                yield Feature(("th", column, words), "<th> in the body of a table is an ordinary cell now", line)
            if cell.align and cell.blocks:
                message = f"The alignment ({cell.align}) of a cell"
                yield Feature(("cell-align", cell.align, column, words), message, line)
            for inner in cell.blocks:
                if not isinstance(inner, Paragraph):
                    yield Feature(("in-cell", type(inner).__name__), "A cell with blocks is one line now", line)
            if len(cell.blocks) > 1:
                yield Feature(("cell-blocks", str(len(cell.blocks)), words), "A cell with blocks is one line now", line)
            yield from features_of(cell.blocks)


def _align(align: str, spans: Sequence[Span], line: int) -> Iterator[Feature]:
    if align:
        yield Feature(("align", align, _words(spans)), f"The alignment ({align}) of a block", line)


def _spans(spans: Sequence[Span], line: int) -> Iterator[Feature]:
    yield Feature(("text", _words(spans)), f"The text “{_words(spans)[:60]}” changed", line)
    for position, span in enumerate(spans):
        match span:
            case Text():
                line = span.line or line
                for mark in sorted(span.style.marks):
                    shown = f"<{mark}>" if "=" not in mark else f"The attribute {mark}"
                    yield Feature(("mark", mark, span.text), f"{shown}: only the text is kept", line)
                if span.style.href is not None:
                    key = ("a", span.style.href, span.style.title, span.text)
                    yield Feature(key, f"The link to {span.style.href}", line)
                if span.style.is_code:
                    yield Feature(("inline-code", span.text), "<code>: only the text is kept", line)
            case Break():
                before = spans[position - 1]
                yield Feature(("br", before.text if isinstance(before, Text) else ""), "<br> is a space now", line)
            case InlinePicture():
                yield Feature(("img", span.src, span.alt, span.href or ""), f"The image {span.src}", line)
            case Box():
                yield Feature(("box", str(span.is_checked)), "The checkbox of a task", line)
            case _:
                assert_never(span)


def _words(spans: Sequence[Span]) -> str:
    return "".join(span.text if isinstance(span, Text) else " " for span in spans)
