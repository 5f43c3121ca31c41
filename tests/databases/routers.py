"""Routers of hosts."""

from typing import Any

from django.db.models import Model

_BLOG = "blog_engine"


class OwnDatabase:
    """Keeps the tables of the blog in the database ``blog``, and all others out of it."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str | None:
        return "blog" if model._meta.app_label == _BLOG else None

    def db_for_write(self, model: type[Model], **hints: Any) -> str | None:
        return "blog" if model._meta.app_label == _BLOG else None

    def allow_migrate(self, db: str, app_label: str, model_name: str | None = None, **hints: Any) -> bool:
        return (db == "blog") == (app_label == _BLOG)


class PrimaryReplica:
    """As in Django's documentation, with one replica."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        return "replica"

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return "default"

    def allow_relation(self, obj1: Model, obj2: Model, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, model_name: str | None = None, **hints: Any) -> bool:
        return True
