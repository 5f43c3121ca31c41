"""Where the headings of a Markdown source are."""

import sys
from collections.abc import Iterator
from typing import NamedTuple

from blog_engine.content._markdown import fresh_env, page_parser
from blog_engine.content.options import MarkdownPlugin


class HeadingSource(NamedTuple):
    """A heading as HTML, its first line from 0, the line after it, and the line after the block that it is in."""

    html: str
    level: int
    first_line: int
    after: int
    end_of_block: int
    is_top: bool
    """Whether it is in no other block, such as a list or a quote."""


def heading_sources(
    source: str, *, footnote_prefix: str, plugins: tuple[MarkdownPlugin, ...] = ()
) -> Iterator[HeadingSource]:
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
            yield HeadingSource(html, int(token.tag[1:]), first, after, end, is_top=token.level == 0)
