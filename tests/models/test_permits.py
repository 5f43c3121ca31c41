"""The database permits rewriting history only for an adoption without later history."""

from collections.abc import Callable
from itertools import permutations

import pytest
from django.db import IntegrityError, connection, transaction

from blog_engine.models import Approval, HistoryPermit, Post
from blog_engine.models.protection import delete_history, history_replaceable, missing_protection
from tests.requirements import requirement
from tests.support.tables import (
    execute,
    insert_adoption,
    insert_post,
    is_of_a_trigger,
    new_approval,
    new_baseline,
    new_declaration,
    new_proposal,
    new_publication,
    new_revision,
    new_status_change,
    stored,
    stored_rows,
)

pytestmark = pytest.mark.django_db


def never_adopted(entry_type: str | None) -> Post:
    """A post with an approved revision and no baseline, with a publication of the type or none."""
    post = insert_post()
    revision = stored(new_revision(post))
    stored(new_approval(post, revision))
    if entry_type:
        stored(new_publication(post, revision, entry_type=entry_type))
    return post


def followed(entry_type: str) -> Post:
    """An adopted post with one more publication."""
    adoption = insert_adoption()
    stored(new_publication(adoption.post, adoption.revision, entry_type=entry_type, note="Said which."))
    return adoption.post


def withdrawn(from_status: str) -> Post:
    post = insert_adoption().post
    stored(new_status_change(post, from_status=from_status, to_status="draft"))
    return post


def proposed() -> Post:
    adoption = insert_adoption()
    stored(new_proposal(adoption.post, adoption.revision))
    return adoption.post


def scheduled_before() -> Post:
    """A draft that was scheduled for a time before it was adopted."""
    post = insert_post()
    stored(new_status_change(post, from_status="scheduled", to_status="draft"))
    stored(new_baseline(post, stored(new_revision(post))))
    return post


def adopted_with_a_declaration() -> Post:
    post = insert_adoption().post
    stored(new_declaration(post))
    return post


def adopted_without_a_publication() -> Post:
    post = insert_post()
    stored(new_baseline(post, stored(new_revision(post))))
    return post


CLOSED: dict[str, Callable[[], Post]] = {
    "without history": insert_post,
    "never adopted, approved": lambda: never_adopted(None),
    "never adopted, published": lambda: never_adopted("first"),
    "never adopted, with a publication that says adopted": lambda: never_adopted("adopted"),
    "adopted, then first": lambda: followed("first"),
    "adopted, then substantive": lambda: followed("substantive"),
    "adopted, then correction": lambda: followed("correction"),
    "adopted, then maintenance": lambda: followed("maintenance"),
    "adopted, then withdrawn": lambda: withdrawn("published"),
    "adopted, then restored from the archive": lambda: withdrawn("archived"),
    "adopted, then proposed to change": proposed,
}
OPEN: dict[str, Callable[[], Post]] = {
    "adopted": lambda: insert_adoption().post,
    "adopted twice": lambda: followed("adopted"),
    "adopted, not published yet": adopted_without_a_publication,
    "scheduled for a time, then adopted": scheduled_before,
    "adopted, then declared": adopted_with_a_declaration,
}


def insert_in_sql(post: Post, *, verb: str = "INSERT", tail: str = "") -> None:
    execute(f"{verb} INTO blog_engine_historypermit (id, post_id, never_id) VALUES (1, %s, 0) {tail}", post.pk)


def replace_in_sql(post: Post) -> None:
    insert_in_sql(post, verb="INSERT OR REPLACE")


def insert_or_ignore_in_sql(post: Post) -> None:
    insert_in_sql(post, verb="INSERT OR IGNORE")


def insert_by_selection_in_sql(post: Post) -> None:
    execute(
        "INSERT INTO blog_engine_historypermit (id, post_id, never_id) SELECT 1, id, 0 FROM blog_engine_post "
        "WHERE id = %s",
        post.pk,
    )


def create(post: Post) -> None:
    HistoryPermit.objects.create(post=post)


def create_in_bulk(post: Post) -> None:
    HistoryPermit.objects.bulk_create([HistoryPermit(post=post)])


def create_in_bulk_ignoring_conflicts(post: Post) -> None:
    HistoryPermit.objects.bulk_create([HistoryPermit(post=post)], ignore_conflicts=True)


def create_by_the_service(post: Post) -> None:
    with history_replaceable(post.pk):
        delete_history(Approval.objects.filter(post=post))


