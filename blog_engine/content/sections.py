"""The sections of a body: its headings with the ids of the page, and where they are in the source."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from blog_engine.content._markdown import fresh_env, page_parser
from blog_engine.content.headings import SourceHeading, read_headings
from blog_engine.content.options import MarkdownPlugin, RenderOptions
from blog_engine.content.rendering import render
from blog_engine.content.sanitize import normalize, sanitize_compiled
from blog_engine.enums import BodyFormat

_LEVELS: Final = 7
"""The number of levels, 0 included."""
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


class _HeadingSource(NamedTuple):
    """A heading as HTML, its first line from 0, the line after it, and the line after the block that it is in."""

    html: str
    level: int
    first_line: int
    after: int
    end_of_block: int
    is_top: bool
    """Whether it is in no other block, such as a list or a quote."""


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
    options = RenderOptions(
        hard_breaks=False,
        site_origin=None,
        mount="",
        script_name="",
        footnote_prefix=footnote_prefix,
        images={},
        plugins=plugins,
    )
    rendered = render(body, body_format=body_format, options=options)
    # The page has no heading for those without text.
    as_written = [heading for heading in rendered.source_headings if heading.text]
    sources: Sequence[_HeadingSource | None] = [None] * len(as_written)
    if body_format is BodyFormat.MARKDOWN:
        used = () if rendered.has_failed_plugins else plugins
        found = _heading_sources(body, footnote_prefix=footnote_prefix, plugins=used)
        sources = list(_matched(as_written, found, footnote_prefix))
    ends = _last_lines(sources)
    starts = [0, *accumulate(len(line) for line in _LINE.findall(body))]
    return tuple(
        BodySection(
            level=written.level,
            id=shown.id,
            text=written.text,
            start=source and starts[source.first_line],
            content_start=source and starts[source.after],
            end=source and starts[min(ends[source.first_line], len(starts) - 1)],
        )
        for written, shown, source in zip(as_written, rendered.headings, sources, strict=True)
    )


def sections_named(sections: Iterable[BodySection], name: str) -> list[BodySection]:
    """Return the section with this id, or else all whose heading has this text; case and spaces do not matter."""
    known = list(sections)
    wanted = _key(name)
    return [one for one in known if one.id == name] or [one for one in known if _key(one.text) == wanted]


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()


def _matched(
    headings: Sequence[SourceHeading], waiting: Iterator[_HeadingSource], footnote_prefix: str
) -> Iterator[_HeadingSource | None]:
    """Yield for each heading of the page where it is in the source, both in document order."""
    for heading in headings:
        yield next((source for source in waiting if heading in _read(source, footnote_prefix)), None)


def _read(source: _HeadingSource, footnote_prefix: str) -> tuple[SourceHeading, ...]:
    tree = sanitize_compiled(source.html, footnote_prefix=footnote_prefix)
    normalize(tree)
    return read_headings(tree)


def _last_lines(sources: Iterable[_HeadingSource | None]) -> dict[int, int]:
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


def _heading_sources(
    source: str, *, footnote_prefix: str, plugins: tuple[MarkdownPlugin, ...] = ()
) -> Iterator[_HeadingSource]:
    """Yield the headings of a source in document order; raises what a plugin raises."""
    parser = page_parser(False, plugins)
    env = fresh_env(source) | {"footnote_prefix": footnote_prefix}
    tokens = parser.parse(source, env)
    around, boxes = [0, 0], list[list[int]]()
    for index, token in enumerate(tokens):
        around = token.map if token.level == 0 and token.map else around
        if token.type == "details_open" and token.map:
            boxes.append(token.map)
        if token.type == "heading_open" and token.map:
            first, after = token.map
            while boxes and boxes[-1][1] <= first:
                boxes.pop()
            inner = boxes[-1] if boxes else around
            end = inner[1] if token.level and inner[0] <= first < inner[1] else sys.maxsize
            html = str(parser.renderer.render(tokens[index : index + 3], parser.options, env))
            yield _HeadingSource(html, int(token.tag[1:]), first, after, end, is_top=token.level == 0)
