"""The texts and queries of the search benchmark."""

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
    """A query of a reader, and the slugs of the posts that it should find."""

    kind: str
    words: str
    targets: list[str]


def texts() -> list[Text]:
    """Return the posts in a fixed order: blocks of five lines, separated by blank lines."""
    blocks = [
        block.split("\n", 4)
        for path in sorted((_HERE / "texts").glob("*.txt"))
        for block in path.read_text().strip().split("\n\n")
    ]
    return [Text(slug, title, description, tags.split(", "), body) for slug, title, description, tags, body in blocks]


def queries() -> list[Query]:
    """Return the queries: lines of kind, words and targets, separated by tabs."""
    rows = [line.split("\t") for line in (_HERE / "queries.tsv").read_text().splitlines()]
    return [Query(kind, words, targets.split(",")) for kind, words, targets in rows]
