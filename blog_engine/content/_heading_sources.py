"""The places of the headings of a Markdown source."""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token


class HeadingSource(NamedTuple):
    """The place of a heading: its first line from 0, the line after it, and the line after the block that it is in."""

    level: int
    first_line: int
    after: int
    end_of_block: int
    is_top: bool
    """Whether it is in no other block, such as a list or a quote."""


def heading_sources(tokens: Sequence[Token]) -> Iterator[HeadingSource]:
    """Yield the headings of a parsed source in the order of its tokens."""
    around, boxes = [0, 0], list[list[int]]()
    for token in tokens:
        around = token.map if token.level == 0 and token.map else around
        if token.type == "details_open" and token.map:
            boxes.append(token.map)
        if token.type == "heading_open" and token.map:
            first, after = token.map
            while boxes and boxes[-1][1] <= first:
                boxes.pop()
            inner = boxes[-1] if boxes else around
            end = inner[1] if token.level and inner[0] <= first < inner[1] else sys.maxsize
            yield HeadingSource(int(token.tag[1:]), first, after, end, is_top=token.level == 0)
