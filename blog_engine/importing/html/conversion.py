"""Convert the HTML of another blog's post to a body that can be stored here."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, unquote

from blog_engine.content.headings import dress_headings, remove_empty_headings
from blog_engine.content.html import HEADINGS, Element, walk, write_html
from blog_engine.content.options import RenderLabels, RenderOptions
from blog_engine.content.rendering import sanitized
from blog_engine.content.sanitize import normalize
from blog_engine.enums import BodyFormat
from blog_engine.importing.html.blocks import Block
from blog_engine.importing.html.features import Feature, features_of
from blog_engine.importing.html.flow import blocks_of
from blog_engine.importing.html.reading import ANCHOR, LINE, read_html, without_marks
from blog_engine.importing.html.writing import markdown_of
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


def convert(html: str, *, losses: Losses, rich_text_allowed: bool) -> Converted:
    """Return HTML as Markdown, or as rich text where Markdown would lose something and the host allows rich text.

    What readers will not see, or see otherwise, is added to ``losses`` with the line of ``html``. The Markdown is
    rendered and compared with the source, so that no difference depends on how it was written.
    """
    tree = read_html(html, losses=losses)
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
    left = Counter(feature.key for feature in features_of(shown))
    named = Counter(_missing(source, left))
    for position, ((message, line), count) in enumerate(named.items()):
        if position == MAX_NAMED:
            losses.add(LossKind.HTML, f"{len(named) - MAX_NAMED} more differences")
            return
        losses.add(LossKind.HTML, f"{message} ({count} times)" if count > 1 else message, line)
    if not named:
        losses.add(LossKind.HTML, "The order or nesting of elements is not the same", _first_difference(source, shown))


def _missing(source: tuple[Block, ...], left: "Counter[tuple[str, ...]]") -> Iterator[tuple[str, int]]:
    feature: Feature
    for feature in features_of(source):
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
