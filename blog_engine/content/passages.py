"""Passages that are quoted from a body, as its source or as readers see it."""

from collections.abc import Collection

from blog_engine.content.plain_text import plain_text
from blog_engine.enums import BodyFormat


def quoted_passages(passages: Collection[str], body: str, *, body_format: BodyFormat) -> frozenset[str]:
    """Return those of the passages that the body has, whatever white space is between their words.

    The body is parsed only for what its source does not have (reviews.passage).
    """
    found = _found(passages, body)
    if len(found) == len(frozenset(passages)):
        return found
    return found | _found(passages, plain_text(body, body_format=body_format))


def _found(passages: Collection[str], text: str) -> frozenset[str]:
    joined = _in_one_line(text)
    return frozenset(passage for passage in passages if _in_one_line(passage) in joined)


def _in_one_line(text: str) -> str:
    return " ".join(text.split())
