"""What of a draft is kept before a write overwrites it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.posts import PostRef
from blog_engine.models import DraftVersion, Post
from blog_engine.queries.versions import version_with, versions_of
from blog_engine.services._kept_versions import MOST_KEPT
from tests.requirements import requirement
from tests.support.factories import publish, remove, save, unpublish, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

MINA, OLE = Actor("Mina Holt"), Actor("Ole Berg")
STORY = "The boats leave at nine, and come back at noon with cod and haddock for the market. " * 3
TEN = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)


def at(minute: float) -> datetime:
    return TEN + timedelta(minutes=minute)


def bodies(post: Post, *, listed: bool = True) -> list[tuple[str | None, str]]:
    """The writers and bodies of the versions, the newest first."""
    rows = DraftVersion.objects.filter(post=post.pk, is_listed=listed).order_by("-saved_at", "-pk")
    return [(row.actor, version_with(post, row.identifier).payload.split('"body":"')[1].split('"')[0]) for row in rows]  # type: ignore[union-attr]


@requirement("desk.versions.kept")
def test_the_last_text_of_each_ten_minutes_is_kept() -> None:
    post = save(actor=MINA, now=at(1), body="One.").post
    update(post, actor=MINA, now=at(4), body="One two.")
    update(post, actor=MINA, now=at(9), body="One two three.")

    assert bodies(post) == []

    update(post, actor=MINA, now=at(11), body="One two three four.")
    update(post, actor=MINA, now=at(12), body="One two three four five.")
    update(post, actor=MINA, now=at(31), body="Six.")

    assert bodies(post) == [("Mina Holt", "One two three four five."), ("Mina Holt", "One two three.")]
    assert [row.saved_at for row in versions_of(post.pk)] == [at(12), at(9)]


@requirement("desk.versions.kept")
def test_what_another_writer_overwrites_is_kept_once_for_each_writer() -> None:
    post = save(actor=MINA, now=at(1), body="a").post
    update(post, actor=OLE, now=at(2), body="a b")
    update(post, actor=MINA, now=at(3), body="a b c")
    update(post, actor=OLE, now=at(4), body="a b c d")
    update(post, actor=MINA, now=at(5), body="a b c d e")

    assert bodies(post) == [("Ole Berg", "a b c d"), ("Mina Holt", "a b c")]


@requirement("desk.versions.kept")
@pytest.mark.parametrize(
    ("old", "new", "is_kept"),
    [
        (STORY, "x", True),
        (STORY, "", True),
        (STORY, "Quite another text of about the same length about gardens, apples, pears and plums. " * 3, True),
        (f"{STORY * 9}The end.", STORY * 6, True),
        ("A line of text that is soon gone.", "x", True),
        ("Twenty characters...", "", False),
        (STORY, f"{STORY}And more.", False),
        (STORY, STORY.replace("nine", "ten"), False),
        (f"First. {STORY} Last.", f"Last. {STORY} First.", False),
        (f"{STORY}\n\nA sentence that goes again.", STORY, False),
    ],
)
def test_a_text_of_which_much_goes_is_kept_at_once(old: str, new: str, is_kept: bool) -> None:
    post = save(actor=MINA, now=at(1), body=old).post

    update(post, actor=MINA, now=at(1.1), body=new)

    assert bodies(post) == ([("Mina Holt", old.rstrip("\n"))] if is_kept else [])


@requirement("desk.versions.kept")
def test_what_was_kept_because_it_went_is_not_replaced_by_a_later_text_of_the_same_minutes() -> None:
    post = save(actor=MINA, now=at(1), body=STORY).post
    update(post, actor=MINA, now=at(2), body="x")
    update(post, actor=OLE, now=at(3), body="x y")
    update(post, actor=MINA, now=at(4), body="x y z")

    assert ("Mina Holt", STORY) in bodies(post)


@requirement("desk.versions.kept")
def test_other_changes_keep_nothing() -> None:
    post = save(actor=MINA, now=at(1), body=STORY).post

    update(post, actor=OLE, now=at(31), tags=["sea"], featured=True)

    assert not DraftVersion.objects.exists()
    # The content is still the one that Mina wrote then.
    update(post, actor=OLE, now=at(32), body="Other.")
    assert [(row.actor, row.saved_at) for row in versions_of(post.pk)] == [("Mina Holt", at(1))]


@requirement("desk.versions.kept")
def test_a_title_alone_is_not_kept() -> None:
    post = save(actor=MINA, now=at(1), title="Boats").post

    update(post, actor=OLE, now=at(31), body=STORY)

    assert not DraftVersion.objects.exists()


@requirement("desk.versions.kept")
def test_public_content_is_not_kept_and_costs_no_query() -> None:
    post = save(actor=MINA, now=at(1), body=STORY, publish=True).post

    with CaptureQueriesContext(connection) as queries:
        update(post, actor=OLE, now=at(31), body="Other.", change="substantive")

    assert not any("draftversion" in one["sql"] for one in queries)
    unpublish(post, now=at(40))
    update(post, actor=OLE, now=at(50), body="As a draft.")
    assert not DraftVersion.objects.exists()
    update(post, actor=MINA, now=at(61), body="And on.")
    assert bodies(post) == [("Ole Berg", "As a draft.")]


@requirement("desk.versions.kept")
@pytest.mark.parametrize(
    "prepare",
    [
        lambda post: publish(post, publish_at=at(9000).isoformat(), now=at(2)),
        lambda post: remove(publish(post, now=at(2)).post, now=at(2)),
    ],
    ids=["scheduled", "archived"],
)
def test_posts_that_are_not_public_keep_versions(prepare: Callable[[Post], Any]) -> None:
    post = save(actor=MINA, now=at(1), body=STORY).post
    prepare(post)
    update(post, actor=MINA, now=at(12), body=f"{STORY}More.")

    update(post, actor=OLE, now=at(31), body="Other.")

    assert ("Mina Holt", f"{STORY}More.") in bodies(post)


@requirement("desk.versions.kept")
def test_a_version_costs_one_statement_more() -> None:
    post = save(actor=MINA, now=at(1), body="One.").post
    with CaptureQueriesContext(connection) as few:
        update(post, actor=MINA, now=at(2), body="One two.")
    with CaptureQueriesContext(connection) as more:
        update(post, actor=MINA, now=at(12), body="One two three.")

    assert len(more) == len(few) + 1


@requirement("desk.versions.kept")
def test_a_release_with_a_last_edit_keeps_the_draft() -> None:
    post = save(actor=MINA, now=at(1), body=STORY).post

    publish(post, actor=OLE, now=at(31), body="Short.")

    assert bodies(post) == [("Mina Holt", STORY)]


@requirement("desk.versions.reviewed")
def test_a_request_for_a_review_keeps_the_text() -> None:
    post = save(actor=MINA, now=at(1), body=STORY).post

    services.request_review(PostRef(id=str(post.pk)), actor=OLE, now=at(2))

    assert bodies(post) == [("Mina Holt", STORY)]
    public = save(slug="public", body=STORY, publish=True).post
    services.request_review(PostRef(id=str(public.pk)), actor=OLE, now=at(2))
    assert bodies(public) == []


@requirement("desk.versions.reviewed")
def test_every_text_of_a_post_that_waits_is_kept_unlisted() -> None:
    post = save(actor=MINA, now=at(1), body=STORY, made_by_ai=True).post
    shown = []
    for number in range(4):
        shown.append(Post.objects.get(pk=post.pk).current_revision_identifier)
        update(post, actor=MINA, now=at(1 + number / 10), body=f"{STORY}{number}")

    assert bodies(post) == []
    assert all(version_with(post, identifier) is not None for identifier in shown)
    assert len(bodies(post, listed=False)) == 4


@requirement("desk.versions.pruned")
def test_a_flood_of_writes_leaves_the_versions_of_before() -> None:
    post = save(actor=MINA, now=at(0), body=STORY, made_by_ai=True).post
    update(post, actor=MINA, now=at(60), body="Another text, which has nothing of it.")
    for number in range(MOST_KEPT + 60):
        update(post, actor=MINA, now=at(300) + timedelta(seconds=number), body=f"{'Word ' * 200}{number}")

    assert DraftVersion.objects.count() <= MOST_KEPT + 16
    assert [row.saved_at for row in versions_of(post.pk)][-2:] == [at(60), at(0)]
    newest = DraftVersion.objects.order_by("-saved_at")[:20]
    assert [row.saved_at for row in newest] == [
        at(300) + timedelta(seconds=MOST_KEPT + 58 - back) for back in range(20)
    ]


@requirement("desk.versions.pruned")
def test_old_versions_are_deleted(settings: LazySettings) -> None:
    post = save(actor=MINA, now=at(1), body=STORY).post
    update(post, actor=OLE, now=at(31), body="Other.")
    late = at(31) + timedelta(days=60)
    update(post, actor=MINA, now=late, body="And another.")

    assert services.prune_drafts(now=at(0) + timedelta(days=90)).versions == 0
    assert services.prune_drafts(now=at(2) + timedelta(days=90)).versions == 1
    assert bodies(post) == [("Ole Berg", "Other.")]

    settings.BLOG_ENGINE = blog_settings(versions={"days": 7})
    assert services.prune_drafts(now=late + timedelta(days=7)).versions == 1
