"""Convert the HTML of another blog's post to a body that can be stored here."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, assert_never
from urllib.parse import quote, unquote

from blog_engine.content.headings import dress_headings, remove_empty_headings
from blog_engine.content.html import HEADINGS, Element, walk, write_html
from blog_engine.content.options import RenderLabels, RenderOptions
from blog_engine.content.rendering import sanitized
from blog_engine.content.sanitize import normalize
from blog_engine.enums import BodyFormat
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
    TableBlock,
    Terms,
    Text,
)
from blog_engine.importing.html.flow import blocks_of
from blog_engine.importing.html.reading import ANCHOR, LINE, Resolve, read_html, without_marks
from blog_engine.importing.html.writing import markdown_of, spans_in
from blog_engine.importing.source import Losses, LossKind

_OPTIONS: Final = RenderOptions(
    hard_breaks=True, site_origin=None, mount="", script_name="", footnote_prefix="fn-0-", images={}
)

MAX_NAMED: Final = 100
"""The most differences of one body that are named one by one."""
_LABELS: Final = RenderLabels()


@dataclass(frozen=True, slots=True)
class Converted:
    """A body as it can be stored."""

    body: str
    body_format: BodyFormat


def convert(
    html: str, *, losses: Losses, rich_text_allowed: bool, resolve: Resolve = lambda url, is_image, line: None
) -> Converted:
    """Return HTML as Markdown, or as rich text where Markdown would lose something and the host allows rich text.

    ``resolve`` finds the new URLs of links and images. What readers will not see, or see otherwise, is added to
    ``losses`` with the line of ``html``. The Markdown is rendered and compared with the source, so that no difference
    depends on how it was written.
    """
    tree = read_html(html, losses=losses, resolve=resolve)
    normalize(tree)
    _move_page_links(tree, losses)
    source = blocks_of(tree)
    markdown = markdown_of(source)
    read_again = blocks_of(sanitized(markdown, body_format=BodyFormat.MARKDOWN, options=_OPTIONS))
    if read_again == source:
        return Converted(markdown, BodyFormat.MARKDOWN)
    if not rich_text_allowed:
        _name_differences(source, read_again, losses)
        return Converted(markdown, BodyFormat.MARKDOWN)
    body = _rich_text(without_marks(tree))
    shown = blocks_of(sanitized(body, body_format=BodyFormat.RICH_TEXT, options=_OPTIONS))
    if shown != source:
        _name_differences(source, shown, losses)
    return Converted(body, BodyFormat.RICH_TEXT)


def _rich_text(tree: Element) -> str:
    for element in walk(tree):
        # The class is written when the body is rendered, from the attribute.
        _, found, alignment = element.attrs.pop("class", "").rpartition("blog-align-")
        if found:
            element.attrs["align"] = alignment
    return write_html(tree)


def _name_differences(source: tuple[Block, ...], shown: tuple[Block, ...], losses: Losses) -> None:
    """Name what readers will see otherwise than in the source."""
    left = Counter(feature.key for feature in _features_of(shown))
    named = Counter(_missing(source, left))
    for position, ((message, line), count) in enumerate(named.items()):
        if position == MAX_NAMED:
            losses.add(LossKind.HTML, f"{len(named) - MAX_NAMED} more differences")
            return
        losses.add(LossKind.HTML, f"{message} ({count} times)" if count > 1 else message, line)
    if not named:
        losses.add(LossKind.HTML, "The order or nesting of elements is not the same", _first_difference(source, shown))


def _missing(source: tuple[Block, ...], left: "Counter[tuple[str, ...]]") -> Iterator[tuple[str, int]]:
    feature: _Feature
    for feature in _features_of(source):
        if left[feature.key] > 0:
            left[feature.key] -= 1
        else:
            yield feature.message, feature.line


def _first_difference(source: tuple[Block, ...], shown: tuple[Block, ...]) -> int:
    for position, block in enumerate(source):
        if position >= len(shown) or shown[position] != block:
            return block.line
    return source[-1].line if source else 1


def _move_page_links(tree: Element, losses: Losses) -> None:
    """Point links to places of the page at the ids that its headings get, in place; name those that find none."""
    links = [element for element in walk(tree) if len(element.attrs.get("href", "")) > 1]
    links = [link for link in links if link.name == "a" and link.attrs["href"].startswith("#")]
    if not links:
        return
    ids = _new_ids(tree)
    for link in links:
        target = unquote(link.attrs["href"][1:])
        if target in ids:
            link.attrs["href"] = f"#{quote(ids[target])}"
        else:
            message = f"The link #{target} to a place of the page leads nowhere now"
            losses.add(LossKind.LINK, message, int(link.attrs.get(LINE, "1")))


def ids_of_html(html: str) -> dict[str, str]:
    """Return the ids that the headings of HTML get on the page, by those that they have and will have."""
    tree = read_html(html, losses=Losses(), resolve=lambda url, is_image, line: None)
    normalize(tree)
    return _new_ids(tree)


def _new_ids(tree: Element) -> dict[str, str]:
    """Return the ids of headings on the page, by the ids that they or elements inside them had, and by themselves."""
    # No page shows them, and they get no id.
    remove_empty_headings(tree)
    headings = [element for element in walk(tree) if element.name in HEADINGS]
    shown = dress_headings(without_marks(tree), labels=_LABELS)
    ids = {heading.id: heading.id for heading in shown}
    for element, heading in zip(headings, shown, strict=True):
        for anchored in (element, *walk(element)):
            if ANCHOR in anchored.attrs:
                ids[anchored.attrs[ANCHOR]] = heading.id
    return ids


class _Feature(NamedTuple):
    """Something that readers see."""

    key: tuple[str, ...]
    """Equal for the same thing in two bodies."""
    message: str
    """What is lost without it."""
    line: int


def _features_of(blocks: Iterable[Block]) -> Iterator[_Feature]:
    """Yield what readers see of blocks."""
    for block in blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[_Feature]:
    line = block.line
    match block:
        case Paragraph():
            yield from _align(block.align, block.spans, line)
            if block.is_caption:
                yield _Feature(("caption", _words(block.spans)), "<figcaption> is a paragraph now", line)
            yield from _spans(block.spans, line)
        case HeadingBlock():
            words = _words(block.spans)
            yield _Feature(("heading", str(block.level), words), f"<h{block.level}> is not the same heading", line)
            yield from _align(block.align, block.spans, line)
            yield from _spans(block.spans, line)
        case Code():
            yield _Feature(("code", block.text), "The text of <pre> changed", line)
            yield _Feature(("language", block.language, block.text), f"The language {block.language} of <pre>", line)
        case Rule():
            yield _Feature(("hr",), "<hr>", line)
        case Figure():
            yield _Feature(("img", block.src, block.alt, block.href or ""), f"The image {block.src}", line)
            if block.caption:
                words = _words(block.caption)
                first = next((span.line for span in block.caption if isinstance(span, Text)), line)
                yield _Feature(("caption", words), "<figcaption> with links or emphasis is a paragraph now", first)
                yield from _spans(block.caption, line)
        case Quote():
            yield _Feature(("blockquote", str(len(block.blocks))), "<blockquote> is not the same", line)
            yield from _features_of(block.blocks)
        case Formula():
            yield _Feature(("formula", block.tex), "The formula of <math> changed", line)
        case Details():
            words = _words(block.summary)
            yield _Feature(("details", str(block.is_open), words), "<details>: it is always open", line)
            yield from _spans(block.summary, line)
            yield from _features_of(block.blocks)
        case Terms():
            yield from _terms(block)
        case ListBlock():
            yield from _list(block)
        case TableBlock():
            yield from _table(block)
        case _:
            assert_never(block)


def _terms(block: Terms) -> Iterator[_Feature]:
    yield _Feature(("dl", str(len(block.entries))), "<dl> is not the same list of terms", block.line)
    for entry in block.entries:
        match entry:
            case DefinedTerm():
                yield _Feature(("dt", _words(entry.spans)), "<dt> is not the same term", block.line)
                yield from _spans(entry.spans, block.line)
            case Definition():
                yield _Feature(("dd", str(len(entry.blocks))), "<dd> is not the same definition", block.line)
                yield from _features_of(entry.blocks)
            case _:
                assert_never(entry)


def _list(block: ListBlock) -> Iterator[_Feature]:
    name = "ul" if block.start is None else "ol"
    yield _Feature((name, str(len(block.items))), f"<{name}> is not the same list", block.line)
    if block.start is not None:
        yield _Feature(
            ("start", str(block.start), str(len(block.items))), f"The start {block.start} of <ol>", block.line
        )
    for item in block.items:
        yield from _features_of(item)


def _table(block: TableBlock) -> Iterator[_Feature]:
    line = block.line
    width = str(max(len(block.head), max((len(row) for row in block.rows), default=0)))
    yield _Feature(("table", str(len(block.rows)), width), "<table> is not the same table", line)
    if not block.head:
        yield _Feature(("headless", str(len(block.rows)), width), "<table> without a head has an empty one now", line)
    for row in (block.head, *block.rows):
        for position, cell in enumerate(row):
            column = str(position)
            words = " ".join(_words(getattr(inner, "spans", ())) for inner in cell.blocks)
            if cell.is_head and row is not block.head:
                yield _Feature(("th", column, words), "<th> in the body of a table is an ordinary cell now", line)
            if cell.align and cell.blocks:
                message = f"The alignment ({cell.align}) of a cell"
                yield _Feature(("cell-align", cell.align, column, words), message, line)
            if len(cell.blocks) == 1 and isinstance(cell.blocks[0], Paragraph):
                yield from _features_of(cell.blocks)
            elif cell.blocks:
                message = "A cell with blocks is one line now"
                yield _Feature(("cell-blocks", str(len(cell.blocks)), words), message, line)
                yield from _line_of_cell(cell, line)


def _line_of_cell(cell: Cell, line: int) -> Iterator[_Feature]:
    """Yield what readers see of the blocks of a cell in one line."""
    spans = tuple(span for span in spans_in(cell.blocks) if not isinstance(span, Break))
    text = " ".join(_words(spans).split())
    yield _Feature(("text", text), f"The text “{text[:60]}” changed", line)
    yield from (feature for feature in _spans(spans, line) if feature.key[0] != "text")


def _align(align: str, spans: Sequence[Span], line: int) -> Iterator[_Feature]:
    if align:
        yield _Feature(("align", align, _words(spans)), f"The alignment ({align}) of a block", line)


def _spans(spans: Sequence[Span], line: int) -> Iterator[_Feature]:
    yield _Feature(("text", _words(spans)), f"The text “{_words(spans)[:60]}” changed", line)
    for position, span in enumerate(spans):
        match span:
            case Text():
                line = span.line or line
                for mark in sorted(span.style.marks):
                    shown = f"<{mark}>" if "=" not in mark else f"The attribute {mark}"
                    yield _Feature(("mark", mark, span.text), f"{shown}: only the text is kept", line)
                if span.style.href is not None:
                    key = ("a", span.style.href, span.style.title, span.text)
                    yield _Feature(key, f"The link to {span.style.href}", line)
                if span.style.is_code:
                    yield _Feature(("inline-code", span.text), "<code>: only the text is kept", line)
            case Break():
                before = spans[position - 1]
                yield _Feature(("br", before.text if isinstance(before, Text) else ""), "<br> is a space now", line)
            case InlinePicture():
                yield _Feature(("img", span.src, span.alt, span.href or ""), f"The image {span.src}", line)
            case Box():
                yield _Feature(("box", str(span.is_checked)), "The checkbox of a task", line)
            case _:
                assert_never(span)


def _words(spans: Sequence[Span]) -> str:
    return "".join(span.text if isinstance(span, Text) else " " for span in spans)
