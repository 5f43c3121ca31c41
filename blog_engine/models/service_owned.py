"""Rows that only the services write, so that no content changes without its history (decisions.md 9.7)."""

from collections.abc import Iterable
from typing import Any, ClassVar, NoReturn, TypeVar

from django.db import models

from blog_engine.models.reading import EngineQuerySet

_M = TypeVar("_M", bound="ServiceOwned")


class DirectWrite(TypeError):
    """Code tried to write a service-owned row past the services."""

    def __init__(self, model: type[models.Model]) -> None:
        super().__init__(
            f"{model.__name__} rows are written by blog_engine.services "
            "(save_draft, publish_post, update_post, unpublish_post, remove_post), never directly."
        )


class ServiceOwnedQuerySet(EngineQuerySet[_M]):  # type: ignore[override]  # of as_manager, in the stubs only
    """Reads freely; refuses every bulk write but clearing a reference to a deleted record."""

    def update(self, **kwargs: Any) -> int:
        # Django clears the references to a deleted category or series this way; neither is content.
        if any(value is not None or name not in self.model.clearable for name, value in kwargs.items()):
            raise DirectWrite(self.model)
        return super().update(**kwargs)

    def delete(self) -> NoReturn:
        raise DirectWrite(self.model)

    def bulk_create(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise DirectWrite(self.model)

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise DirectWrite(self.model)


ServiceOwnedManager = models.Manager.from_queryset(ServiceOwnedQuerySet)


class ServiceOwned(models.Model):
    """Base of posts and their FAQ entries."""

    clearable: ClassVar[frozenset[str]] = frozenset()
    """The references that become null when the record they point to is deleted."""

    objects = ServiceOwnedManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Always raise ``DirectWrite``; services call ``store``."""
        raise DirectWrite(type(self))

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Always raise ``DirectWrite``; services call ``discard``."""
        raise DirectWrite(type(self))

    def store(self, *, update_fields: Iterable[str] | None = None) -> None:
        """Write the row; for the services only."""
        super().save(update_fields=update_fields)

    def discard(self) -> None:
        """Delete the row and what cascades from it; for the services only."""
        super().delete()
