"""A report is made at a fixed moment, after everything the factories date."""

import uuid
from collections.abc import Iterator

import pytest
import time_machine
from pytest_django import Settings

from tests.surface_report.looking import TODAY


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """The clock of the pages, too; it does not move, so that no bound of a report is reached by a slow machine."""
    with time_machine.travel(TODAY, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def fresh_counters(settings: Settings) -> None:
    """Every page links to the search, which all tests ask for from one address in one minute."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex
