"""The line of a write, apart from the operations (docs/how-to/operate.md, Logs)."""

import json
import logging
import re
from pathlib import Path
from typing import Any

import pytest

from blog_engine.errors import Busy, NotFound, Refusal
from blog_engine.services.write_log import logged_write, note_dry_run, note_nothing, note_post
from tests.requirements import requirement
from tests.support.factories import EDITOR
from tests.support.tables import write_lines

RUNNING = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "operate.md"
LINE = {"actor": "Ines Editor", "actor_id": "Ines Editor", "operation": "save_post"}


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO)
    return caplog


def a_write() -> Any:
    return logged_write(
        "save_post", actor=EDITOR, refusal_of=lambda fault: fault if isinstance(fault, Refusal) else None
    )


@requirement("host.log")
@pytest.mark.parametrize(
    ("fault", "level", "expected"),
    [
        (NotFound(["id"], hint="Look."), "INFO", {"outcome": "refused", "code": "not_found"}),
        (Busy(), "WARNING", {"outcome": "refused", "code": "busy"}),
        (LookupError("words"), "ERROR", {"outcome": "failed", "error": "LookupError"}),
        (KeyboardInterrupt(), "ERROR", {"outcome": "failed", "error": "KeyboardInterrupt"}),
    ],
)
def test_what_ends_a_write_is_told_and_passes(
    log: pytest.LogCaptureFixture, fault: BaseException, level: str, expected: dict[str, str]
) -> None:
    with pytest.raises(type(fault)) as raised, a_write():
        raise fault

    assert raised.value is fault
    assert write_lines(log) == [(level, LINE | expected)]


def test_a_write_inside_another_one_has_its_own_post(log: pytest.LogCaptureFixture) -> None:
    with a_write():
        note_post(1)
        with a_write():
            note_post(2)
            note_dry_run()

    inner, outer = [line for _, line in write_lines(log)]
    assert inner == LINE | {"post": 2, "outcome": "done", "dry_run": True}
    assert outer == LINE | {"post": 1, "outcome": "done"}


def test_what_turned_out_to_be_nothing_is_no_line(log: pytest.LogCaptureFixture) -> None:
    with a_write():
        note_nothing()

    assert write_lines(log) == []


def test_notes_outside_of_a_write_are_for_nobody(log: pytest.LogCaptureFixture) -> None:
    note_post(7)
    note_dry_run()
    note_nothing()

    with a_write():
        pass

    assert write_lines(log) == [("INFO", LINE | {"outcome": "done"})]


@requirement("host.log.format")
def test_the_json_formatter_of_the_documentation_gives_the_line_that_stands_there(
    log: pytest.LogCaptureFixture,
) -> None:
    blocks = re.findall(r"^```(?:python)?\n(.*?)^```$", RUNNING.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (code,) = (block for block in blocks if "class JsonFormatter" in block)
    (shown,) = (json.loads(block) for block in blocks if block.startswith("{"))
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102  # the documentation's own example
    with a_write():
        note_post(12)

    found = json.loads(names["JsonFormatter"]().format(log.records[0]))

    assert list(found) == list(shown)
    assert {name: type(value) for name, value in found.items()} == {name: type(value) for name, value in shown.items()}
    assert (found["post"], found["logger"], found["level"]) == (12, "blog_engine.writes", "INFO")
