"""For the tests of hosts: a blog's history can be flushed after a transactional test on SQLite.

After each ``TransactionTestCase`` (and ``LiveServerTestCase``, and pytest-django's ``transactional_db``) Django empties
all tables. On SQLite it does so with ``DELETE``, which the protection of the blog's history refuses. Say once, before
tests run, that it may::

    # with pytest: conftest.py beside manage.py or pyproject.toml
    pytest_plugins = ["blog_engine.testing"]

    # with manage.py test: the __init__.py of your tests
    from blog_engine.testing import allow_flush
    allow_flush()

Tests that roll back (``TestCase``, ``db``) need nothing, nor does PostgreSQL, where Django empties tables with
``TRUNCATE``. During the tests themselves the history stays protected on every database.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, wraps

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name GLOB 'blog_engine_*'"


@cache
def allow_flush() -> None:
    """Let Django empty the blog's tables after a transactional test; calling it again changes nothing."""
    flush = TransactionTestCase._fixture_teardown

    @wraps(flush)
    def flush_with_history(test: TransactionTestCase) -> None:
        with ExitStack() as lifted:
            for alias in test._databases_names(include_mirrors=False):
                if connections[alias].vendor == "sqlite":
                    lifted.enter_context(_lifted_triggers(connections[alias]))
            flush(test)

    TransactionTestCase._fixture_teardown = flush_with_history


def pytest_configure() -> None:
    """What pytest calls when this module is listed as a plugin."""
    allow_flush()


@contextmanager
def _lifted_triggers(connection: BaseDatabaseWrapper) -> Iterator[None]:
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        triggers = cursor.execute(_TRIGGERS).fetchall()
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
    try:
        yield
    finally:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            for _name, sql in triggers:
                cursor.execute(sql)
