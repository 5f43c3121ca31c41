"""The options of the suite leave out what they name, say so, and run each heavy test on one day in nine."""

import re
import sys

import pytest

from tests.conftest import DAYS, is_heavy_of
from tests.support.programs import environment, run

_OF_SQLITE = environment(without=["DATABASE_URL", "CACHE_URL", "BROWSER", "PYTEST"])


@pytest.mark.heavy
def test_the_quick_tests_are_those_that_need_little() -> None:
    slow = ["tests/packaging", "tests/faults/test_clock_set_back.py", "tests/browser/test_copy.py", "tests/upgrade"]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--quick", *slow]
    command += ["tests/concurrency/test_tag_races.py", "tests/test_errors.py"]

    shown = run(command, env=_OF_SQLITE).stdout

    left_out = {reason: int(number) for number, reason in re.findall(r"^left out: (\d+) (\S+):", shown, re.MULTILINE)}
    assert set(left_out) == {"packaging", "faults", "browser", "heavy", "postgres"}
    assert min(left_out.values()) > 0
    assert set(re.findall(r"^(tests/\S+?\.py)", shown, re.MULTILINE)) == {"tests/test_errors.py"}


@pytest.mark.parametrize("number", range(20))
def test_a_heavy_test_runs_on_one_day_in_nine(number: int) -> None:
    test = f"tests/test_days.py::test_number_{number}"

    days = [day for day in range(1, 1 + DAYS) if is_heavy_of(day, test, {"heavy"})]

    assert len(days) == 1
    assert is_heavy_of(days[0] + DAYS, test, {"heavy"})
    assert is_heavy_of(days[0], f"{test}[case[1]]", {"heavy"}), "cases share what is dear to prepare"


@pytest.mark.parametrize("traits", [set(), {"heavy", "measured"}])
def test_light_and_measured_tests_have_no_day(traits: set[str]) -> None:
    assert not any(is_heavy_of(day, "tests/test_days.py::test_a", traits) for day in range(DAYS))
