"""Looking at the tables past the models."""

from typing import Any

from django.db import IntegrityError, connection

from blog_engine.models import AppendOnly, Approval, Baseline, ConnectionDeclaration, Image, Publication, Revision

HISTORY: list[type[AppendOnly]] = [Revision, Approval, Publication, Baseline, ConnectionDeclaration, Image]


def execute(sql: str, *params: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)


def is_of_a_trigger(error: IntegrityError) -> bool:
    """Whether a trigger of ours raised it, and no constraint."""
    code = getattr(error.__cause__, "sqlite_errorname", None) or getattr(error.__cause__, "sqlstate", None)
    return code in ("SQLITE_CONSTRAINT_TRIGGER", "23001")


def stored_rows() -> dict[str, list[Any]]:
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in HISTORY}
