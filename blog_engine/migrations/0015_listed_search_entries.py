# ruff: noqa: S608 - our own names
"""The dates of public posts in the search index, so that a search reads the first results only.

The entries get another primary key, by which they are sorted: word, rank, date and post. A process of the previous
version goes on writing entries without a date; ``render_posts`` dates those of posts that it published meanwhile.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

import django.db.models
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_PUBLIC = "published"
_FIRST_YEAR = datetime(1, 1, 1, tzinfo=UTC)
_ENTRIES = "blog_engine_searchentry"
_INDEX = f"{_ENTRIES}_post_id_846d6d90"
"""As Django names it."""
_DATES = "blog_engine_search_dates"
_BATCH = 400
"""Rows of one statement: SQLite takes 999 parameters everywhere."""


def _date_entries(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Date the entries of public posts, and sort the entries by date."""
    connection = schema_editor.connection
    posts = apps.get_model("blog_engine", "Post").objects.using(connection.alias).filter(status=_PUBLIC)
    dated = [
        (post_id, (listed_at - _FIRST_YEAR) // timedelta(microseconds=1))
        for post_id, listed_at in posts.order_by("pk").values_list("pk", "listed_at")
    ]
    with connection.cursor() as cursor:
        # SQLite keeps no moments of which SQL could tell the microseconds.
        cursor.execute(f"CREATE TEMPORARY TABLE {_DATES} (post_id bigint PRIMARY KEY, listed bigint NOT NULL)")
        for start in range(0, len(dated), _BATCH):
            batch = dated[start : start + _BATCH]
            marks = ", ".join(["(%s, %s)"] * len(batch))
            cursor.execute(f"INSERT INTO {_DATES} VALUES {marks}", [value for row in batch for value in row])
        if connection.vendor == "postgresql":
            cursor.execute(f"ANALYZE {_DATES}")
            # Indexes that follow each row would take several times as long as new ones.
            cursor.execute(f"ALTER TABLE {_ENTRIES} DROP CONSTRAINT {_ENTRIES}_pkey")
            cursor.execute(f"DROP INDEX {_INDEX}")
            cursor.execute(
                f"UPDATE {_ENTRIES} SET listed = dated.listed FROM {_DATES} dated "
                f"WHERE dated.post_id = {_ENTRIES}.post_id"
            )
            cursor.execute(f"ALTER TABLE {_ENTRIES} ADD PRIMARY KEY (word, rank, listed, post_id)")
            cursor.execute(f"CREATE INDEX {_INDEX} ON {_ENTRIES} (post_id)")
        else:
            _rebuild(
                cursor,
                key="word, rank, listed, post_id",
                rows=f"SELECT word, rank, coalesce({_DATES}.listed, 0) AS listed, {_ENTRIES}.post_id "
                f"FROM {_ENTRIES} LEFT JOIN {_DATES} ON {_DATES}.post_id = {_ENTRIES}.post_id",
            )
        cursor.execute(f"DROP TABLE {_DATES}")


def _forget_dates(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "postgresql":
            cursor.execute(f"ALTER TABLE {_ENTRIES} DROP CONSTRAINT {_ENTRIES}_pkey")
            cursor.execute(f"ALTER TABLE {_ENTRIES} ADD PRIMARY KEY (word, rank, post_id)")
        else:
            rows = f"SELECT word, rank, listed, post_id FROM {_ENTRIES}"
            _rebuild(cursor, key="word, rank, post_id", rows=rows)


def _rebuild(cursor: Any, *, key: str, rows: str) -> None:
    """Replace the table of SQLite, which cannot change the key of one."""
    cursor.execute(
        f"CREATE TABLE {_ENTRIES}_new (word bigint NOT NULL, rank smallint NOT NULL, "
        "listed bigint DEFAULT 0 NOT NULL, "
        "post_id bigint NOT NULL REFERENCES blog_engine_post (id) DEFERRABLE INITIALLY DEFERRED, "
        f"PRIMARY KEY ({key}))"
    )
    cursor.execute(f"INSERT INTO {_ENTRIES}_new (word, rank, listed, post_id) {rows}")
    cursor.execute(f"DROP TABLE {_ENTRIES}")
    cursor.execute(f"ALTER TABLE {_ENTRIES}_new RENAME TO {_ENTRIES}")
    cursor.execute(f"CREATE INDEX {_INDEX} ON {_ENTRIES} (post_id)")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0014_publication_times")]

    operations: ClassVar = [
        migrations.AddField(
            model_name="searchentry",
            name="listed",
            field=models.BigIntegerField(
                db_default=0,
                default=0,
                help_text="The listed_at of a public post in microseconds since the year 1, 0 for other posts.",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(_date_entries, _forget_dates)],
            state_operations=[
                migrations.AlterField(
                    model_name="searchentry",
                    name="pk",
                    field=django.db.models.CompositePrimaryKey(
                        "word",
                        "rank",
                        "listed",
                        "post_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                )
            ],
        ),
    ]
