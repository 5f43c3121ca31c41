"""Facts about parsed Markdown that findings are made of."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from markdown_it.token import Token

from blog_engine.content._markdown_extras import INLINE_HTML

_NARROWEST_COLUMN: Final = 50
_INDENT: Final = 8


def raw_html_of(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield each piece of raw HTML that is left out, except comments and end tags, which show nothing."""
    for token in tokens:
        is_kept = token.type == "html_inline" and token.content.lower() in INLINE_HTML
        is_shown = is_kept or token.content.lstrip().startswith(("<!--", "</"))
        if token.type in ("html_block", "html_inline") and not is_shown:
            yield token.content.strip()
        yield from raw_html_of(token.children or ())


def is_hard_wrapped(tokens: Sequence[Token]) -> bool:
    """Return whether paragraphs are broken where the next word would pass a column."""
    breaks: list[tuple[int, int]] = []
    for opening, inline in pairwise(tokens):
        if opening.type != "paragraph_open":
            continue
        for line, following in pairwise(inline.content.split("\n")):
            # Two spaces or a backslash at the end of a line mark a break that the author wants.
            if not line.endswith(("  ", "\\")):
                breaks.append((len(line), len(line) + 1 + len(following.partition(" ")[0])))
    column = max((length for length, _ in breaks), default=0)
    full = sum(with_next > column - _INDENT for _, with_next in breaks)
    return len(breaks) >= 3 and column >= _NARROWEST_COLUMN and full >= 0.9 * len(breaks)
