"""What is missing of the protection is named, and a permit opens the history of one post for one transaction."""

import pytest
from django.db import IntegrityError, connection, transaction

from blog_engine.models import (
    AppendOnly,
    Approval,
    Baseline,
    ConnectionDeclaration,
    HistoryPermit,
    Image,
    Publication,
    Revision,
)
from blog_engine.models.protection import delete_history, history_replaceable, missing_protection
from tests.requirements import requirement
from tests.support.tables import execute, insert_adoption, is_of_a_trigger, stored_rows

REPLACEABLE: list[type[AppendOnly]] = [Approval, Publication, Baseline, Revision]
OF_A_POST: list[type[AppendOnly]] = [*REPLACEABLE, ConnectionDeclaration]


@requirement("history.protection.migrations")
@pytest.mark.django_db
def test_nothing_is_missing_after_migrate() -> None:
    assert missing_protection(connection) == []


@pytest.mark.sqlite
@pytest.mark.django_db
def test_a_dropped_and_a_weakened_trigger_are_named_on_sqlite() -> None:
    execute("DROP TRIGGER blog_engine_image_no_update")
    execute("DROP TRIGGER blog_engine_approval_no_delete")
    execute(
        "CREATE TRIGGER blog_engine_approval_no_delete BEFORE DELETE ON blog_engine_approval WHEN OLD.id < 0 "
        "BEGIN SELECT RAISE(ABORT, 'no'); END"
    )

    assert missing_protection(connection) == ["blog_engine_approval_no_delete", "blog_engine_image_no_update"]


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_dropped_a_disabled_and_a_weakened_trigger_are_named_on_postgresql() -> None:
    execute("DROP TRIGGER blog_engine_image_no_update ON blog_engine_image")
    execute("ALTER TABLE blog_engine_baseline DISABLE TRIGGER blog_engine_baseline_no_update")
    execute(
        "CREATE OR REPLACE FUNCTION blog_engine_approval_no_delete() RETURNS trigger LANGUAGE plpgsql "
        "AS $$BEGIN RETURN OLD; END$$"
    )

    assert missing_protection(connection) == [
        "blog_engine_approval_no_delete",
        "blog_engine_baseline_no_update",
        "blog_engine_image_no_update",
    ]


@pytest.mark.django_db
def test_a_permit_that_was_left_open_is_named() -> None:
    post = insert_adoption().post

    with history_replaceable(post.pk):
        found = missing_protection(connection)

    assert found == [f"permit for post {post.pk}"]
    assert missing_protection(connection) == []


@pytest.mark.django_db(transaction=True)
def test_the_history_of_one_post_can_be_replaced() -> None:
    kept, replaced = insert_adoption(), insert_adoption()

    with history_replaceable(replaced.post.pk):
        replaced.post.status = "draft"
        replaced.post.public_revision = None
        replaced.post.store()
        deleted = [delete_history(model.objects.filter(post=replaced.post)) for model in REPLACEABLE]

    assert deleted == [1, 1, 1, 1]
    assert [model.objects.get().pk for model in REPLACEABLE] == [kept.row_of(model).pk for model in REPLACEABLE]
    assert ConnectionDeclaration.objects.count() == 2
    assert not HistoryPermit.objects.exists()


@requirement("history.protection.permit")
@pytest.mark.django_db
@pytest.mark.parametrize("model", OF_A_POST)
def test_a_permit_of_one_post_does_not_open_another(model: type[AppendOnly]) -> None:
    history, opened = insert_adoption(), insert_adoption()
    before = stored_rows()

    with pytest.raises(IntegrityError) as refusal, history_replaceable(opened.post.pk):
        delete_history(model.objects.filter(post=history.post))

    assert is_of_a_trigger(refusal.value)
    assert stored_rows() == before


@pytest.mark.django_db
@pytest.mark.parametrize("model", OF_A_POST)
def test_a_permit_does_not_allow_a_change(model: type[AppendOnly]) -> None:
    history = insert_adoption()

    with pytest.raises(IntegrityError) as refusal, history_replaceable(history.post.pk):
        execute(f"UPDATE {model._meta.db_table} SET created_at = created_at")  # noqa: S608

    assert is_of_a_trigger(refusal.value)


@requirement("history.protection.permit")
@pytest.mark.django_db
@pytest.mark.parametrize("model", [ConnectionDeclaration, Image])
def test_a_permit_does_not_open_declarations_and_images(model: type[AppendOnly]) -> None:
    history = insert_adoption()

    with pytest.raises(IntegrityError) as refusal, history_replaceable(history.post.pk):
        delete_history(model.objects.all())

    assert is_of_a_trigger(refusal.value)


@pytest.mark.django_db
def test_a_failure_inside_takes_the_permit_and_the_deletions_back() -> None:
    history = insert_adoption()
    before = stored_rows()

    with pytest.raises(LookupError), history_replaceable(history.post.pk):
        delete_history(Approval.objects.all())
        raise LookupError

    assert stored_rows() == before
    assert not HistoryPermit.objects.exists()


@requirement("history.protection.permit")
@pytest.mark.django_db(transaction=True)
def test_a_permit_cannot_be_committed() -> None:
    post = insert_adoption().post

    with pytest.raises(IntegrityError), transaction.atomic():
        HistoryPermit.objects.create(post=post)

    assert not HistoryPermit.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_was_deleted_under_a_kept_permit_comes_back() -> None:
    history = insert_adoption()
    before = stored_rows()

    with pytest.raises(IntegrityError), transaction.atomic():
        HistoryPermit.objects.create(post=history.post)
        delete_history(Approval.objects.all())

    assert stored_rows() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("values", ["(1, {post}, 1)", "(0, {post}, 0)", "(0, {post}, 1)"])
def test_a_permit_cannot_name_a_row_that_exists(values: str) -> None:
    post = insert_adoption().post

    with pytest.raises(IntegrityError) as refusal:
        execute(f"INSERT INTO blog_engine_historypermit (id, post_id, never_id) VALUES {values.format(post=post.pk)}")  # noqa: S608

    assert not is_of_a_trigger(refusal.value)
    assert not HistoryPermit.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_temporary_table_cannot_pose_as_the_permit_table() -> None:
    history = insert_adoption()
    execute("CREATE TEMPORARY TABLE blog_engine_historypermit (post_id bigint) ON COMMIT DROP")
    execute("INSERT INTO blog_engine_historypermit VALUES (%s)", history.post.pk)

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        delete_history(Approval.objects.all())

    assert is_of_a_trigger(refusal.value)
