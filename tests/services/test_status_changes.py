"""What the history keeps of changes of status that published nothing."""

from datetime import timedelta

import pytest

from blog_engine.models import Post, StatusChange
from blog_engine.services import publish_due
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, publish, remove, save, unpublish, update

pytestmark = pytest.mark.django_db

TOMORROW = NOW + timedelta(days=1)
OVERMORROW = NOW + timedelta(days=2)


def changes() -> list[tuple[str, str, object, str | None]]:
    rows = StatusChange.objects.order_by("id")
    assert {(row.actor, row.occurred_at) for row in rows} <= {("Ines Editor", NOW), ("Ines Editor", LATER)}
    return [(row.from_status, row.to_status, row.publish_at, row.redirect_to) for row in rows]


@requirement("history.status-changes")
def test_drafts_and_publications_record_none() -> None:
    post = save().post
    update(post, body="New.")
    publish(post)
    update(post, body="Newer.", change="substantive")

    assert changes() == []


@requirement("history.status-changes")
def test_a_schedule_is_recorded_moved_and_cancelled() -> None:
    post = save(publish=True, publish_at=TOMORROW.isoformat()).post
    update(post, title="Same time")
    update(post, publish_at=OVERMORROW.isoformat())
    update(post, publish_at=None)

    assert changes() == [
        ("draft", "scheduled", TOMORROW, None),
        ("scheduled", "scheduled", OVERMORROW, None),
        ("scheduled", "draft", None, None),
    ]


@requirement("history.status-changes")
def test_a_scheduled_release_is_a_publication() -> None:
    save(publish=True, publish_at=TOMORROW.isoformat())

    publish_due(now=OVERMORROW)

    assert Post.objects.get().status == "published"
    assert changes() == [("draft", "scheduled", TOMORROW, None)]


@requirement("history.status-changes")
def test_a_withdrawal_and_a_removal_are_recorded() -> None:
    target = save(slug="target", publish=True).post
    post = save(slug="post", publish=True).post
    unpublish(post)
    unpublish(post)
    remove(post, redirect_to=target.slug)
    remove(post)

    assert changes() == [("published", "draft", None, None), ("draft", "archived", None, "/blog/target")]


@requirement("history.status-changes")
def test_the_changes_of_a_post_without_records_are_deleted_with_it() -> None:
    post = save(publish=True, publish_at=TOMORROW.isoformat()).post

    remove(post)

    assert changes() == []
    assert not Post.objects.exists()
