"""Releasing what is due (records.md 5.5, decisions.md 3.7 and 9.6)."""

from datetime import timedelta
from typing import Any

import pytest

from blog_engine.errors import ApprovalRequired, RefusedByHost
from blog_engine.models import Post, Publication, Revision
from blog_engine.services import publish_due
from tests.factories import NOW, publish, save, unpublish, update
from tests.requirements import requirement

pytestmark = pytest.mark.django_db

DUE = NOW + timedelta(hours=1)
RUN = NOW + timedelta(hours=1, minutes=3)


def schedule(slug: str, **fields: Any) -> Post:
    post = save(slug=slug, **fields).post
    return publish(post, publish_at=DUE.isoformat(), now=NOW).post


@requirement("state:release")
def test_a_due_post_is_released_with_its_stored_content_and_without_an_actor() -> None:
    post = schedule("p")

    done = publish_due(now=RUN)

    assert ([written.post.pk for written in done.released], done.refused) == ([post.pk], {})
    released = Post.objects.get()
    assert (released.status, released.publish_at, released.published_at) == ("published", None, RUN)
    entry = Publication.objects.get()
    assert (entry.entry_type, entry.occurred_at, entry.released_by) == ("first", RUN, None)
    assert Revision.objects.get().actor is None


@requirement("state:release")
def test_nothing_is_released_before_its_time() -> None:
    schedule("p")

    assert publish_due(now=DUE - timedelta(seconds=1)).released == []
    assert Post.objects.get().status == "scheduled"


@pytest.mark.parametrize(("body", "entry"), [("Changed.", "substantive"), ("Same.", "maintenance")])
def test_a_post_that_was_public_before_is_released_as_what_it_is(body: str, entry: str) -> None:
    post = save(slug="p", publish=True, body="Same.").post
    unpublish(post)
    publish(post, publish_at=DUE.isoformat(), body=body, now=NOW)

    publish_due(now=RUN)

    assert Publication.objects.last().entry_type == entry


@requirement("state:due-posts", "state:gates")
def test_a_refused_post_stays_scheduled_and_the_others_are_released(settings) -> None:
    schedule("one")
    schedule("two")
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {
        "before_publish": lambda post, context: ["Not this one."] if post.slug == "one" else None
    }

    done = publish_due(now=RUN)

    assert [written.post.slug for written in done.released] == ["two"]
    assert isinstance(done.refused["one"], RefusedByHost)
    assert Post.objects.get(slug="one").status == "scheduled"
    assert Post.objects.get(slug="one").publish_at == DUE


@requirement("state:gates")
def test_a_hook_that_crashes_does_not_keep_the_others_waiting(settings: Any, caplog: Any) -> None:
    schedule("one")
    schedule("two")
    crash = RuntimeError("the host's bug")

    def hook(post: Post, context: Any) -> None:
        if post.slug == "one":
            raise crash

    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"before_publish": hook}

    done = publish_due(now=RUN)

    assert [written.post.slug for written in done.released] == ["two"]
    assert (done.refused, done.failed) == ({}, {"one": crash})
    assert Post.objects.get(slug="one").status == "scheduled"
    assert "one" in caplog.text


def test_a_release_needs_the_approval_that_the_blog_asks_for(settings) -> None:
    schedule("p")
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"require_approval": True}

    done = publish_due(now=RUN)

    assert isinstance(done.refused["p"], ApprovalRequired)
    assert not Publication.objects.exists()


def test_a_cancelled_or_moved_schedule_is_left_alone() -> None:
    cancelled, moved = schedule("cancelled"), schedule("moved")
    update(cancelled, publish_at=None)
    update(moved, publish_at=(DUE + timedelta(days=1)).isoformat())

    assert publish_due(now=RUN).released == []


def test_running_twice_releases_once() -> None:
    schedule("p")

    publish_due(now=RUN)
    publish_due(now=RUN)

    assert Publication.objects.count() == 1
