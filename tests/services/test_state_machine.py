"""The transitions between the states of a post."""

from datetime import timedelta

import pytest

from blog_engine.enums import EntryType
from blog_engine.errors import PostIsPublic, ValidationFailed
from blog_engine.models import Post, Redirect
from blog_engine.services import Recorded
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, publish, remove, save, unpublish, update
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

TOMORROW = (NOW + timedelta(days=1)).isoformat()
NOTHING = Recorded()


def draft() -> Post:
    return save(slug="p").post


def scheduled() -> Post:
    return publish(draft(), publish_at=TOMORROW, now=NOW).post


def published() -> Post:
    return save(slug="p", publish=True).post


def archived() -> Post:
    return remove(published(), now=NOW).post


def unpublished() -> Post:
    return unpublish(published(), now=NOW).post


STATES = {f.__name__: f for f in (draft, scheduled, published, archived)}


@requirement("posts.create.draft", "posts.envelope.records")
def test_a_new_post_is_a_draft_without_records() -> None:
    written = save(title="Winter garden")

    assert (written.created, written.post.status, written.records) == (True, "draft", NOTHING)


@requirement("posts.create.public")
def test_a_new_post_can_be_published_at_once() -> None:
    written = save(publish=True)

    assert (written.created, written.post.status) == (True, "published")
    assert written.records == Recorded(revision="new", publication=EntryType.FIRST)
    assert written.post.published_at == written.post.modified_at == NOW


@requirement("posts.schedule.answer")
def test_a_new_post_can_be_scheduled_at_once() -> None:
    written = save(publish=True, publish_at=TOMORROW)

    assert (written.post.status, written.records) == ("scheduled", NOTHING)
    assert written.post.publish_at == NOW + timedelta(days=1)


@requirement("posts.upsert.target")
@pytest.mark.parametrize("state", ["draft", "scheduled", "archived"])
def test_a_save_keeps_the_state(state: str) -> None:
    post = STATES[state]()

    written = save(slug="p", title="Summer garden", now=LATER)

    assert (written.created, written.post.pk, written.post.status, written.records) == (False, post.pk, state, NOTHING)
    assert written.post.title == "Summer garden"


@requirement("posts.upsert.public")
def test_a_save_never_touches_a_public_post() -> None:
    published()

    with refused(PostIsPublic, []):
        save(slug="p", title="Summer garden")


@requirement("posts.edit.state")
@pytest.mark.parametrize("state", ["draft", "scheduled", "archived"])
def test_an_update_keeps_the_state(state: str) -> None:
    written = update(STATES[state](), title="Summer garden")

    assert (written.post.status, written.post.title, written.records) == (state, "Summer garden", NOTHING)


@requirement("posts.publish.first")
@pytest.mark.parametrize("state", ["draft", "scheduled"])
def test_publishing_makes_a_never_public_post_public(state: str) -> None:
    written = publish(STATES[state]())

    assert (written.created, written.post.status, written.post.publish_at) == (False, "published", None)
    assert written.records == Recorded(revision="new", publication=EntryType.FIRST)


@requirement("posts.envelope.records")
def test_publishing_approved_content_reuses_its_revision() -> None:
    post = draft()
    approve(post)

    assert publish(post).records == Recorded(revision="same", publication=EntryType.FIRST)


@requirement("posts.publish.archived")
def test_publishing_an_archived_post_brings_it_back() -> None:
    written = publish(archived())

    assert written.post.status == "published"
    assert written.records == Recorded(revision="same", publication=EntryType.MAINTENANCE)


@pytest.mark.parametrize("state", ["draft", "archived"])
def test_publishing_for_a_future_time_schedules(state: str) -> None:
    written = publish(STATES[state](), publish_at=TOMORROW)

    assert (written.post.status, written.records) == ("scheduled", NOTHING)


@requirement("posts.publish.again")
def test_publishing_a_public_post_again_records_nothing() -> None:
    written = publish(published())

    assert (written.created, written.post.status) == (False, "published")
    assert written.records == Recorded(revision="same")


@requirement("posts.schedule.only-publishing")
@pytest.mark.parametrize("state", ["draft", "archived"])
def test_only_publishing_makes_a_schedule(state: str) -> None:
    post = STATES[state]()

    with refused(ValidationFailed, ["publish_at"]):
        update(post, publish_at=TOMORROW)


@requirement("posts.schedule.public")
@pytest.mark.parametrize("verb", [update, publish])
def test_a_public_post_cannot_be_scheduled(verb) -> None:
    post = published()

    with refused(ValidationFailed, ["publish_at"]):
        verb(post, publish_at=TOMORROW)


@requirement("posts.schedule.moved")
def test_an_update_moves_a_schedule() -> None:
    written = update(scheduled(), publish_at="2027-01-01T00:00:00Z")

    assert (written.post.status, written.post.publish_at.year) == ("scheduled", 2027)


@requirement("posts.schedule.cancel")
@pytest.mark.parametrize("verb", [update, publish])
def test_null_cancels_a_schedule(verb) -> None:
    written = verb(scheduled(), publish_at=None)

    assert (written.post.status, written.post.publish_at, written.records) == ("draft", None, NOTHING)


@requirement("posts.unpublish")
@pytest.mark.parametrize("state", list(STATES))
def test_unpublishing_gives_a_draft(state: str) -> None:
    written = unpublish(STATES[state]())

    assert (written.post.status, written.post.publish_at, written.records) == ("draft", None, NOTHING)


@requirement("posts.unpublish.history")
def test_unpublishing_keeps_the_public_revision_and_the_history() -> None:
    post = published()

    written = unpublish(post)

    assert written.post.public_revision_id == post.public_revision_id
    assert (post.revisions.count(), post.publications.count()) == (1, 1)


@requirement("posts.delete.draft")
@pytest.mark.parametrize("state", ["draft", "scheduled"])
def test_a_post_without_history_is_deleted(state: str) -> None:
    post = STATES[state]()

    written = remove(post)

    assert (written.post.pk, written.findings, written.label) == (None, [], "none")
    assert not Post.objects.exists()


@requirement("posts.delete.draft")
def test_deleting_a_post_takes_its_parts_along() -> None:
    post = save(faq=[{"question": "Why?", "answer": "So."}], tags=["soil"]).post

    remove(post)

    assert not post.taggings.model.objects.exists()
    assert not post.faqs.model.objects.exists()


@requirement("posts.delete.archive")
@pytest.mark.parametrize("state", [published, unpublished, archived])
def test_a_post_with_history_is_archived(state) -> None:
    written = remove(state())

    assert (written.post.status, written.records) == ("archived", NOTHING)


@requirement("posts.delete.archive", "posts.redirects.removed")
def test_a_draft_that_was_only_approved_is_archived_and_its_path_is_gone() -> None:
    post = draft()
    approve(post)

    assert remove(post).post.status == "archived"
    assert list(Redirect.objects.values_list("old_path", "new_path", "source")) == [("/blog/p", None, "removal")]


@requirement("posts.delete.again")
def test_archiving_again_changes_nothing() -> None:
    post = archived()

    with_nothing_changed = Post.objects.values().get()
    remove(post)

    assert Post.objects.values().get() == with_nothing_changed
