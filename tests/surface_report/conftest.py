"""A report is made at a fixed moment, after everything the factories date."""

import uuid
from collections.abc import Iterator

import pytest
import time_machine
from pytest_django import Settings

from tests.surface_report.looking import TODAY


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock, also that of the pages, so that a slow machine reaches no bound of a report."""
    with time_machine.travel(TODAY, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def fresh_counters(settings: Settings) -> None:
    """Count requests anew: every page links to the search, which all tests request from one IP in one minute."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex
