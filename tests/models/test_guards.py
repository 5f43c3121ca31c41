"""The triggers refuse rows that meet a stored key or name a revision of another post."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction

from blog_engine.models import (
    AppendOnly,
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
from tests.support.tables import (
    HISTORY,
    History,
    execute,
    insert_history,
    insert_post,
    is_of_a_trigger,
    new_revision,
    new_row,
    stored,
    stored_rows,
)

pytestmark = pytest.mark.django_db


def columns_of(row: models.Model) -> dict[str, Any]:
    """What the row would be as columns, without an id that is not set."""
    return {
        field.column: field.get_db_prep_save(getattr(row, field.attname), connection)
        for field in row._meta.concrete_fields
        if getattr(row, field.attname) is not None
    }


KEYS = [
    (Revision, ["id"]),
    (Revision, ["post", "identifier", "is_proposed"]),
    (Approval, ["id"]),
    (Publication, ["id"]),
    (Publication, ["post"]),
    (Baseline, ["id"]),
    (Baseline, ["post"]),
    (Baseline, ["source_system", "source_id"]),
    (ConnectionDeclaration, ["id"]),
    (StatusChange, ["id"]),
    (WithheldVersion, ["id"]),
    (Image, ["id"]),
    (Image, ["sha256"]),
    (ChainLink, ["id"]),
    (ChainLink, ["post", "position"]),
    (ChainLink, ["kind", "record"]),
    (Checkpoint, ["id"]),
    (Checkpoint, ["number"]),
    (Proposal, ["id"]),
    (ProposalEvent, ["id"]),
    (ProposalEvent, ["proposal"]),
    (ApprovalKey, ["id"]),
    (ApprovalKey, ["post", "credential_id"]),
    (ApprovalSignature, ["id"]),
    (ApprovalSignature, ["approval"]),
]
CONDITIONS: dict[Any, str] = {
    Publication: "WHERE entry_type = 'first'",
    ProposalEvent: "WHERE kind IN ('applied', 'rejected', 'withdrawn')",
}
"""Of the unique keys that only hold for some rows, by the models."""


def rival_of(history: History, model: type[AppendOnly], key: list[str]) -> AppendOnly:
    """A row that could be stored, were it not for the stored row with the same key."""
    taken = history.row_of(model)
    post = history.post if "post" in key else insert_post()
    revision = history.revision if "post" in key else stored(new_revision(post))
    rival = new_row(model, post, revision)
    for name in key:
        setattr(rival, name, getattr(taken, name))
    return rival


def insert(row: models.Model, *, verb: str = "INSERT", tail: str = "") -> None:
    values = columns_of(row)
    names, marks = ", ".join(values), ", ".join(["%s"] * len(values))
    execute(f"{verb} INTO {row._meta.db_table} ({names}) VALUES ({marks}) {tail}", *values.values())


@requirement("history.protection.replace")
@pytest.mark.parametrize(("model", "key"), KEYS)
def test_an_insert_that_meets_a_key_is_refused(model: type[AppendOnly], key: list[str]) -> None:
    history = insert_history()
    rival = rival_of(history, model, key)
    before = stored_rows()

    with pytest.raises(IntegrityError), transaction.atomic():
        insert(rival)

    assert stored_rows() == before


@pytest.mark.parametrize(("model", "key"), KEYS)
def test_an_update_on_conflict_is_refused(model: type[AppendOnly], key: list[str]) -> None:
    history = insert_history()
    rival = rival_of(history, model, key)
    before = stored_rows()
    columns = ", ".join(model._meta.get_field(name).column for name in key)
    condition = CONDITIONS.get(model, "") if key in (["post"], ["proposal"]) else ""
    tail = f"ON CONFLICT ({columns}) {condition} DO UPDATE SET id = excluded.id"

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        insert(rival, tail=tail)

    assert is_of_a_trigger(refusal.value)
    assert stored_rows() == before


@requirement("history.protection.replace")
@pytest.mark.sqlite
@pytest.mark.parametrize("verb", ["INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE"])
@pytest.mark.parametrize(("model", "key"), KEYS)
def test_a_replacing_insert_is_refused(model: type[AppendOnly], key: list[str], verb: str) -> None:
    history = insert_history()
    rival = rival_of(history, model, key)
    before = stored_rows()

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        insert(rival, verb=verb)

    assert is_of_a_trigger(refusal.value)
    assert stored_rows() == before


@requirement("history.protection.replace")
@pytest.mark.sqlite
@pytest.mark.parametrize("verb", ["UPDATE OR REPLACE", "UPDATE OR IGNORE"])
@pytest.mark.parametrize("model", HISTORY)
def test_an_update_that_resolves_conflicts_is_refused(model: type[AppendOnly], verb: str) -> None:
    history = insert_history()
    other = insert_history()
    before = stored_rows()

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        execute(
            f"{verb} {model._meta.db_table} SET id = %s WHERE id = %s", history.row_of(model).pk, other.row_of(model).pk
        )

    assert is_of_a_trigger(refusal.value)
    assert stored_rows() == before


def test_every_unique_key_of_the_history_is_tried() -> None:
    tried = {(model, tuple(key)) for model, key in KEYS}

    for model in HISTORY:
        unique = {(field.name,) for field in model._meta.concrete_fields if field.unique}
        unique |= {
            constraint.fields
            for constraint in model._meta.constraints
            if isinstance(constraint, models.UniqueConstraint)
        }
        assert {key for tried_model, key in tried if tried_model is model} == unique


@pytest.mark.parametrize("model", [Approval, Publication, Baseline, Proposal])
def test_a_row_that_names_a_revision_of_another_post_is_refused(model: type[AppendOnly]) -> None:
    elsewhere = stored(new_revision(insert_post()))

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        new_row(model, insert_post(), elsewhere).save()

    assert is_of_a_trigger(refusal.value)
    assert not model.objects.exists()


def test_a_post_cannot_make_the_revision_of_another_post_public() -> None:
    elsewhere = stored(new_revision(insert_post()))
    post = insert_post()
    post.public_revision = elsewhere

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        post.store()

    assert is_of_a_trigger(refusal.value)
    post.refresh_from_db()
    assert post.public_revision is None


def test_a_new_post_cannot_call_the_revision_of_another_post_public() -> None:
    elsewhere = stored(new_revision(insert_post()))

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        insert_post(public_revision=elsewhere)

    assert is_of_a_trigger(refusal.value)


def test_a_revision_that_another_post_already_calls_public_is_refused() -> None:
    owner = insert_post()

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        insert_post(public_revision_id=4_000_000)
        new_revision(owner, id=4_000_000).save()

    assert is_of_a_trigger(refusal.value)


def test_a_post_saves_its_own_public_revision_again() -> None:
    history = insert_history()
    history.post.title = "Harbour log, corrected"

    history.post.store()

    assert history.post.public_revision == history.revision
