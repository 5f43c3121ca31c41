"""The people of the desk, and the day of their work."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from tests.admin.desk import EDITOR, WRITER, desk
from tests.support.factories import NOW


@pytest.fixture
def editor() -> Client:
    return desk(*EDITOR, name="Ed Editor")


@pytest.fixture
def writer() -> Client:
    return desk(*WRITER, name="Wanda Writer")


@pytest.fixture
def a_day_later() -> Iterator[None]:
    """The day after that of the posts."""
    with time_machine.travel(NOW + timedelta(days=1), tick=False):
        yield
