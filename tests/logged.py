"""What a test found in the log."""

import logging
from typing import Any

import pytest

_FORMAT = logging.Formatter("%(levelname)s %(name)s %(message)s")


def write_lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """Level and fields of each line about a write, without what says nothing and without how long it took."""
    lines = []
    for record in caplog.records:
        if record.name == "blog_engine.writes":
            fields = dict(record.__dict__["blog_engine"])
            assert fields.pop("duration_ms") >= 0
            lines.append(
                (record.levelname, {key: value for key, value in fields.items() if value not in (None, False)})
            )
    return lines


def everything_logged(caplog: pytest.LogCaptureFixture) -> str:
    """Whatever a formatter could show of all records: messages, tracebacks and attributes."""
    return "\n".join(f"{_FORMAT.format(record)} {record.__dict__!r}" for record in caplog.records)
