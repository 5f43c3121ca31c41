"""Counters of their own for each test."""

import uuid

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def fresh_counters(settings: Settings) -> None:
    """Row ids, and so the identities that are counted, repeat between tests; the cache may be shared."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex
