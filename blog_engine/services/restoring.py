"""Writing the rows of an export into an empty blog as they were, history included.

Nothing is derived, recorded or announced here except the search index. The triggers and constraints of the database
check the rows as they check any other.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final

from django.db import connections, models, router, transaction

from blog_engine.models import Post
from blog_engine.models.reading import reading_what_is_written
from blog_engine.services._search_index import index_new_posts, insert_values

_BATCH: Final = 200


@contextmanager
def restoring(tables: Sequence[type[models.Model]]) -> Iterator[None]:
    """Open the one transaction of a restore, in which no one else writes to these tables."""
    alias = router.db_for_write(Post)
    connection = connections[alias]
    names = [model._meta.db_table for model in tables]
    with reading_what_is_written(), transaction.atomic(using=alias):
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                # A transaction that reads first could not wait for the lock.
                cursor.execute("UPDATE blog_engine_redirect SET id = id WHERE id < 0")
            else:
                cursor.execute(f"LOCK TABLE {', '.join(names)} IN SHARE ROW EXCLUSIVE MODE")
        yield


def check_references(tables: Sequence[type[models.Model]]) -> None:
    """Check the references between the rows, as the database otherwise does at the end; raise ``IntegrityError``."""
    connections[router.db_for_write(Post)].check_constraints([model._meta.db_table for model in tables])


def undo_restore() -> None:
    """Make ``restoring`` roll back at its end, for a dry run."""
    transaction.set_rollback(True, using=router.db_for_write(Post))


def rows_in_the_way(tables: Iterable[type[models.Model]]) -> dict[str, int]:
    """Return how many rows each table that is not empty has, by the plural name of its rows."""
    counted = {str(model._meta.verbose_name_plural): model._base_manager.count() for model in tables}
    return {name: number for name, number in counted.items() if number}


def insert_rows(
    model: type[models.Model], columns: "Sequence[models.Field[Any, Any]]", rows: Sequence[Sequence[Any]]
) -> None:
    """Insert rows with their keys and times; raises what the database raises."""
    connection = connections[router.db_for_write(model)]
    names = ", ".join(connection.ops.quote_name(str(column.column)) for column in columns)
    prepared = [
        [column.get_db_prep_save(value, connection) for column, value in zip(columns, row, strict=True)] for row in rows
    ]
    insert_values(connection, model._meta.db_table, names, prepared)


def restore_search_index() -> Iterator[int]:
    """Write the search entries of all posts from their indexed texts; yield the number of posts after each batch."""
    columns = ("status", "listed_at", "indexed_title", "indexed_description", "indexed_faq", "indexed_body")
    indexed = Post.objects.filter(indexed_with__isnull=False).order_by("pk").only(*columns)
    stored, done = indexed.iterator(_BATCH), 0
    while batch := list(islice(stored, _BATCH)):
        index_new_posts(batch)
        yield (done := done + len(batch))


def restore_counters(last_ids: Mapping[type[models.Model], int]) -> None:
    """Let each table give out the ids after the last one that it gave out in the exported blog."""
    connection = connections[router.db_for_write(Post)]
    with connection.cursor() as cursor:
        for model, last in last_ids.items():
            table, key = model._meta.db_table, model._meta.pk
            if not last or key is None:
                continue
            if connection.vendor == "sqlite":
                cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last, table])
                if not cursor.rowcount:
                    cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
            else:
                sequence = [table, key.column, last]
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s)::regclass, %s)", sequence)
