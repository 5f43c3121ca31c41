"""Counters of their own for each test, and the operations of ``plumbing`` as a site."""

import uuid

import pytest
from pytest_django import Settings

from tests.api.plumbing import URLS


@pytest.fixture(autouse=True)
def fresh_counters(settings: Settings) -> None:
    """Row ids, and so the identities that are counted, repeat between tests; the cache may be shared."""
    settings.RATELIMIT_CACHE_PREFIX = uuid.uuid4().hex


@pytest.fixture
def plumbing(settings: Settings) -> None:
    """Serve the operations of ``tests.api.plumbing`` instead of the blog."""
    settings.ROOT_URLCONF = URLS
