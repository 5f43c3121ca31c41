"""Write blocks as Markdown."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, assert_never

from blog_engine.content.dialect import MATH_FENCE
from blog_engine.importing.html.blocks import (
    Block,
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
from blog_engine.importing.html.inline import Inline, linked, written_image

_TICKS: Final = re.compile("`+")
_LARGEST_NUMBER: Final = 999_999_999


def markdown_of(blocks: Sequence[Block]) -> str:
    """Return blocks as Markdown; what Markdown cannot express loses its form and keeps its text."""
    return "\n".join(_blocks(blocks)) + "\n" if blocks else ""


def _blocks(blocks: Sequence[Block], *, is_tight: bool = False) -> list[str]:
    lines: list[str] = []
    marker: str | None = None
    for block in blocks:
        if lines and not (is_tight and isinstance(block, ListBlock)):
            lines.append("")
        if isinstance(block, ListBlock):
            # A second list of the same kind would continue the first one.
            first, second = ("-", "*") if block.start is None else (".", ")")
            marker = second if marker == first else first
            lines += _list(block, marker)
        else:
            marker = None
            lines += _block(block)
    return lines


def _block(block: Block) -> list[str]:
    match block:
        case Paragraph():
            return _paragraph(block.spans)
        case HeadingBlock():
            text = _line(_without_breaks(block.spans))
            text = re.sub(r"#+$", lambda found: "\\#" * len(found[0]), text)
            return [f"{'#' * block.level} {text}"]
        case Code():
            return _code(block)
        case Rule():
            return ["***"]
        case Figure():
            return _figure(block)
        case Quote():
            return [f"> {line}" if line else ">" for line in _blocks(block.blocks)]
        case Formula():
            return _formula(block.tex)
        case Details():
            return _details(block)
        case Terms():
            return _terms(block)
        case ListBlock():
            return _list(block, "-" if block.start is None else ".")
        case TableBlock():
            return _table(block)
        case _:
            assert_never(block)


def _paragraph(spans: Sequence[Span]) -> list[str]:
    return Inline(spans).text().split("\n")


def _line(spans: Sequence[Span], *, in_table: bool = False) -> str:
    return Inline(spans, in_table=in_table).text()


def _without_breaks(spans: Iterable[Span]) -> list[Span]:
    return [Text(" ", Style()) if isinstance(span, Break) else span for span in spans]


def _code(block: Code) -> list[str]:
    longest = max((len(found) for found in _TICKS.findall(block.text)), default=0)
    fence = "`" * max(3, longest + 1)
    language = re.sub(r"[`\s]", "", block.language)
    return [fence + language, *(block.text.split("\n") if block.text else []), fence]


def _formula(tex: str) -> list[str]:
    lines = tex.split("\n")
    if "$" not in tex and all(lines):
        return ["$$", *lines, "$$"]
    return _code(Code(tex, MATH_FENCE))


def _details(block: Details) -> list[str]:
    start = [
        "<details open>" if block.is_open else "<details>",
        f"<summary>{_line(_without_breaks(block.summary))}</summary>",
    ]
    return [*start, "", *([*_blocks(block.blocks), ""] if block.blocks else []), "</details>"]


def _terms(block: Terms) -> list[str]:
    """Return a list of terms; Markdown has one term for each group of definitions."""
    lines: list[str] = []
    terms: list[Span] = []
    for entry in block.entries:
        match entry:
            case DefinedTerm():
                terms += [*([Text(", ", Style())] if terms else []), *entry.spans]
            case Definition():
                if terms:
                    lines += ["", _line(_without_breaks(terms))]
                    terms = []
                first, *others = _blocks(entry.blocks)
                lines += [f": {first}", *(f"  {line}" if line else "" for line in others)]
            case _:
                assert_never(entry)
    if terms:
        lines += ["", _line(_without_breaks(terms))]
    return lines[1:] if lines[:1] == [""] else lines


def _figure(block: Figure) -> list[str]:
    caption = "".join(span.text for span in block.caption if isinstance(span, Text))
    is_plain = all(isinstance(span, Text) and span.style == Style() for span in block.caption)
    title = caption if is_plain else ""
    lines = [linked(written_image(block.src, block.alt, title), block.href)]
    if block.caption and not is_plain:
        lines += ["", *_paragraph(block.caption)]
    return lines


def _list(block: ListBlock, marker: str) -> list[str]:
    lines: list[str] = []
    is_tight = all(_is_tight(item) for item in block.items)
    for position, item in enumerate(block.items):
        number = min((block.start or 0) + position, _LARGEST_NUMBER)
        sign = f"{max(number, 0)}{marker}" if block.start is not None else marker
        indent = " " * (len(sign) + 1)
        content = _blocks(item, is_tight=is_tight)
        if lines and not is_tight:
            lines.append("")
        if not content or content == [""]:
            lines.append(sign)
            continue
        lines.append(f"{sign} {content[0]}")
        lines += [indent + line if line else "" for line in content[1:]]
    return lines


def _is_tight(item: Sequence[Block]) -> bool:
    """Return whether an item is a line of text, with at most a list below that can follow it directly."""
    if len(item) > 2 or (item and not isinstance(item[0], Paragraph)):
        return len(item) <= 1
    below = item[1] if len(item) == 2 else None
    if below is None:
        return True
    return isinstance(below, ListBlock) and below.start in {None, 1} and bool(below.items[0])


def _table(block: TableBlock) -> list[str]:
    width = max(len(block.head), max((len(row) for row in block.rows), default=0))
    head = block.head or tuple(Cell((), is_head=True) for _ in range(width))
    rows = [head, *block.rows]
    dashes = []
    for column in range(width):
        alignments = {row[column].align for row in rows if column < len(row) and (row[column].blocks or block.head)}
        only = alignments.pop() if len(alignments) == 1 else ""
        dashes.append({"center": ":-:", "right": "--:"}.get(only, "---"))
    written = ([_line(_without_breaks(spans_in(cell.blocks)), in_table=True) for cell in row] for row in rows)
    lines = [f"| {' | '.join(cells)} |" for cells in written]
    return [lines[0], f"| {' | '.join(dashes)} |", *lines[1:]]


def spans_in(blocks: Iterable[Block]) -> Iterator[Span]:
    """Yield the text of blocks as one line; parts are separated by a space."""
    for position, block in enumerate(blocks):
        if position:
            yield Text(" ", Style())
        match block:
            case Paragraph() | HeadingBlock():
                yield from block.spans
            case Code() if block.text.strip():
                yield Text(" ".join(block.text.split()), Style(is_code=True))
            case Figure():
                yield InlinePicture(block.src, block.alt, block.href)
                yield Text(" ", Style())
                yield from block.caption
            case Quote():
                yield from spans_in(block.blocks)
            case Formula():
                yield Text(" ".join(block.tex.split()), Style(frozenset({"math"}), is_code=True))
            case Details():
                yield from block.summary
                yield Text(" ", Style())
                yield from spans_in(block.blocks)
            case Terms():
                for entry in block.entries:
                    yield from entry.spans if isinstance(entry, DefinedTerm) else spans_in(entry.blocks)
                    yield Text(" ", Style())
            case ListBlock():
                for number, item in enumerate(block.items):
                    # A space at the end would be a character reference.
                    yield from (Text(" ", Style()),) if number else ()
                    yield from spans_in(item)
            case TableBlock():
                for row in (block.head, *block.rows):
                    for cell in row:
                        yield from spans_in(cell.blocks)
                        yield Text(" ", Style())
            case Code() | Rule():
                pass
            case _:
                assert_never(block)
