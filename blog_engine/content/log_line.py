"""A line of a log that machines can read, whatever is in a name."""

import json
from collections.abc import Mapping
from typing import TypeAlias

LogValue: TypeAlias = str | int | float | bool | None


def log_line(fields: Mapping[str, LogValue]) -> str:
    """``key=value`` for each field that says something, in the order of the fields; each value is JSON.

    It is one line, and shows what is in it: line breaks of every kind, characters that turn the direction of writing
    and everything else that does not print are escaped. ``None`` and ``False`` say nothing.
    """
    told = {key: value for key, value in fields.items() if value is not None and value is not False}
    return " ".join(f"{key}={_printable(json.dumps(value, ensure_ascii=False))}" for key, value in told.items())


def _printable(text: str) -> str:
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)
