"""Counting one view of a post."""

from datetime import datetime

from django.db import connections, router

from blog_engine.models import PageView
from blog_engine.queries.views import counted_day

# Django's ``bulk_create(update_conflicts=True)`` can only overwrite. The post is looked up because a foreign key is
# checked when the transaction ends, and one to a post that is gone would cost a caller all that it wrote.
_ONE_MORE = """
    INSERT INTO blog_engine_pageview (post_id, day, views)
    SELECT id, %s, 1 FROM blog_engine_post WHERE id = %s
    ON CONFLICT (post_id, day) DO UPDATE SET views = blog_engine_pageview.views + 1
"""


def count_view(post_id: int, *, now: datetime) -> None:
    """Add one view to the day of UTC: one atomic statement, which loses no increment (records.md 17, 21).

    A post that is gone counts nothing. Whoever edits the post at the same time is not waited for, unless the slug
    or the external id changes while the day has no views. Raises Django's ``DatabaseError`` or ``InterfaceError``.
    """
    connection = connections[router.db_for_write(PageView)]
    day = connection.ops.adapt_datefield_value(counted_day(now))
    with connection.cursor() as cursor:
        cursor.execute(_ONE_MORE, [day, post_id])
