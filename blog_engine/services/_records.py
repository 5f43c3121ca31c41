"""What creating and editing categories, series and authors have in common (records.md 10)."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar

from django.db import IntegrityError
from django.db.models import Model

from blog_engine.actor import Actor, Scope
from blog_engine.content.slugs import slug_from_name
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.authors import CreateAuthor, UpdateAuthor
from blog_engine.inputs.taxonomy import CreateCategory, CreateSeries, UpdateCategory, UpdateSeries
from blog_engine.models import Author, Category, Series, Tag
from blog_engine.queries.rows import row_of
from blog_engine.services._redirects import move_list_page
from blog_engine.services._taxonomy import free_slug
from blog_engine.services._transaction import lock_redirects, savepoint, write_transaction
from blog_engine.vocabulary import ListKind

R = TypeVar("R", Category, Series, Author)
G = TypeVar("G", Category, Series)
Sent: TypeAlias = CreateCategory | UpdateCategory | CreateSeries | UpdateSeries | CreateAuthor | UpdateAuthor

_NO_COLUMNS = {"id", "slug", "avatar"}
"""Fields with a way of their own into the record."""

LIST_KINDS: Final[Mapping[type[Model], ListKind]] = MappingProxyType(
    {Category: ListKind.CATEGORY, Tag: ListKind.TAG, Author: ListKind.AUTHOR, Series: ListKind.SERIES}
)
"""The kind of page that each record has."""


def create(record: G, data: CreateCategory | CreateSeries, *, actor: Actor) -> G:
    """Store a new record. Raises ``ScopeRequired``, or ``ValidationFailed`` when its name or slug is taken."""
    actor.require(Scope.WRITE)
    with write_transaction():
        assign(record, data)
        return store(record, data)


def update(model: type[G], data: UpdateCategory | UpdateSeries, *, actor: Actor, now: datetime) -> G:
    """Change what was sent of a record. Raises ``NotFound``, or what ``create`` raises."""
    actor.require(Scope.WRITE)
    with write_transaction():
        record = locked(model, data.id)
        assign(record, data)
        with redirecting_page(record, now=now):
            return store(record, data)


@contextmanager
def redirecting_page(record: Model, *, now: datetime) -> Iterator[None]:
    """Store a category, tag, author or series in the block; a new slug redirects its page and feeds.

    Use it inside the write's transaction.
    """
    kind, rows = LIST_KINDS[type(record)], type(record)._default_manager
    held = rows.select_for_update(of=("self",), no_key=True).filter(pk=record.pk).values_list("slug", flat=True)
    old_slug, new_slug = held.first(), str(getattr(record, "slug", ""))
    if old_slug is None or old_slug == new_slug:
        yield
        return
    # Before the row: a new slug holds it against writers of posts, who may hold the redirects.
    lock_redirects()
    yield
    move_list_page(kind, old_slug, new_slug, now=now)


def locked(model: type[R], record_id: int) -> R:
    """The record as it is now, held against other edits until the transaction ends; raises ``NotFound``."""
    return row_of(model._default_manager.select_for_update(of=("self",), no_key=True), record_id)


def assign(record: R, data: Sent) -> None:
    """Set the slug, and of the other columns what was sent.

    A new record without a slug gets one from its name, a stored one keeps its own (decisions.md 9.14).
    Raises ``ValidationFailed`` when the name or the slug belongs to another record.
    """
    for name, value in data.model_dump(mode="json", exclude=_NO_COLUMNS, exclude_unset=True).items():
        setattr(record, name, value)
    if data.slug:
        record.slug = data.slug
    elif record._state.adding:
        record.slug = _derived_slug(record)
    _refuse_taken(record, data)


def store(record: R, data: Sent) -> R:
    """Write the record; raises ``ValidationFailed`` when another writer took its name or slug meanwhile."""
    try:
        with savepoint():
            record.save()
    except IntegrityError:
        free = record.slug if data.slug or record.pk else _derived_slug(record)
        if free == record.slug:
            _refuse_taken(record, data)
            raise
        record.slug = free
        return store(record, data)
    return record


def _derived_slug(record: R) -> str:
    """Return the slug that a new record gets from its name; one of a category is numbered when another name has it."""
    kind = str(record._meta.model_name)
    if isinstance(record, Category) and not Category.objects.filter(name=record.name).exists():
        return free_slug(Category, record.name, kind=kind)
    return slug_from_name(record.name, kind=kind)


def _refuse_taken(record: R, data: Sent) -> None:
    others = type(record)._default_manager.exclude(pk=record.pk)
    unique = ["name", "slug"] if isinstance(record, Category) else ["slug"]
    taken = [name for name in unique if others.filter(**{name: getattr(record, name)}).exists()]
    if taken == ["slug"] and not data.slug:
        raise ValidationFailed(["name"], hint="The slug made from it belongs to another record: send a slug.")
    if taken:
        raise ValidationFailed(taken, hint="Another record has it already: send another one, or update that record.")
