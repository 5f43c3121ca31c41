import pytest
from django.core.cache import caches
from pytest_django import Settings

from blog_engine.doctor.services import probe_rate_limit
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.tables import verdict_of

IN_MEMORY = "django.core.cache.backends.locmem.LocMemCache"


@pytest.fixture(autouse=True)
def development(settings: Settings) -> None:
    """Run with ``DEBUG``, where a cache in memory counts exactly."""
    settings.DEBUG = True
    settings.RATELIMIT_USE_CACHE = "memory"


@requirement("doctor.rate-limit")
def test_a_cache_that_counts_is_ok() -> None:
    assert verdict_of(probe_rate_limit)[0] == "ok"


@pytest.mark.redis
def test_a_shared_cache_is_ok_in_production(settings: Settings) -> None:
    settings.DEBUG = False
    settings.RATELIMIT_USE_CACHE = "default"

    assert verdict_of(probe_rate_limit)[0] == "ok"


@requirement("doctor.read-only")
def test_the_counter_is_deleted() -> None:
    caches["memory"].clear()

    verdict_of(probe_rate_limit)

    assert caches["memory"]._cache == {}  # type: ignore[attr-defined]


@requirement("doctor.rate-limit")
def test_a_cache_of_one_process_is_a_warning_in_production(settings: Settings) -> None:
    settings.DEBUG = False

    assert_verdict(probe_rate_limit, "warning", "'memory'", "LocMemCache")


@requirement("doctor.rate-limit")
@pytest.mark.parametrize("alias", ["dead", "uncounting"])
def test_a_cache_that_does_not_count_is_a_warning(settings: Settings, alias: str) -> None:
    settings.RATELIMIT_USE_CACHE = alias

    assert_verdict(probe_rate_limit, "warning", f"'{alias}'")


@requirement("doctor.rate-limit")
def test_a_cache_that_counts_wrongly_is_a_warning(settings: Settings) -> None:
    settings.CACHES = {**settings.CACHES, "double": {"BACKEND": "tests.support.hosts.DoubleCountingCache"}}
    settings.RATELIMIT_USE_CACHE = "double"

    assert_verdict(probe_rate_limit, "warning", "as 2")


def test_a_cache_that_keeps_nothing_is_a_warning(settings: Settings) -> None:
    settings.CACHES = {**settings.CACHES, "none": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    settings.RATELIMIT_USE_CACHE = "none"

    assert verdict_of(probe_rate_limit)[0] == "warning"


@requirement("doctor.rate-limit.no-cache")
def test_a_cache_that_does_not_exist_is_an_error(settings: Settings) -> None:
    settings.RATELIMIT_USE_CACHE = "nowhere"

    assert_verdict(probe_rate_limit, "error", "'nowhere'")


def test_counting_that_is_switched_off_is_a_warning(settings: Settings) -> None:
    settings.RATELIMIT_ENABLE = False

    assert_verdict(probe_rate_limit, "warning", "RATELIMIT_ENABLE")
