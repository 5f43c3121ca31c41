import sqlite3
from contextlib import closing
from io import StringIO
from typing import Any, ClassVar

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError

from blog_engine.management.base import Key, KeyValueCommand
from tests.requirements import requirement


class Report(KeyValueCommand):
    keys: ClassVar = (Key("SCOPE", "what to report on"), Key("MAX_AGE", "in days"))

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument("--json", action="store_true")

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        self.stdout.write(f"{given} {options['json']}")


def output_of(*args: str, **options: Any) -> str:
    out = StringIO()
    call_command(Report(), *args, stdout=out, **options)
    return out.getvalue().strip()


@requirement("host.commands")
@pytest.mark.parametrize(
    "args",
    [
        ["SCOPE=site", "MAX_AGE=7"],
        ["scope=site", "max-age=7"],
        ["--scope", "site", "--max-age", "7"],
        ["--scope=site", "--max-age=7"],
        ["SCOPE=site", "--max-age", "7"],
        ["--scope", "site", "MAX_AGE=7"],
    ],
)
def test_both_ways_to_write_an_input_mean_the_same(args: list[str]) -> None:
    assert output_of(*args) in ("{'SCOPE': 'site', 'MAX_AGE': '7'} False", "{'MAX_AGE': '7', 'SCOPE': 'site'} False")


def test_python_callers_pass_keywords() -> None:
    assert output_of(scope="site", max_age=7, json=True) == "{'SCOPE': 'site', 'MAX_AGE': '7'} True"


def test_a_value_may_be_empty_or_hold_an_equals_sign() -> None:
    assert output_of("SCOPE=", "MAX_AGE=a=b") == "{'SCOPE': '', 'MAX_AGE': 'a=b'} False"


def test_nothing_need_be_given() -> None:
    assert output_of() == "{} False"


@pytest.mark.parametrize(
    "args", [["SCOPES=site"], ["site"], ["=site"], ["SCOPE=a", "SCOPE=b"], ["SCOPE=a", "--scope", "b"]]
)
def test_other_words_are_refused(args: list[str]) -> None:
    with pytest.raises(CommandError):
        output_of(*args)


def test_a_typo_has_the_nearest_key_as_hint() -> None:
    with pytest.raises(CommandError, match="SCOPE="):
        output_of("SKOPE=site")


def ask_sqlite(file: str, sql: str) -> None:
    """Query another database, and fail like Django."""
    try:
        with closing(sqlite3.connect(file)) as database:
            database.execute(sql)
    except sqlite3.OperationalError as fault:
        raise OperationalError(*fault.args) from fault


class Asking(KeyValueCommand):
    keys = (Key("FILE", "a database"),)

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        ask_sqlite(given["FILE"], "SELECT 1 FROM absent")


@requirement("host.commands")
def test_a_database_out_of_reach_is_reported_in_a_sentence() -> None:
    with pytest.raises(CommandError, match="database did not answer"):
        call_command(Asking(), "FILE=/dev/null/db")


def test_a_bug_keeps_its_traceback() -> None:
    with pytest.raises(OperationalError, match="no such table"):
        call_command(Asking(), "FILE=:memory:")
