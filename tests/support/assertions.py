"""What a refusal must leave unchanged, and what a write must log."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Model

from blog_engine.doctor.base import ProbeContext, Verdict
from blog_engine.errors import Refusal
from tests.support.factories import LATER


def everything_stored() -> dict[str, Any]:
    """All rows of all tables of the engine, and all files of its storage."""
    models = apps.get_app_config("blog_engine").get_models(include_auto_created=True)
    rows = {model.__name__: _rows_of(model) for model in models}
    media = Path(settings.MEDIA_ROOT)
    return rows | {"files": sorted(str(path) for path in media.rglob("*") if path.is_file())}


def _rows_of(model: type[Model]) -> list[dict[str, Any]]:
    """Every column as the database holds it: hundreds of tests look twice, and a queryset takes ten times as long."""
    table, key = model._meta.db_table, ", ".join(f'"{field.column}"' for field in model._meta.pk_fields)
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}" ORDER BY {key}')  # noqa: S608  names of our own models
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@contextmanager
def refused(refusal: type[Refusal], details: list[str] | None = None) -> Iterator[None]:
    """The block must raise this refusal, with these details when they are given, and leave nothing behind."""
    before = everything_stored()
    with pytest.raises(refusal) as raised:
        yield
    if details is not None:
        assert raised.value.details == details
    assert everything_stored() == before


_FORMAT = logging.Formatter("%(levelname)s %(name)s %(message)s")


def write_lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """Level and fields of each line about a write, without what says nothing and without how long it took."""
    lines = []
    for record in caplog.records:
        if record.name == "blog_engine.writes":
            fields = dict(record.__dict__["blog_engine"])
            assert fields.pop("duration_ms") >= 0
            lines.append(
                (record.levelname, {key: value for key, value in fields.items() if value not in (None, False)})
            )
    return lines


def everything_logged(caplog: pytest.LogCaptureFixture) -> str:
    """Whatever a formatter could show of all records: messages, tracebacks and attributes."""
    return "\n".join(f"{_FORMAT.format(record)} {record.__dict__!r}" for record in caplog.records)


VISIT = ProbeContext(now=LATER, newest_posts=None)


def verdict_of(check: Callable[[ProbeContext], Verdict]) -> tuple[str, str]:
    """Status and message of a check at the factories' ``LATER``."""
    found = check(VISIT)
    return found.status.value, found.message
