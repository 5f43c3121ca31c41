# ruff: noqa: S608  the statements are built from names in this repository
"""History is append-only: model, queryset and database refuse every change."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.models import ProtectedError, QuerySet

from blog_engine.models import (
    AppendOnly,
    AppendOnlyViolation,
    Approval,
    ApprovalKey,
    ApprovalSignature,
    Baseline,
    ChainLink,
    Checkpoint,
    ConnectionDeclaration,
    Image,
    Proposal,
    ProposalEvent,
    Publication,
    Revision,
    StatusChange,
    WithheldVersion,
)
from tests.requirements import requirement
from tests.support.databases import replayed
from tests.support.tables import HISTORY, History, execute, insert_history, stored_rows

pytestmark = pytest.mark.django_db

REFUSALS = (AppendOnlyViolation, IntegrityError)


@dataclass(frozen=True)
class Target:
    """A stored row, and a change that would rewrite it."""

    row: Any
    history: History

    @property
    def model(self) -> Any:
        return type(self.row)

    @property
    def table(self) -> str:
        return str(self.model._meta.db_table)

    @property
    def column(self) -> str:
        """Return a text column without a constraint."""
        return {
            Revision: "actor",
            Approval: "recorded_by",
            Publication: "released_by",
            Baseline: "adopted_by",
            ConnectionDeclaration: "recorded_by",
            StatusChange: "actor",
            Image: "uploaded_by",
            ChainLink: "digest",
            Checkpoint: "root",
            Proposal: "actor",
            ProposalEvent: "actor",
            WithheldVersion: "reason",
            ApprovalKey: "actor_id",
            ApprovalSignature: "actor_id",
        }[self.model]

    @property
    def values(self) -> dict[str, str]:
        """Return the change."""
        return {self.column: "forged"}

    @property
    def stored(self) -> QuerySet[Any]:
        return self.model.objects.filter(pk=self.row.pk)

    @property
    def forged(self) -> Any:
        """Return the row itself with the change."""
        setattr(self.row, self.column, "forged")
        return self.row

    @property
    def changed(self) -> Any:
        """Return a copy of the stored row with a change."""
        values = {field.attname: getattr(self.row, field.attname) for field in self.model._meta.concrete_fields}
        return self.model(**values | self.values)


def force(row: Any) -> None:
    row._state.adding = False
    row.save(force_update=True)


def delete_post_in_sql(target: Target) -> None:
    execute("DELETE FROM blog_engine_post WHERE id = %s", target.history.post.pk)
    connection.check_constraints()


def values_of(row: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name != "_state"}


CONFLICTS: dict[str, Any] = {"update_conflicts": True, "unique_fields": ["id"]}

WAYS: dict[str, Callable[[Target], object]] = {
    "save it": lambda one: one.forged.save(),
    "save one column": lambda one: one.forged.save(update_fields=[one.column]),
    "save it read again": lambda one: one.stored.get().save(),
    "save a copy with its id": lambda one: one.changed.save(),
    "save a copy by force": lambda one: force(one.changed),
    "save past the model": lambda one: models.Model.save(one.changed),
    "save raw as loaddata": lambda one: models.Model.save_base(one.changed, raw=True),
    "delete it": lambda one: one.row.delete(),
    "delete past the model": lambda one: models.Model.delete(one.row),
    "update all": lambda one: one.model.objects.update(**one.values),
    "update by the base manager": lambda one: one.model._base_manager.filter(pk=one.row.pk).update(**one.values),
    "update by the default manager": lambda one: one.model._default_manager.filter(pk=one.row.pk).update(**one.values),
    "update by a plain queryset": lambda one: QuerySet(one.model).update(**one.values),
    "update in bulk": lambda one: one.model.objects.bulk_update([one.changed], [one.column]),
    "update in bulk by a plain queryset": lambda one: QuerySet(one.model).bulk_update([one.changed], [one.column]),
    "update or create": lambda one: one.model.objects.update_or_create(pk=one.row.pk, defaults=one.values),
    "delete all": lambda one: one.model.objects.all().delete(),
    "delete by the base manager": lambda one: one.model._base_manager.filter(pk=one.row.pk).delete(),
    "delete by a plain queryset": lambda one: QuerySet(one.model).delete(),
    "delete raw": lambda one: one.stored._raw_delete(one.stored.db),
    "create in bulk": lambda one: one.model.objects.bulk_create([one.changed]),
    "create in bulk ignoring conflicts": lambda one: one.model.objects.bulk_create(
        [one.changed], ignore_conflicts=True
    ),
    "create in bulk updating conflicts": lambda one: one.model.objects.bulk_create(
        [one.changed], update_fields=[one.column], **CONFLICTS
    ),
    "create in bulk updating conflicts by a plain queryset": lambda one: QuerySet(one.model).bulk_create(
        [one.changed], update_fields=[one.column], **CONFLICTS
    ),
    "create with its id": lambda one: one.model.objects.create(**values_of(one.changed)),
    "write SQL": lambda one: execute(f"UPDATE {one.table} SET {one.column} = 'forged' WHERE id = %s", one.row.pk),
    "write nothing new in SQL": lambda one: execute(f"UPDATE {one.table} SET id = id WHERE id = %s", one.row.pk),
    "delete in SQL": lambda one: execute(f"DELETE FROM {one.table} WHERE id = %s", one.row.pk),
    "delete the post": lambda one: one.history.post.discard(),
    "delete the post in SQL": delete_post_in_sql,
}


written_history = replayed(insert_history)


@requirement("history.append-only", "history.protection.writes", "proof.chain.protected", "proposals.append-only")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", HISTORY, ids=lambda model: model.__name__)
def test_history_cannot_be_written_again(model: type[AppendOnly], way: str) -> None:
    history = written_history()
    target = Target(row=history.row_of(model), history=history)
    before = stored_rows()

    with pytest.raises(REFUSALS), transaction.atomic():
        WAYS[way](target)

    assert stored_rows() == before


@requirement("history.protection.writes")
@pytest.mark.parametrize("relation", ["revisions", "approvals", "publications", "declarations", "proposals"])
@pytest.mark.parametrize("verb", ["update", "delete", "add"])
def test_a_related_manager_cannot_write_again(relation: str, verb: str) -> None:
    history = insert_history()
    manager = getattr(history.post, relation)
    write = {
        "update": lambda: manager.update(created_at=None),
        "delete": lambda: manager.all().delete(),
        "add": lambda: getattr(insert_history().post, relation).add(manager.get()),
    }[verb]

    with pytest.raises(AppendOnlyViolation):
        write()


@requirement("history.protection.writes")
@pytest.mark.parametrize("owner", ["post", "revision", "image", "author"])
def test_what_history_refers_to_cannot_be_deleted(owner: str) -> None:
    history = insert_history()
    row = history.post.author if owner == "author" else getattr(history, owner)
    before = stored_rows()

    with pytest.raises(ProtectedError):
        models.Model.delete(row)

    assert stored_rows() == before
