"""Deletion of a user of the host to whom a record belongs, in a project whose users can be in another database."""

from typing import Any

from django.db import models, router
from django.db.models.deletion import SET_NULL, Collector
from django.db.models.query import QuerySet


def forget_user(collector: Collector, field: "models.Field[Any, Any]", rows: QuerySet[Any], using: str) -> None:
    """Clear the reference to a deleted user, in the database that has the blog's tables."""
    if router.allow_migrate_model(using, field.model):
        SET_NULL(collector, field, rows, using)
    else:
        rows.using(router.db_for_write(field.model)).update(**{field.name: None})


# Or Django would look the rows up first, in the database of the users.
forget_user.lazy_sub_objs = True  # type: ignore[attr-defined]  # as Django marks its own
