"""Counters of their own for each test."""

import uuid

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def fresh_counters(settings: Settings) -> None:
    """Count for each test alone: row ids, and so identities, repeat, and the cache may be shared."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex
