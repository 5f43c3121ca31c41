"""Measure the processor time of rendering 10 kB of ordinary Markdown, as a write does it.

Run ``python -m benchmarks.rendering``. It needs no database. It prints the least and the median of forty runs in
milliseconds: parsing, sanitising, HTML, plain text and the words for the search.
"""

import sys
from collections.abc import Callable
from statistics import median
from time import process_time

from blog_engine.content.options import RenderOptions
from blog_engine.content.plain_text import plain_text
from blog_engine.content.rendering import render_new
from blog_engine.content.search_text import folded_words
from blog_engine.enums import BodyFormat

SIZE = 10_000
RUNS = 40
TEXT = (
    "The frost came early this year, and with it the *first* questions about what to do with the **dahlias**. Most "
    "gardeners lift them; some, as [the society recommends](https://example.org/dahlias), leave them under straw. We "
    "tried both in three beds over four winters, and measured the soil with `probe --depth 10`. What we found "
    "surprised us: the straw kept the ground two degrees warmer, yet the tubers rotted in the wet corner."
)
BLOCKS = [
    "- Lift the tubers before the ground freezes\n- Dry them for a week\n- Check them in [January](/blog/january)",
    "| Bed | Straw | Survived |\n| --- | :-: | ---: |\n| North | yes | 12 of 20 |\n| South | no | 17 of 20 |",
    "```python\ndef warm(soil: float, straw: bool) -> float:\n    return soil + (2.0 if straw else 0.0)\n```",
    "1. Cut the stems\n2. Dig a wide circle\n3. Shake off the soil",
    '![A bed under straw](https://example.com/bed.jpg "The northern bed")',
]
OPTIONS = RenderOptions(
    hard_breaks=True,
    site_origin="https://example.com",
    mount="/blog",
    script_name="",
    footnote_prefix="fn-1-",
    images={},
)


def body() -> str:
    """Return headings, paragraphs, lists, tables, code and images."""
    parts: list[str] = []
    while sum(map(len, parts)) < SIZE:
        number = len(parts) // 4
        parts += [f"## What winter {number} did", TEXT, TEXT, BLOCKS[number % len(BLOCKS)]]
    return "\n\n".join(parts)


def write(source: str) -> None:
    """Work out what a write stores of a body."""
    rendered = render_new(source, body_format=BodyFormat.MARKDOWN, options=OPTIONS)
    folded_words(plain_text(source, body_format=BodyFormat.MARKDOWN) if rendered.text is None else rendered.text)


def times_of(work: Callable[[], None]) -> list[float]:
    """Return the processor time of each run in milliseconds."""
    times = []
    for _ in range(RUNS):
        started = process_time()
        work()
        times.append((process_time() - started) * 1000)
    return times


if __name__ == "__main__":
    source = body()
    times = times_of(lambda: write(source))
    sys.stdout.write(f"{len(source)} characters: least {min(times):.1f} ms, median {median(times):.1f} ms\n")
