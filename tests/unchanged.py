"""Proof that a refusal wrote nothing: every row of every table, before and after."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Model

from blog_engine.errors import Refusal


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
