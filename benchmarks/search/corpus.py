"""The corpus of the search benchmark: its texts and queries as records."""

from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent


class Text(NamedTuple):
    """A post of the corpus."""

    slug: str
    title: str
    description: str
    tags: list[str]
    body: str


class Query(NamedTuple):
    """What a reader types, and the posts that it looks for."""

    kind: str
    words: str
    targets: list[str]


def texts() -> list[Text]:
    """The posts, in a fixed order: blocks of five lines, divided by blank ones."""
    blocks = [
        block.split("\n", 4)
        for path in sorted((_HERE / "texts").glob("*.txt"))
        for block in path.read_text().strip().split("\n\n")
    ]
    return [Text(slug, title, description, tags.split(", "), body) for slug, title, description, tags, body in blocks]


def queries() -> list[Query]:
    """The queries: kind, words and targets of each line, divided by tabs and commas."""
    rows = [line.split("\t") for line in (_HERE / "queries.tsv").read_text().splitlines()]
    return [Query(kind, words, targets.split(",")) for kind, words, targets in rows]
