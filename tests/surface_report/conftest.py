"""A report is made at a fixed moment, after everything the factories date."""

from collections.abc import Iterator

import pytest
import time_machine

from tests.surface_report.looking import TODAY


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock, also that of the pages, so that a slow machine reaches no bound of a report."""
    with time_machine.travel(TODAY, tick=False) as traveller:
        yield traveller
