"""Base classes of the models, constraints and validators."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import CheckConstraint, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from blog_engine.content.text import SLUG_PATTERN
from blog_engine.content.urls import split_http_url
from blog_engine.inputs.types import LINK_LENGTH
from blog_engine.models.reading import EngineManager, EngineQuerySet

_M = TypeVar("_M", bound="ServiceOwned")


class DirectWrite(TypeError):
    """Code tried to write a row that only services write."""

    def __init__(self, model: type[models.Model]) -> None:
        super().__init__(
            f"{model.__name__} rows are written by blog_engine.services "
            "(save_draft, publish_post, update_post, unpublish_post, remove_post), never directly."
        )


class ServiceOwnedQuerySet(EngineQuerySet[_M]):  # type: ignore[override]  # of as_manager, in the stubs only
    """Refuses every bulk write except clearing the references to a deleted record."""

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
    """Base of posts and their FAQ entries, which only services write (``history.protection.services``)."""

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
        """Write the row; only services call this."""
        super().save(update_fields=update_fields)

    def discard(self) -> None:
        """Delete the row and what cascades from it; only services call this."""
        super().delete()


_A = TypeVar("_A", bound=models.Model)


class AppendOnlyViolation(TypeError):
    """Code tried to change or delete a row of the history."""

    def __init__(self, model: type[models.Model], verb: str) -> None:
        super().__init__(f"{model.__name__} is append-only history: it cannot be {verb}.")


class AppendOnlyQuerySet(EngineQuerySet[_A]):
    """Refuses every bulk way to change or delete history."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnlyViolation(self.model, "updated")

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyViolation(self.model, "updated")

    def delete(self) -> NoReturn:
        raise AppendOnlyViolation(self.model, "deleted")

    def bulk_create(
        self,
        objs: Iterable[_A],
        batch_size: int | None = None,
        ignore_conflicts: bool = False,
        update_conflicts: bool = False,
        *args: Any,
        **kwargs: Any,
    ) -> list[_A]:
        if ignore_conflicts or update_conflicts:
            raise AppendOnlyViolation(self.model, "written over on conflict")
        return super().bulk_create(objs, batch_size, *args, **kwargs)


AppendOnlyManager = models.Manager.from_queryset(AppendOnlyQuerySet)


class ByActor(models.Model):
    """Base of the rows that say what kind of actor made them, and which one; null where it was not recorded."""

    actor_kind = models.CharField(max_length=20, null=True)
    actor_id = models.CharField(max_length=255, null=True)

    class Meta:
        abstract = True


class AppendOnly(models.Model):
    """Base of the rows of the history: inserted once, never changed or deleted (``history.append-only``)."""

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


class _ExactDateTimeField(models.DateTimeField):  # type: ignore[type-arg]  # generic in the stubs only
    """A time that every serializer keeps to the microsecond, because the chain covers it.

    ``dumpdata`` writes the times of other fields to JSON without their microseconds. Migrations know it as
    ``DateTimeField``, which it is for the database.
    """

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateTimeField", args, kwargs

    def value_from_object(self, obj: models.Model) -> Any:
        """Return the time, or as text if JSON would cut it: serializers write text as it is."""
        value = super().value_from_object(obj)
        return value.isoformat() if value is not None and value != whole_milliseconds(value) else value

    def value_to_string(self, obj: models.Model) -> str:
        """Return the time for XML."""
        value = super().value_from_object(obj)
        return "" if value is None else value.isoformat()


if TYPE_CHECKING:
    # The plugin of mypy knows from it whether a column can be null.
    ExactDateTimeField = models.DateTimeField
else:
    ExactDateTimeField = _ExactDateTimeField


def whole_milliseconds(time: datetime) -> datetime:
    """Return the time without the microseconds that JSON and the API do not show."""
    return time.replace(microsecond=time.microsecond // 1000 * 1000)


class EngineModel(models.Model):
    """Base of models with the engine's manager, which reads pages from replicas."""

    objects = EngineManager()

    class Meta:
        abstract = True
        base_manager_name = "objects"


class WithListPage:
    """A record whose posts have a list page."""

    redirected: Sequence[tuple[str, str | None]] = ()
    """The paths that the last write of a service moved, with their targets."""


class Timestamped(EngineModel):
    """The times at which a row was created and last written; readers never see them as dates."""

    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(EngineModel.Meta):
        abstract = True


def one_of(field: str, words: type[StrEnum], *, name: str) -> CheckConstraint:
    """Return a check that the column holds one of the words."""
    return CheckConstraint(condition=Q(**{f"{field}__in": [word.value for word in words]}), name=name)


def choices(words: type[StrEnum]) -> list[tuple[str, str]]:
    """Return the words as choices of a field."""
    return [(word.value, word.value.replace("_", " ")) for word in words]


slug_shaped = RegexValidator(
    SLUG_PATTERN, _("Lower-case ASCII letters and digits, in groups joined by single hyphens or underscores.")
)


def http_url(value: str) -> None:
    """Raise ``ValidationError`` unless the API accepts the text as a URL."""
    if len(value) > LINK_LENGTH or split_http_url(value) is None:
        raise ValidationError(_("An absolute http or https URL."))


def http_urls(value: object) -> None:
    """Raise ``ValidationError`` unless the API accepts the value as a list of URLs."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValidationError(_("A list of http or https URLs."))
    for one in value:
        http_url(one)
