"""For tests of hosts: let Django empty the tables after a transactional test.

After each ``TransactionTestCase`` (also ``LiveServerTestCase`` and pytest-django's ``transactional_db``), Django
empties all tables. On SQLite it uses ``DELETE``, which the triggers that protect the history refuse. Allow it once,
in a module that is imported before tests run: ``conftest.py`` for pytest, otherwise the ``__init__.py`` of the
tests::

    from blog_engine.testing import allow_flush

    allow_flush()

While a test runs, the history stays protected. Tests that roll back (``TestCase``, ``db``) do not need this, nor does
PostgreSQL, where Django uses ``TRUNCATE``.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache, wraps

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import TransactionTestCase

_TRIGGERS = "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name GLOB 'blog_engine_*'"


@cache
def allow_flush() -> None:
    """Let Django empty the tables after transactional tests; safe to call repeatedly."""
    # Django has no public API for this.
    flush = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

    @wraps(flush)
    def flush_with_history(test: TransactionTestCase) -> None:
        with ExitStack() as lifted:
            for alias in test._databases_names(include_mirrors=False):  # type: ignore[attr-defined]
                if connections[alias].vendor == "sqlite":
                    lifted.enter_context(_without_triggers(connections[alias]))
            flush(test)

    TransactionTestCase._fixture_teardown = flush_with_history  # type: ignore[attr-defined]


@contextmanager
def _without_triggers(connection: BaseDatabaseWrapper) -> Iterator[None]:
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        triggers = cursor.execute(_TRIGGERS).fetchall()
        # No trigger of an empty table runs.
        filled = {
            table
            for table in {table for table, *_ in triggers}
            if cursor.execute(f'SELECT 1 FROM "{table}" LIMIT 1').fetchone()  # noqa: S608  our own tables
        }
        lifted = [(name, sql) for table, name, sql in triggers if table in filled]
        for name, _sql in lifted:
            cursor.execute(f'DROP TRIGGER "{name}"')
    try:
        yield
    finally:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            for _name, sql in lifted:
                cursor.execute(sql)
