"""Separate rate-limit counters for each test."""

import uuid

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def fresh_counters(settings: Settings) -> None:
    """Row ids, and so the counted identities, repeat between tests, and the cache can be shared."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex
