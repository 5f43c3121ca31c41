"""Reader tests run at a fixed moment, after everything the factories date."""

import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from pytest_django import Settings

from tests.factories import LATER
from tests.reader.visitor import Visitor

TODAY = LATER + timedelta(days=1)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(TODAY, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def fresh_counters(settings: Settings) -> None:
    """All tests search from one address in one minute; the cache may be shared."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex


@pytest.fixture
def visitor(client: Client, db: None) -> Visitor:
    return Visitor(client)
