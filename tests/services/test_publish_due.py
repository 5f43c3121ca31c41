"""Releasing what is due."""

import gc
import logging
import weakref
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection

from blog_engine.errors import ApprovalRequired, RefusedByHost, Unavailable
from blog_engine.models import Post, Publication, Revision
from blog_engine.services import DuePosts, publish_due
from blog_engine.services.publish_due import DueRelease, due_releases
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, publish, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.tables import everything_logged, failing, write_lines

pytestmark = pytest.mark.django_db

DUE = NOW + timedelta(hours=1)
RUN = NOW + timedelta(hours=1, minutes=3)


def schedule(slug: str, **fields: Any) -> Post:
    post = save(slug=slug, **fields).post
    return publish(post, publish_at=DUE.isoformat(), now=NOW).post


@requirement("posts.schedule.release")
def test_a_due_post_is_released_with_its_stored_content_and_without_a_publisher() -> None:
    post = schedule("p")

    done = publish_due(now=RUN)

    assert done == DuePosts(released=[post.slug])
    released = Post.objects.get()
    assert (released.status, released.publish_at, released.published_at) == ("published", None, RUN)
    entry = Publication.objects.get()
    assert (entry.entry_type, entry.occurred_at, entry.released_by) == ("first", RUN, None)
    assert Revision.objects.get().actor == EDITOR.name


@requirement("posts.schedule.release")
def test_nothing_is_released_before_its_time() -> None:
    schedule("p")

    assert publish_due(now=DUE - timedelta(seconds=1)).released == []
    assert Post.objects.get().status == "scheduled"


@requirement("posts.schedule.returned")
@pytest.mark.parametrize(("body", "entry"), [("Changed.", "substantive"), ("Same.", "maintenance")])
def test_a_post_that_was_public_before_is_released_as_what_it_is(body: str, entry: str) -> None:
    post = save(slug="p", publish=True, body="Same.").post
    unpublish(post)
    publish(post, publish_at=DUE.isoformat(), body=body, now=NOW)

    publish_due(now=RUN)

    assert Publication.objects.last().entry_type == entry


CRASH = RuntimeError("the host's bug")


@requirement("posts.release.due", "posts.gates.when")
@pytest.mark.parametrize(
    ("answer", "refused", "failed"),
    [
        (["Not this one."], RefusedByHost, None),
        (CRASH, None, CRASH),
        (OperationalError("the host's other database is away"), Unavailable, None),
    ],
    ids=["refused", "crashed", "another database away"],
)
def test_a_post_that_its_hook_keeps_stays_scheduled_and_the_others_are_released(
    settings: Any, caplog: Any, answer: Any, refused: type[Exception] | None, failed: Exception | None
) -> None:
    schedule("one")
    schedule("two")

    def hook(post: Post, context: Any) -> Any:
        if post.slug == "one" and isinstance(answer, Exception):
            raise answer
        return answer if post.slug == "one" else None

    settings.BLOG_ENGINE = blog_settings(before_publish=hook)

    done = publish_due(now=RUN)

    assert (done.released, type(done.refused.get("one")), done.failed.get("one")) == (
        ["two"],
        refused or type(None),
        failed,
    )
    kept = Post.objects.get(slug="one")
    assert (kept.status, kept.publish_at) == ("scheduled", DUE)
    assert (f"The scheduled post {kept.pk} " in caplog.text) is (failed is not None)


@requirement("approvals.required.release")
def test_a_release_needs_the_approval_that_the_blog_asks_for(settings) -> None:
    schedule("p")
    settings.BLOG_ENGINE = blog_settings(require_approval=True)

    done = publish_due(now=RUN)

    assert isinstance(done.refused["p"], ApprovalRequired)
    assert not Publication.objects.exists()


@requirement("posts.release.moved")
def test_a_cancelled_or_moved_schedule_is_left_alone() -> None:
    cancelled, moved = schedule("cancelled"), schedule("moved")
    update(cancelled, publish_at=None)
    update(moved, publish_at=(DUE + timedelta(days=1)).isoformat())

    assert publish_due(now=RUN).released == []


@requirement("posts.release.moved")
def test_running_twice_releases_once() -> None:
    schedule("p")

    publish_due(now=RUN)
    publish_due(now=RUN)

    assert Publication.objects.count() == 1


@requirement("host.log", "host.log.secrets")
def test_each_release_is_a_line_without_an_actor(settings: Any, caplog: Any) -> None:
    posts = [schedule(slug, title=f"Xyzzy {slug}", body="Xyzzy") for slug in ("one", "two", "three")]
    objections = {"one": ["Xyzzy"], "two": LookupError("later")}

    def hook(post: Post, context: Any) -> Any:
        if isinstance(objection := objections.get(post.slug), Exception):
            raise objection
        return objection

    settings.BLOG_ENGINE = blog_settings(before_publish=hook)
    with caplog.at_level(logging.INFO):
        publish_due(now=RUN)
        publish_due(now=NOW)

    one, two, three = ({"operation": "publish_due", "post": post.pk} for post in posts)
    assert write_lines(caplog) == [
        ("INFO", one | {"outcome": "refused", "code": "refused_by_host"}),
        ("ERROR", two | {"outcome": "failed", "error": "LookupError"}),
        ("INFO", three | {"outcome": "done"}),
    ]
    assert "xyzzy" not in everything_logged(caplog).lower()


@requirement("host.log")
def test_a_post_that_another_run_took_is_no_write(caplog: Any) -> None:
    first, second = schedule("one"), schedule("two")
    releases = due_releases(now=RUN)

    with caplog.at_level(logging.INFO):
        slugs = [next(releases).slug]
        publish_due(now=RUN)
        slugs += [release.slug for release in releases]

    assert slugs == [first.slug]
    assert [line["post"] for _, line in write_lines(caplog)] == [first.pk, second.pk]


@requirement("posts.release.due")
def test_many_due_posts_are_not_kept_in_memory(settings: Any, monkeypatch: Any) -> None:
    # pytest keeps tracebacks that it saw in the log.
    monkeypatch.setattr(logging.getLogger("blog_engine"), "disabled", True)
    refusing = {"two": ["No."], "three": LookupError("a bug")}

    def hook(post: Post, context: Any) -> Any:
        seen.append(weakref.ref(post))
        if isinstance(objection := refusing.get(post.slug), Exception):
            raise objection
        return objection

    for slug in ("one", *refusing):
        schedule(slug)
    seen: list[weakref.ref[Post]] = []
    settings.BLOG_ENGINE = blog_settings(before_publish=hook)

    done = publish_due(now=RUN)
    # A test case keeps the signals of its transaction, which a commit would send and forget.
    connection.run_on_commit.clear()
    gc.collect()

    assert (done.released, list(done.refused), list(done.failed)) == (["one"], ["two"], ["three"])
    assert [post() for post in seen] == [None, None, None]


@requirement("posts.release.due")
def test_a_run_ends_when_the_database_is_away() -> None:
    schedule("one")
    schedule("two")
    releases = due_releases(now=RUN)
    first = next(releases)

    with failing(table=""), pytest.raises(OperationalError):
        next(releases)

    assert first == DueRelease("one")
    assert list(Post.objects.filter(status="scheduled").values_list("slug", flat=True)) == ["two"]
