"""A report is made at a fixed moment, after everything the factories date."""

from collections.abc import Iterator

import pytest
import time_machine

from tests.report.surface.inspecting import TODAY


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """The clock of the pages, too; it does not move, so that no bound of a report is reached by a slow machine."""
    with time_machine.travel(TODAY, tick=False) as traveller:
        yield traveller
