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
        }[self.model]

    @property
    def changed(self) -> Any:
        """Return a copy of the stored row with a change."""
        values = {field.attname: getattr(self.row, field.attname) for field in self.model._meta.concrete_fields}
        return self.model(**values | {self.column: "forged"})


def save_it(target: Target) -> None:
    setattr(target.row, target.column, "forged")
    target.row.save()


def save_one_column(target: Target) -> None:
    setattr(target.row, target.column, "forged")
    target.row.save(update_fields=[target.column])


def save_it_read_again(target: Target) -> None:
    target.model.objects.get(pk=target.row.pk).save()


def save_a_copy_with_its_id(target: Target) -> None:
    target.changed.save()


def save_a_copy_by_force(target: Target) -> None:
    copy = target.changed
    copy._state.adding = False
    copy.save(force_update=True)


def save_past_the_model(target: Target) -> None:
    models.Model.save(target.changed)


def save_raw_as_loaddata(target: Target) -> None:
    models.Model.save_base(target.changed, raw=True)


def delete_it(target: Target) -> None:
    target.row.delete()


def delete_past_the_model(target: Target) -> None:
    models.Model.delete(target.row)


def update_all(target: Target) -> None:
    target.model.objects.update(**{target.column: "forged"})


def update_by_the_base_manager(target: Target) -> None:
    target.model._base_manager.filter(pk=target.row.pk).update(**{target.column: "forged"})


def update_by_the_default_manager(target: Target) -> None:
    target.model._default_manager.filter(pk=target.row.pk).update(**{target.column: "forged"})


def update_by_a_plain_queryset(target: Target) -> None:
    QuerySet(target.model).update(**{target.column: "forged"})


def update_in_bulk(target: Target) -> None:
    target.model.objects.bulk_update([target.changed], [target.column])


def update_in_bulk_by_a_plain_queryset(target: Target) -> None:
    QuerySet(target.model).bulk_update([target.changed], [target.column])


def update_or_create(target: Target) -> None:
    target.model.objects.update_or_create(pk=target.row.pk, defaults={target.column: "forged"})


def delete_all(target: Target) -> None:
    target.model.objects.all().delete()


def delete_by_the_base_manager(target: Target) -> None:
    target.model._base_manager.filter(pk=target.row.pk).delete()


def delete_by_a_plain_queryset(target: Target) -> None:
    QuerySet(target.model).delete()


def delete_raw(target: Target) -> None:
    rows = target.model.objects.filter(pk=target.row.pk)
    rows._raw_delete(rows.db)


def create_in_bulk(target: Target) -> None:
    target.model.objects.bulk_create([target.changed])


def create_in_bulk_ignoring_conflicts(target: Target) -> None:
    target.model.objects.bulk_create([target.changed], ignore_conflicts=True)


def create_in_bulk_updating_conflicts(target: Target) -> None:
    target.model.objects.bulk_create(
        [target.changed], update_conflicts=True, unique_fields=["id"], update_fields=[target.column]
    )


def create_in_bulk_updating_conflicts_by_a_plain_queryset(target: Target) -> None:
    QuerySet(target.model).bulk_create(
        [target.changed], update_conflicts=True, unique_fields=["id"], update_fields=[target.column]
    )


def create_with_its_id(target: Target) -> None:
    target.model.objects.create(**{name: value for name, value in vars(target.changed).items() if name != "_state"})


def write_sql_update(target: Target) -> None:
    execute(f"UPDATE {target.table} SET {target.column} = 'forged' WHERE id = %s", target.row.pk)


def write_sql_update_of_nothing_new(target: Target) -> None:
    execute(f"UPDATE {target.table} SET id = id WHERE id = %s", target.row.pk)


def write_sql_delete(target: Target) -> None:
    execute(f"DELETE FROM {target.table} WHERE id = %s", target.row.pk)


def delete_the_post(target: Target) -> None:
    target.history.post.discard()


def delete_the_post_in_sql(target: Target) -> None:
    execute("DELETE FROM blog_engine_post WHERE id = %s", target.history.post.pk)
    connection.check_constraints()


WAYS = [
    save_it,
    save_one_column,
    save_it_read_again,
    save_a_copy_with_its_id,
    save_a_copy_by_force,
    save_past_the_model,
    save_raw_as_loaddata,
    delete_it,
    delete_past_the_model,
    update_all,
    update_by_the_base_manager,
    update_by_the_default_manager,
    update_by_a_plain_queryset,
    update_in_bulk,
    update_in_bulk_by_a_plain_queryset,
    update_or_create,
    delete_all,
    delete_by_the_base_manager,
    delete_by_a_plain_queryset,
    delete_raw,
    create_in_bulk,
    create_in_bulk_ignoring_conflicts,
    create_in_bulk_updating_conflicts,
    create_in_bulk_updating_conflicts_by_a_plain_queryset,
    create_with_its_id,
    write_sql_update,
    write_sql_update_of_nothing_new,
    write_sql_delete,
    delete_the_post,
    delete_the_post_in_sql,
]


written_history = replayed(insert_history)


@requirement("history.append-only", "history.protection.writes", "proof.chain.protected", "proposals.append-only")
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("model", HISTORY, ids=lambda model: model.__name__)
def test_history_cannot_be_written_again(model: type[AppendOnly], way: Callable[[Target], None]) -> None:
    history = written_history()
    target = Target(row=history.row_of(model), history=history)
    before = stored_rows()

    with pytest.raises(REFUSALS), transaction.atomic():
        way(target)

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