def move_in_sql(post: Post) -> None:
    insert_in_sql(insert_adoption().post)
    execute("UPDATE blog_engine_historypermit SET post_id = %s", post.pk)


def move_on_conflict_in_sql(post: Post) -> None:
    adopted = insert_adoption().post
    insert_in_sql(adopted)
    insert_in_sql(adopted, tail=f"ON CONFLICT (id) DO UPDATE SET post_id = {post.pk}")


def move_by_saving(post: Post) -> None:
    permit = HistoryPermit.objects.create(post=insert_adoption().post)
    permit.post = post
    permit.save()


def move_by_a_queryset(post: Post) -> None:
    HistoryPermit.objects.create(post=insert_adoption().post)
    HistoryPermit.objects.update(post=post)


WAYS = [
    insert_in_sql,
    pytest.param(replace_in_sql, marks=pytest.mark.sqlite),
    pytest.param(insert_or_ignore_in_sql, marks=pytest.mark.sqlite),
    insert_by_selection_in_sql,
    create,
    create_in_bulk,
    create_in_bulk_ignoring_conflicts,
    create_by_the_service,
    move_in_sql,
    move_on_conflict_in_sql,
    move_by_saving,
    move_by_a_queryset,
]


@requirement("history.protection.permit")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("which", CLOSED)
def test_a_permit_is_refused_unless_nothing_followed_an_adoption(which: str, way: Callable[[Post], None]) -> None:
    post = CLOSED[which]()
    before = stored_rows()

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        way(post)

    assert is_of_a_trigger(refusal.value)
    assert stored_rows() == before
    assert not HistoryPermit.objects.exists()


@requirement("history.protection.permit")
@pytest.mark.parametrize("way", [way for way in WAYS if way is not create_by_the_service])
@pytest.mark.parametrize("which", OPEN)
def test_a_permit_is_given_to_an_adoption_that_nothing_followed(which: str, way: Callable[[Post], None]) -> None:
    post = OPEN[which]()

    way(post)

    assert HistoryPermit.objects.get().post_id == post.pk
    HistoryPermit.objects.all().delete()


def test_the_history_of_another_adoption_does_not_count() -> None:
    insert_adoption()
    post = never_adopted("first")

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        create(post)

    assert is_of_a_trigger(refusal.value)


@requirement("history.protection.forging")
def test_no_order_of_deletions_reaches_the_withdrawal_of_an_adoption() -> None:
    """A permit for the adoption's own records would leave a change of status without a revision, which can go."""
    post = withdrawn("published")
    before = stored_rows()

    for tables in permutations(("publication", "approval", "baseline", "revision", "statuschange"), 2):
        with pytest.raises(IntegrityError) as refusal, transaction.atomic():
            insert_in_sql(post)
            for table in tables:
                execute(f"DELETE FROM blog_engine_{table} WHERE post_id = %s", post.pk)  # noqa: S608  our own names
        assert is_of_a_trigger(refusal.value)

    assert stored_rows() == before


def test_what_follows_another_adoption_does_not_count() -> None:
    followed("substantive")
    post = insert_adoption().post

    with history_replaceable(post.pk):
        deleted = delete_history(Approval.objects.filter(post=post))

    assert deleted == 1


@pytest.mark.sqlite
def test_a_dropped_trigger_of_permits_is_named_on_sqlite() -> None:
    execute("DROP TRIGGER blog_engine_historypermit_only_adopted")
    execute("DROP TRIGGER blog_engine_historypermit_kept_only_adopted")

    assert missing_protection(connection) == [
        "blog_engine_historypermit_only_adopted",
        "blog_engine_historypermit_kept_only_adopted",
    ]


@pytest.mark.postgres
def test_a_switched_off_trigger_of_permits_is_named_on_postgresql() -> None:
    execute("ALTER TABLE blog_engine_historypermit DISABLE TRIGGER blog_engine_historypermit_only_adopted")

    assert missing_protection(connection) == ["blog_engine_historypermit_only_adopted"]


@pytest.mark.postgres
def test_a_temporary_table_cannot_pose_as_the_baselines() -> None:
    post = never_adopted(None)
    execute("CREATE TEMPORARY TABLE blog_engine_baseline (post_id bigint) ON COMMIT DROP")
    execute("INSERT INTO blog_engine_baseline VALUES (%s)", post.pk)

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        insert_in_sql(post)

    assert is_of_a_trigger(refusal.value)
