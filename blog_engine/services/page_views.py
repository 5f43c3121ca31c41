"""Counting page views and removing old counts."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import date, datetime
from typing import Final

from django.db import connections, router
from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine.conf import get_settings
from blog_engine.models import PageView
from blog_engine.queries.page_views import utc_day

# Django's ``bulk_create(update_conflicts=True)`` can only overwrite. The posts are looked up because a foreign key is
# checked when the transaction ends, and one to a post that is gone would cost a caller all that it wrote.
_MORE = """
    INSERT INTO blog_engine_pageview (post_id, day, views)
    SELECT post.id, counted.column2, counted.column3
    FROM (VALUES {rows}) AS counted, blog_engine_post AS post
    WHERE post.id = counted.column1
    ORDER BY counted.column1, counted.column2
    ON CONFLICT (post_id, day) DO UPDATE SET views = blog_engine_pageview.views + excluded.views
"""


def count_view(post_id: int, *, now: datetime, waits: bool = True) -> None:
    """Add one view to the day in UTC; see ``count_views``."""
    count_views({(post_id, utc_day(now)): 1}, waits=waits)


def count_views(views: Mapping[tuple[int, date], int], *, waits: bool = True) -> None:
    """Add views, by post id and UTC day, in one atomic statement that loses no increment.

    Rows are locked in one order, so that two processes do not deadlock. At most 300 totals fit in a statement. With
    ``waits=False`` a locked SQLite database is an error at once. A post that is gone counts nothing. It waits for no
    writer of a post, except for one that changes the slug or the external id while the day has no views.
    Raises Django's ``DatabaseError`` or ``InterfaceError``.
    """
    connection = connections[router.db_for_write(PageView)]
    adapt = connection.ops.adapt_datefield_value
    rows = [value for (post_id, day), number in views.items() for value in (post_id, adapt(day), number)]
    statement = _MORE.format(rows=", ".join(["(%s, %s, %s)"] * len(views)))
    with nullcontext() if waits else _without_waiting(connection), connection.cursor() as cursor:
        cursor.execute(statement, rows)


@contextmanager
def _without_waiting(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Let statements in this block fail at once while another writer holds a SQLite database."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    sqlite = connection.connection
    (usual,) = sqlite.execute("PRAGMA busy_timeout").fetchone()
    sqlite.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        sqlite.execute(f"PRAGMA busy_timeout = {usual}")


_AT_ONCE: Final = 10_000
"""Rows per statement: on SQLite other writers wait some 20 ms for them, and would wait seconds for a million."""


def prune_page_views(*, now: datetime) -> int:
    """Delete the daily totals from before the last ``page_view_retention_days`` days, and return their number.

    The day exactly that long ago stays (``page-views.pruning``). Without the setting nothing is deleted.
    """
    kept = get_settings().page_view_retention_days
    if kept is None:
        return 0
    first = date.fromordinal(max(utc_day(now).toordinal() - kept, 1))
    total = 0
    while deleted := _delete_some(before=first):
        total += deleted
    return total


def _delete_some(*, before: date) -> int:
    some = PageView.objects.filter(day__lt=before).values("pk")[:_AT_ONCE]
    deleted, _ = PageView.objects.filter(pk__in=some).delete()
    return deleted
