"""Real requests and answers, recorded by ``scripts/record-examples`` (CONTRIBUTING.md)."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

_FILE = "examples.json"


def example_of(operation: str) -> Mapping[str, Any]:
    """The recorded ``request`` and ``response`` of an operation; either may be missing."""
    found: Mapping[str, Any] = _examples().get(operation, {})
    return found


@cache
def _examples() -> Mapping[str, Any]:
    recorded: Mapping[str, Any] = json.loads((files(__package__) / _FILE).read_text("utf-8"))
    return recorded
