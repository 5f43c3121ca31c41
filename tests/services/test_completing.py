"""Completing the posts that a process of an earlier version wrote during an upgrade."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from blog_engine.doctor.content import probe_records
from blog_engine.models import EmbeddedImage, Post
from blog_engine.queries.image_uses import uses_of_image
from blog_engine.services import complete_posts
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, save, store_image, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.tables import execute, verdict_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("storage")]

ID = "tag:example.com,2026-11-21:post:{}"


@pytest.fixture(autouse=True)
def _origin(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://example.com")


def as_text(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S.%f}"


def as_earlier(post: Post) -> None:
    """Leave of a post what an earlier version knows of."""
    columns: dict[str, Any] = {
        "feed_id": None,
        "recent_writes": "[]",
        "review_reason": None,
        "version": 1,
        "updated_at": as_text(timezone.now()),
    }
    names = ", ".join(f"{name} = %s" for name in columns)
    execute(f"UPDATE blog_engine_post SET {names} WHERE id = %s", *columns.values(), post.pk)  # noqa: S608  our own names
    execute("DELETE FROM blog_engine_embeddedimage WHERE post_id = %s", post.pk)


def found(words: str) -> list[str]:
    """Return the slugs that the search of readers finds."""
    answer = Client().get("/blog/search.json", {"q": words}).json()
    return [one["url"].rpartition("/")[2] for one in answer]


@requirement("host.upgrade.completed", "doctor.records.completed")
def test_a_post_with_an_image_gets_its_feed_id_and_its_use_of_the_image(settings: Settings) -> None:
    image = store_image()
    post = save(body=f"![A quay](/blog/media/{image.sha256}/quay.png)", publish=True).post
    unpublished = unpublish(save(slug="taken", publish=True).post).post
    draft = save(slug="draft").post
    for one in (post, unpublished, draft):
        as_earlier(one)

    status, message = verdict_of(probe_records)
    completed, again = complete_posts(), complete_posts()

    assert status == "warning"
    assert f"2 posts lack the permanent feed id. {post.pk}, {unpublished.pk}." in message
    assert f"1 posts lack the note of the images in their body. {post.pk}." in message
    assert (completed, again) == (2, 0)
    assert verdict_of(probe_records)[0] == "ok"
    ids = dict(Post.objects.order_by("pk").values_list("pk", "feed_id"))
    assert ids == {one.pk: ID.format(one.pk) for one in (post, unpublished)} | {draft.pk: None}
    assert [one.pk for one in uses_of_image(image).bodies] == [post.pk]


@requirement("host.upgrade.feed-ids")
def test_without_an_origin_feed_ids_wait(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=...)
    as_earlier(save(publish=True).post)

    assert complete_posts() == 0
    assert verdict_of(probe_records)[0] == "ok"


@requirement("host.upgrade.completed")
def test_a_use_that_an_earlier_version_left_behind_goes() -> None:
    image = store_image()
    post = save(body=f"![A quay](/blog/media/{image.sha256}/quay.png)", publish=True).post
    execute("UPDATE blog_engine_post SET body_image_manifest = '[]' WHERE id = %s", post.pk)

    assert complete_posts() == 1
    assert not EmbeddedImage.objects.exists()


@requirement("host.upgrade.completed")
def test_words_that_an_earlier_version_wrote_are_found() -> None:
    post = save(body="The old words.", publish=True).post
    later = update(post, body="Rhubarb and custard.", change="correction", note="All wrong.").post
    execute("DELETE FROM blog_engine_searchentry WHERE post_id = %s", post.pk)
    as_earlier(later)

    assert found("rhubarb") == []
    assert (complete_posts(), complete_posts()) == (1, 0)
    assert found("rhubarb") == [post.slug]


@requirement("host.upgrade.completed")
def test_a_draft_by_ai_waits_for_its_review() -> None:
    post = save(provenance="ai_assisted", provenance_evidence="A ticket").post
    checked = approve(save(slug="checked", provenance="ai_assisted").post).post
    for one in (post, checked):
        as_earlier(one)

    complete_posts()

    reasons = dict(Post.objects.values_list("pk", "review_reason"))
    assert reasons == {post.pk: "ai_draft", checked.pk: None}


@requirement("history.dates.clock")
def test_a_change_by_a_slow_clock_is_dated_like_the_publication() -> None:
    post = save(publish=True, now=LATER).post

    changed = update(post, body="Changed.", change="substantive", now=NOW).post
    assert (changed.published_at, changed.modified_at) == (LATER, LATER)
    execute("UPDATE blog_engine_post SET modified_at = %s WHERE id = %s", as_text(NOW), post.pk)

    assert complete_posts() == 1
    assert Post.objects.get().modified_at == LATER
    assert verdict_of(probe_records)[0] == "ok"
    last = update(changed, body="Again.", change="correction", note="No.", now=LATER + timedelta(hours=1)).post
    assert last.modified_at == LATER + timedelta(hours=1)
