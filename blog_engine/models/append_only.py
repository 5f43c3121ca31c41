"""History that is written once: the model and queryset rings of its protection (design.md 1.4)."""

from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from django.db import models

from blog_engine.models.reading import EngineQuerySet

_M = TypeVar("_M", bound=models.Model)


class AppendOnlyViolation(TypeError):
    """Code tried to change or delete a row of the history."""

    def __init__(self, model: type[models.Model], verb: str) -> None:
        super().__init__(f"{model.__name__} is append-only history: it cannot be {verb}.")


class AppendOnlyQuerySet(EngineQuerySet[_M]):
    """Refuses every bulk way to change or delete history."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnlyViolation(self.model, "updated")

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyViolation(self.model, "updated")

    def delete(self) -> NoReturn:
        raise AppendOnlyViolation(self.model, "deleted")

    def bulk_create(
        self,
        objs: Iterable[_M],
        batch_size: int | None = None,
        ignore_conflicts: bool = False,
        update_conflicts: bool = False,
        *args: Any,
        **kwargs: Any,
    ) -> list[_M]:
        if ignore_conflicts or update_conflicts:
            raise AppendOnlyViolation(self.model, "written over on conflict")
        return super().bulk_create(objs, batch_size, *args, **kwargs)


AppendOnlyManager = models.Manager.from_queryset(AppendOnlyQuerySet)


class AppendOnly(models.Model):
    """Base of all history rows: inserted once, never changed, never deleted (service.md section 1)."""

    objects = AppendOnlyManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; raise ``AppendOnlyViolation`` when it is already stored."""
        if not self._state.adding:
            raise AppendOnlyViolation(type(self), "updated")
        super().save(force_insert=True, using=kwargs.get("using"))

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Always raise ``AppendOnlyViolation``."""
        raise AppendOnlyViolation(type(self), "deleted")
