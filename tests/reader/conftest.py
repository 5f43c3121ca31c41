"""Reader tests run at a fixed time, after all dates of the factories."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import caches
from django.test import Client

from blog_engine.reader import sidebar
from tests.support.factories import LATER
from tests.support.hosts import PLACES, Place, at
from tests.support.pages import Visitor

TODAY = LATER + timedelta(days=1)


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(TODAY, tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def cache_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep popular posts in memory, where the moved clock counts and no other worker writes."""
    monkeypatch.setattr(sidebar, "cache", caches["memory"])
    caches["memory"].clear()


@pytest.fixture
def visitor(client: Client, db: None) -> Visitor:
    return Visitor(client)


_FAST_PLACES = {"root", "letters"}


@pytest.fixture(
    params=[name if name in _FAST_PLACES else pytest.param(name, marks=pytest.mark.heavy) for name in PLACES]
)
def place(request: pytest.FixtureRequest, db: None) -> Iterator[Place]:
    """Mount the blog at each of the places."""
    with at(request.param) as found:
        yield found
