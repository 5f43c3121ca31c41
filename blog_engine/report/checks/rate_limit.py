"""Requests can be counted (dependencies.md 2.9)."""

from uuid import uuid4

from django.conf import settings
from django.core.cache import caches

from blog_engine.access.rate_limit import cache_errors, inexact_cache, limits_cache, limits_cache_exists
from blog_engine.report.base import Verdict, Visit, verdict
from blog_engine.report.fault import describe_fault

_SECONDS_KEPT = 60


def check_rate_limit(visit: Visit) -> Verdict:
    """The cache of the limits counts a throw-away counter, and counts for every process."""
    alias = limits_cache()
    if not limits_cache_exists():
        return verdict(
            errors=[f"There is no cache {alias!r}: name an alias of CACHES in RATELIMIT_USE_CACHE, or add this one."],
            well="",
        )
    warnings = [*_switched_off(), *_cannot_count(alias), *_counts_for_one_process(alias)]
    return verdict(warnings=warnings, well=f"The cache {alias!r} counts.")


def _switched_off() -> list[str]:
    if getattr(settings, "RATELIMIT_ENABLE", True):
        return []
    return ["RATELIMIT_ENABLE is False: nothing is limited."]


def _cannot_count(alias: str) -> list[str]:
    # ValueError is how a cache says that the counter it was just given is not there.
    faults: tuple[type[Exception], ...] = (*cache_errors(), ValueError)
    try:
        counted = _count_once(alias)
    except faults as fault:
        return [
            f"The cache {alias!r} does not count ({describe_fault(fault)}): until it does, reading goes on "
            "without a limit and writing answers 503."
        ]
    return [] if counted == 1 else [f"The cache {alias!r} counted one request as {counted}: use Redis or Memcached."]


def _count_once(alias: str) -> int:
    cache = caches[alias]
    key = f"blog_engine.doctor.{uuid4().hex}"
    try:
        cache.add(key, 0, timeout=_SECONDS_KEPT)
        return cache.incr(key)
    finally:
        cache.delete(key)


def _counts_for_one_process(alias: str) -> list[str]:
    kind = inexact_cache()
    if kind is None:
        return []
    return [
        f"The cache {alias!r} ({kind}) cannot count requests of several processes: let RATELIMIT_USE_CACHE name a "
        "Redis or Memcached cache."
    ]
