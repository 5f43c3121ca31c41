"""A watch on the libraries that parse and sanitise, which shows whether they were called inside a transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from bleach.sanitizer import Cleaner
from django.db import connection
from markdown_it import MarkdownIt

_WATCHED = [(MarkdownIt, "parse"), (MarkdownIt, "parseInline"), (Cleaner, "clean")]


class Watch:
    """The calls since the watch began: how many there were, and which of them while a transaction was open."""

    def __init__(self) -> None:
        self.calls = 0
        self.under_lock: list[str] = []


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Watch every parser and sanitiser in this block; use it where the test itself opens no transaction."""
    assert not connection.in_atomic_block
    watch = Watch()
    with monkeypatch.context() as patch:
        for owner, name in _WATCHED:
            patch.setattr(owner, name, _watching(watch, f"{owner.__name__}.{name}", getattr(owner, name)))
        yield watch


def _watching(watch: Watch, name: str, original: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        watch.calls += 1
        if connection.in_atomic_block:
            watch.under_lock.append(name)
        return original(*args, **kwargs)

    return call
