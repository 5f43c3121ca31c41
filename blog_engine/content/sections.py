"""The sections of a body: its headings with the ids of the page, and where they are in the source."""

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Protocol, TypeVar

from blog_engine.content._markdown import Compiled, compile_markdown
from blog_engine.content._tokens import HeadingSource
from blog_engine.content.headings import dress_headings, read_headings
from blog_engine.content.html import Element
from blog_engine.content.options import MarkdownPlugin, RenderLabels
from blog_engine.content.sanitize import normalize, sanitize_compiled, sanitize_sent
from blog_engine.enums import BodyFormat

_LEVELS: Final = 7
"""The number of levels, 0 included."""
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class _Named(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...


N = TypeVar("N", bound=_Named)


@dataclass(frozen=True, slots=True)
class BodySection:
    """A heading of a body, and what belongs to it up to the next heading of the same or a higher level."""

    level: int
    """As the author wrote it; pages can shift all levels."""
    id: str
    """The id of the heading on the page."""
    text: str
    """The visible text of the heading."""
    start: int | None
    """Where the heading starts, in characters of the body; ``None`` in an HTML body, whose source is not mapped."""
    content_start: int | None
    """Where the line after the heading starts."""
    end: int | None

    @property
    def length(self) -> int | None:
        """The number of characters, with the heading."""
        return None if self.start is None or self.end is None else self.end - self.start


def sections_of(
    body: str, *, body_format: BodyFormat, footnote_prefix: str, plugins: tuple[MarkdownPlugin, ...] = ()
) -> tuple[BodySection, ...]:
    """Return the sections of a body in the order of the page, nested ones also by themselves.

    ``footnote_prefix`` is that of the post, ``plugins`` are those of the host. The section of a heading in a list or a
    quote ends with that block, of one in a footnote at the next heading; neither ends the section around it.
    """
    if body_format is not BodyFormat.MARKDOWN:
        return _sections_on(sanitize_sent(body), body, None)
    compiled = compile_markdown(
        body, hard_breaks=False, footnote_prefix=footnote_prefix, plugins=plugins, places_headings=True
    )
    return sections_of_compiled(compiled, body, footnote_prefix=footnote_prefix)


def sections_of_compiled(compiled: Compiled, body: str, *, footnote_prefix: str) -> tuple[BodySection, ...]:
    """Return the sections of a Markdown body that was compiled with the places of its headings."""
    return _sections_on(sanitize_compiled(compiled.html, footnote_prefix=footnote_prefix), body, compiled.headings)


def sections_named(sections: Iterable[N], name: str) -> list[N]:
    """Return the section with this id, or else all whose heading has this text; case and spaces do not matter."""
    known, wanted = list(sections), folded_name(name)
    # The texts of headings have single spaces.
    return [one for one in known if one.id == name] or [one for one in known if one.text.casefold() == wanted]


def folded_name(name: str) -> str:
    """Return the name of a heading in the form in which texts of headings are compared."""
    return " ".join(name.split()).casefold()


def _sections_on(tree: Element, body: str, found: Sequence[HeadingSource] | None) -> tuple[BodySection, ...]:
    """Return the sections of a page, in place of whose headings its tree has those of the page afterwards."""
    normalize(tree)
    written = read_headings(tree)
    sources: Sequence[HeadingSource | None] = found or ()
    if [one.level for one in written] != [one.level for one in found or ()]:
        # Of an HTML body, or moved by a plugin.
        sources = [None] * len(written)
    # The page has no heading for those without text.
    shown = [(heading, source) for heading, source in zip(written, sources, strict=True) if heading.text]
    ends = _last_lines(source for _, source in shown)
    starts = [0, *accumulate(len(line) for line in _LINE.findall(body))]
    return tuple(
        BodySection(
            level=heading.level,
            id=on_page.id,
            text=heading.text,
            start=source and starts[source.first_line],
            content_start=source and starts[source.after],
            end=source and starts[min(ends[source.first_line], len(starts) - 1)],
        )
        for (heading, source), on_page in zip(shown, dress_headings(tree, labels=RenderLabels()), strict=True)
    )


def _last_lines(sources: Iterable[HeadingSource | None]) -> dict[int, int]:
    """Return the line after each section by the line of its heading."""
    found: dict[int, int] = {}
    # The nearest following heading of each level, of all and of those that are in no other block.
    nearest, nearest_top = [sys.maxsize] * _LEVELS, [sys.maxsize] * _LEVELS
    for source in sorted((one for one in sources if one), key=lambda one: one.first_line, reverse=True):
        following = (nearest_top if source.is_top else nearest)[: source.level + 1]
        if not source.is_top and source.end_of_block == sys.maxsize:
            following = nearest
        found[source.first_line] = min([source.end_of_block, *following])
        nearest[source.level] = source.first_line
        if source.is_top:
            nearest_top[source.level] = source.first_line
    return found
