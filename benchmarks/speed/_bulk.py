"""Fast writing of many rows."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def bulk_writer(indexed: type[models.Model]) -> "BulkWriter":
    """Return what writes many rows; ``indexed`` is the largest table, whose key is built at the end."""
    return CopyWriter(indexed) if connection.vendor == "postgresql" else BulkWriter()


class BulkWriter:
    """Inserts rows as any client does."""

    def write(self, model: type[models.Model], columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
        """Insert rows of adapted values."""
        known = {field.attname: field for field in model._meta.concrete_fields}
        fields = [known[name] for name in columns]
        adapted = [[self._adapted(field, value) for field, value in zip(fields, row, strict=True)] for row in rows]
        places = ", ".join(["%s"] * len(columns))
        named = ", ".join(map(connection.ops.quote_name, columns))
        with connection.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {model._meta.db_table} ({named}) VALUES ({places})", adapted)

    def close(self) -> None:
        """End the writing."""

    def _adapted(self, field: Any, value: Any) -> Any:
        if isinstance(field, models.JSONField):
            return value
        return field.get_db_prep_save(value, connection)


class CopyWriter(BulkWriter):
    """Copies rows into PostgreSQL as a superuser, without triggers and foreign keys, which hold for the copied rows."""

    def __init__(self, indexed: type[models.Model]) -> None:
        self._rebuild = []
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            # A table with checks that wait for the end of a transaction cannot be altered.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            table = indexed._meta.db_table
            cursor.execute(
                "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
                "WHERE conrelid = %s::regclass AND contype = 'p'",
                [table],
            )
            for name, definition in cursor.fetchall():
                cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
                self._rebuild.append(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')
            cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s", [table])
            for name, definition in cursor.fetchall():
                cursor.execute(f'DROP INDEX "{name}"')
                self._rebuild.append(definition)

    def write(self, model: type[models.Model], columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
        named = ", ".join(map(connection.ops.quote_name, columns))
        with connection.cursor() as cursor, cursor.copy(f"COPY {model._meta.db_table} ({named}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(list(row))

    def close(self) -> None:
        with connection.cursor() as cursor:
            for statement in self._rebuild:
                cursor.execute(statement)
            cursor.execute("SET session_replication_role = DEFAULT")
