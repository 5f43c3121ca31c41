"""The tables of an export, and their rows as JSON objects."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import PurePosixPath
from typing import Any, Final

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import connections, models

from blog_engine.models import AppendOnly
from blog_engine.models.base import http_url, http_urls

LEFT_OUT: Final[dict[str, str]] = {
    "ApiToken": "Tokens belong to one installation: make new ones.",
    "Delivery": "Webhooks belong to one installation, and what was told must not be told again.",
    "IdempotencyKey": "It is kept for a day, so that a call that is sent twice counts once.",
    "FindingCode": "The codes follow from the posts, and are noted again.",
    "HistoryPermit": "A permit exists only inside a transaction.",
    "ContentVersion": "A random text by which kept pages notice a write.",
    "Passkey": "Passkeys belong to the users of one installation; the keys of signed approvals are in the history.",
    "SearchEntry": "It follows from the indexed texts of the posts, and is written again.",
    "SentForm": "It is kept for a day, so that a form that is sent twice counts once.",
    "UploadTicket": "Tickets are valid for minutes, at the URL of one installation.",
}
"""The models without a file in an export, each with the reason."""

_OF_THE_INSTALLATION: Final[Mapping[str, frozenset[str]]] = {
    "Author": frozenset({"user"}),
    "Post": frozenset({"created_by"}),
}
"""Columns that are not exported: which users of the host write in the blog is nothing that another site knows."""

LAST_IDS: Final = "data/last_ids.json"
"""The file with the last id that each table gave out, so that no id is given out twice."""

_CAPITAL: Final = re.compile(r"(?<!^)(?=[A-Z])")
_BATCH: Final = 500


class UnreadableRow(Exception):
    """A line of a table that is no row of it; the message says why."""


@dataclass(frozen=True)
class Table:
    """A table of the blog, and its file in an export."""

    model: type[models.Model]

    @property
    def path(self) -> str:
        """The file: in ``history/`` if its rows are never changed, else in ``data/``."""
        folder = "history" if issubclass(self.model, AppendOnly) else "data"
        return f"{folder}/{_CAPITAL.sub('_', self.model.__name__).lower()}.jsonl"

    @property
    def columns(self) -> "list[models.Field[Any, Any]]":
        left_out = _OF_THE_INSTALLATION.get(self.model.__name__, frozenset())
        return [column for column in self.model._meta.concrete_fields if column.name not in left_out]

    def rows(self, alias: str) -> Iterator[dict[str, Any]]:
        """Yield the rows by key, as JSON objects; one query, read in batches."""
        names = [column.attname for column in self.columns]
        # Without the default ordering, and without relations: the columns as they are.
        stored = self.model._base_manager.using(alias).order_by("pk").values_list(*names)
        for values in stored.iterator(_BATCH):
            yield {name: as_json(value) for name, value in zip(names, values, strict=True)}

    def read_row(self, row: Mapping[str, Any]) -> list[Any]:
        """Return the values of a JSON object in the order of ``columns``; raises ``UnreadableRow``.

        A column that an older release did not have gets its default.
        """
        if unknown := row.keys() - {column.attname for column in self.columns}:
            raise UnreadableRow(f"unknown columns: {', '.join(sorted(unknown))}")
        return [_read(column, row) for column in self.columns]


def _read(column: "models.Field[Any, Any]", row: Mapping[str, Any]) -> Any:
    if column.attname not in row:
        if not column.has_default() and not column.null:
            raise UnreadableRow(f"no value for {column.attname}")
        return column.get_default()
    value = row[column.attname]
    try:
        read = value if isinstance(column, models.ForeignKey) else column.to_python(value)
    except (ValidationError, ValueError, TypeError, OverflowError) as fault:
        raise UnreadableRow(f"{column.attname} has a value of another kind") from fault
    if as_json(read) != value or (read is None and not column.null):
        raise UnreadableRow(f"{column.attname} has a value of another kind")
    if read and any(check in _OF_URLS for check in column.validators):
        _check_urls(column, read)
    return read


_OF_URLS: Final = (http_url, http_urls)


def _check_urls(column: "models.Field[Any, Any]", value: Any) -> None:
    """Raise ``UnreadableRow`` for a link that browsers would run, or that leads nowhere."""
    try:
        column.run_validators(value)
    except ValidationError as fault:
        raise UnreadableRow(f"{column.attname} is no URL of http or https") from fault


def as_json(value: Any) -> Any:
    """Return the value of a column as JSON has it: times in UTC, to the microsecond."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return value.isoformat() if hasattr(value, "isoformat") else value


@cache
def exported_tables() -> tuple[Table, ...]:
    """Return the tables, each after those that its rows refer to."""
    known = [model for model in apps.get_app_config("blog_engine").get_models() if model.__name__ not in LEFT_OUT]
    # The triggers want a revision before what names it, and a baseline before approvals and publications.
    waiting = sorted(known, key=lambda model: issubclass(model, AppendOnly))
    done: list[type[models.Model]] = []
    while waiting:
        ready = next(model for model in waiting if _needs(model) <= {*done, model})
        waiting.remove(ready)
        done.append(ready)
    return tuple(Table(model) for model in done)


def _needs(model: type[models.Model]) -> set[type[models.Model]]:
    """Return the models that must come first: those of references that cannot be null."""
    return {
        field.related_model
        for field in model._meta.concrete_fields
        if isinstance(field, models.ForeignKey) and not field.null and not isinstance(field.related_model, str)
    }


def last_ids(alias: str) -> dict[str, int]:
    """Return the last id that each table with a counter gave out, by the name of its file."""
    connection = connections[alias]
    counted = [table for table in exported_tables() if isinstance(table.model._meta.pk, models.AutoField)]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, seq FROM sqlite_sequence")
            known = dict(cursor.fetchall())
            found = {table: known.get(table.model._meta.db_table, 0) for table in counted}
        else:
            found = {}
            for table in counted:
                cursor.execute(
                    "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass), 0)",
                    [table.model._meta.db_table, table.model._meta.pk.column],
                )
                found[table] = cursor.fetchone()[0]
    return {PurePosixPath(table.path).stem: found[table] for table in counted}
