"""Two writers of one post, in real transactions on PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from blog_engine.errors import IdentityConflict, RevisionMismatch, SlugReserved, ValidationFailed
from blog_engine.models import Approval, Post, Publication, Redirect, Revision
from blog_engine.rules.revision import revision_identifier
from blog_engine.services import publish_due
from blog_engine.services._transaction import lock_redirects, write_transaction
from tests.concurrency.races import Held, race, together
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, publish, remove, save, unpublish, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

DUE = NOW + timedelta(minutes=30)


def assert_history_is_whole() -> None:
    """Check every identifier, and that every public post shows its public revision."""
    for revision in Revision.objects.all():
        assert revision_identifier(revision.payload) == revision.identifier
    for post in Post.objects.filter(status="published"):
        assert post.public_revision.identifier == post.current_revision_identifier
        assert Publication.objects.filter(post=post, entry_type="first").count() == 1


@requirement("history.concurrency.first")
def test_two_first_publications_record_one_first(held: Held) -> None:
    post = save().post

    one, two = race(held, lambda: publish(post), lambda: publish(post))

    assert [one.records.publication, two.records.publication] == ["first", None]
    assert (Publication.objects.count(), Revision.objects.count()) == (1, 1)
    assert_history_is_whole()


@requirement("desk.versions")
def test_of_two_writers_of_one_version_only_the_first_writes(held: Held) -> None:
    post = save(publish=True).post

    def write(title: str) -> Any:
        return update(post, title=title, change="substantive", expected_version=post.version)

    one, two = race(held, lambda: write("Mine"), lambda: write("Theirs"))

    assert (one.post.title, two) == ("Mine", RevisionMismatch)
    assert (Post.objects.get().title, Post.objects.get().version) == ("Mine", 2)


@requirement("posts.edits.meanwhile")
def test_two_writers_who_edit_different_passages_both_succeed(held: Held) -> None:
    post = save(body="Frost is a word.\n\nSnow is another.", publish=True).post

    def write(old: str, new: str) -> Any:
        return update(post, change="maintenance", edits=[{"old": old, "new": new}])

    race(held, lambda: write("Frost", "Ice"), lambda: write("another", "one, too"))

    assert Post.objects.get().body == "Ice is a word.\n\nSnow is one, too."


@requirement("posts.expected")
def test_of_two_writers_of_one_revision_only_the_first_writes(held: Held) -> None:
    post = save(publish=True, body="Frost is a word.").post

    def write(new: str) -> Any:
        sent = {"expected_revision": post.current_revision_identifier, "edits": [{"old": "Frost", "new": new}]}
        return update(post, change="correction", note="The word was wrong.", **sent)

    one, two = race(held, lambda: write("Snow"), lambda: write("Ice"))

    assert (one.post.body, two) == ("Snow is a word.", RevisionMismatch)
    assert Post.objects.get().body == "Snow is a word."
    assert Publication.objects.filter(entry_type="correction").count() == 1
    assert_history_is_whole()


@requirement("history.concurrency.edits")
def test_two_edits_of_one_public_post_are_both_kept(held: Held) -> None:
    post = save(publish=True).post

    one, two = race(
        held,
        lambda: update(post, title="New title", change="substantive"),
        lambda: update(post, body="New body", change="maintenance"),
    )

    stored = Post.objects.get()
    assert (stored.title, stored.body) == ("New title", "New body")
    assert [one.records.publication, two.records.publication] == ["substantive", "maintenance"]
    assert Publication.objects.count() == 3
    assert_history_is_whole()


@requirement("history.concurrency.edits")
@pytest.mark.parametrize("before", [None, "Clay"])
def test_the_answer_has_the_category_that_a_racing_edit_chose(before: str | None, held: Held) -> None:
    save(slug="other", category="Sand")
    post = save(publish=True, category=before, author="Mina").post

    _, two = race(
        held,
        lambda: update(post, category="Sand", author="Ada", change="maintenance"),
        lambda: update(post, body="New body", change="maintenance"),
    )

    assert (two.post.category.name, two.post.author.name, two.post.author_name) == ("Sand", "Ada", "Ada")


@requirement("history.concurrency.approval")
def test_an_approval_never_lands_on_the_text_of_a_racing_edit(held: Held) -> None:
    post = save(publish=True, body="Reviewed.").post

    _, approval = race(
        held,
        lambda: update(post, body="Not reviewed.", change="substantive"),
        lambda: approve(post),
    )

    assert approval is RevisionMismatch
    assert not Approval.objects.exists()


def test_a_metadata_write_works_on_the_body_it_finds_under_the_lock(held: Held) -> None:
    post = save(publish=True, body="Old body").post

    race(
        held,
        lambda: update(post, body="## New body", change="substantive"),
        lambda: update(post, tags=["soil"]),
    )

    stored = Post.objects.get()
    assert stored.body == "## New body"
    assert stored.outline[0]["text"] == "New body"
    assert_history_is_whole()


@requirement("history.concurrency.creates")
def test_two_creates_with_one_external_id_make_one_post(held: Held) -> None:
    one, two = race(
        held,
        lambda: save(external_id="a-1", slug="one", publish=True),
        lambda: save(external_id="a-1", slug="two", publish=True),
    )

    assert (one.created, two) == (True, IdentityConflict)
    assert Post.objects.get().slug == "one"
    assert_history_is_whole()


@requirement("history.concurrency.creates")
def test_a_refused_create_leaves_the_transaction_of_the_host_usable(held: Held) -> None:
    def in_a_transaction() -> int:
        with transaction.atomic():
            with pytest.raises(IdentityConflict):
                save(external_id="a-1", slug="two", publish=True)
            return save(slug="three").post.pk

    _, third = race(held, lambda: save(external_id="a-1", slug="one", publish=True), in_a_transaction)

    assert {post.slug: post.pk for post in Post.objects.all()}["three"] == third
    assert set(Post.objects.values_list("slug", flat=True)) == {"one", "three"}
    assert_history_is_whole()


@requirement("history.concurrency.creates")
def test_many_creates_at_once_make_one_post() -> None:
    outcomes = together(*(lambda: save(external_id="a-1", publish=True) for _ in range(6)))

    made = [written for written in outcomes if written is not IdentityConflict]
    assert sum(written.created for written in made) == 1
    assert (Post.objects.count(), Publication.objects.filter(entry_type="first").count()) == (1, 1)


@requirement("history.concurrency.release")
def test_a_release_waits_for_a_cancellation_or_leaves_the_post_to_it(held: Held) -> None:
    post = save().post
    publish(post, publish_at=DUE.isoformat(), now=NOW)

    released, cancelled = race(
        held, lambda: publish_due(now=LATER).released, lambda: update(post, publish_at=None, now=LATER)
    )

    assert released == [post.slug]
    assert cancelled.post.status == "published"
    assert_history_is_whole()


def test_a_schedule_that_another_writer_holds_is_left_to_it() -> None:
    post = save().post
    publish(post, publish_at=DUE.isoformat(), now=NOW)

    with write_transaction():
        Post.objects.select_for_update().get(pk=post.pk)
        (done,) = together(lambda: publish_due(now=LATER))

    assert (done.released, done.refused) == ([], {})
    assert Post.objects.get().status == "scheduled"


@requirement("posts.release.overlapping")
def test_schedulers_that_run_at_once_release_once() -> None:
    for number in range(4):
        publish(save(slug=f"p{number}").post, publish_at=DUE.isoformat(), now=NOW)

    runs = together(*(lambda: publish_due(now=LATER) for _ in range(4)))

    assert sorted(slug for run in runs for slug in run.released) == ["p0", "p1", "p2", "p3"]
    assert Publication.objects.filter(entry_type="first").count() == 4


@requirement("posts.release.overlapping")
def test_a_scheduler_does_not_wait_for_another(held: Held) -> None:
    for number in range(4):
        publish(save(slug=f"p{number}").post, publish_at=DUE.isoformat(), now=NOW)
    held.armed = True

    with ThreadPoolExecutor(max_workers=1) as pool:
        first = pool.submit(lambda: together(lambda: publish_due(now=LATER).released))
        try:
            assert held.arrived.wait(20)
            (meanwhile,) = together(lambda: publish_due(now=LATER).released)
        finally:
            held.go.set()

    assert (first.result(), meanwhile) == ([["p0"]], ["p1", "p2", "p3"])


def test_a_new_post_cannot_take_a_path_that_a_move_is_leaving(held: Held) -> None:
    post = save(publish=True, slug="old").post

    moved, created = race(held, lambda: update(post, slug="new"), lambda: save(title="Old"))

    assert (moved.post.slug, created) == ("new", SlugReserved)
    assert Redirect.objects.get().new_path == "/blog/new"


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ({"external_id": "x"}, {"external_id": "x"}),
        ({"series": "S", "series_position": 1}, {"series": "S", "series_position": 1}),
    ],
    ids=["external id", "series position"],
)
def test_a_return_and_a_new_post_that_want_one_value_do_not_deadlock(held: Held, mine: Any, theirs: Any) -> None:
    save(slug="old", title="Old")
    save(title="Chapter", series="S")

    one, two = race(
        held,
        lambda: save(slug="new", title="New", publish=True, **mine),
        lambda: save(slug="old", title="Old", publish=True, **theirs),
    )

    assert one.created
    assert two in {IdentityConflict, ValidationFailed}
    assert_history_is_whole()


def test_withdrawals_of_two_posts_do_not_block_each_other_for_ever() -> None:
    posts = [save(slug=f"p{number}", publish=True).post for number in range(4)]

    together(*(lambda post=post: unpublish(post) for post in posts))
    together(*(lambda post=post: publish(post) for post in posts))

    assert set(Post.objects.values_list("status", flat=True)) == {"published"}
    assert not Redirect.objects.exists()
    assert_history_is_whole()


def test_a_removal_and_an_edit_follow_each_other(held: Held) -> None:
    post = save(publish=True).post

    edited, removed = race(held, lambda: update(post, title="New", change="substantive"), lambda: remove(post))

    assert (edited.post.status, removed.post.status) == ("published", "archived")
    assert Post.objects.get().title == "New"


def test_the_lock_over_the_redirects_is_released_with_the_transaction() -> None:
    with write_transaction():
        lock_redirects()

    assert together(lambda: save(slug="p"))[0].created
