"""Which tests can run here."""

import os
from collections.abc import Iterable

import pytest

_MISSING = {
    "postgres": (
        not os.environ.get("DATABASE_URL", "").startswith(("postgres://", "postgresql://")),
        "needs PostgreSQL: set DATABASE_URL=postgres://…",
    ),
    "redis": (
        not os.environ.get("CACHE_URL", "").startswith(("redis://", "rediss://")),
        "needs Redis: set CACHE_URL=redis://…",
    ),
}


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Skip what needs a service that this run was not given; ``.ci/run`` has a leg with all of them."""
    for item in items:
        for marker, (missing, reason) in _MISSING.items():
            if missing and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
