"""Records whether the libraries that parse and sanitize are called in a transaction."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from bleach.sanitizer import Cleaner
from django.db import connection
from markdown_it import MarkdownIt

_WATCHED = [(MarkdownIt, "parse"), (MarkdownIt, "parseInline"), (Cleaner, "clean")]


class Watch:
    """The number of calls, and those in an open transaction."""

    def __init__(self) -> None:
        self.calls = 0
        self.under_lock: list[str] = []


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """Watch every parser and sanitizer in this block; for tests that open no transaction."""
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
