"""Which writes leave an event in the outbox, and what it says."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.enums import EventType
from blog_engine.errors import ChangeTypeRequired
from blog_engine.models import Delivery, Post
from blog_engine.queries.posts import read_post
from blog_engine.services import publish_due, rehearsal
from blog_engine.services._transaction import write_transaction
from blog_engine.services.deliveries import note_event
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, adopt, approve, declare, publish, remove, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.web import SECRET

pytestmark = pytest.mark.django_db

CHECKED = {"name": "Rosa Reviewer", "facts_checked": True}
HOOK = {"url": "https://hooks.example/in", "secret": SECRET}


@pytest.fixture(autouse=True)
def _one_receiver(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(notify={"webhooks": [HOOK]})


def events() -> list[str]:
    return list(Delivery.objects.order_by("pk").values_list("type", flat=True))


def data() -> dict[str, Any]:
    told: dict[str, Any] = json.loads(Delivery.objects.order_by("pk").latest("pk").payload)
    return told["data"]


def draft() -> Post:
    return save(slug="p").post


def public() -> Post:
    return save(slug="p", publish=True, body="Leeks.").post


def withdrawn() -> Post:
    return unpublish(public()).post


def scheduled() -> Post:
    return publish(draft(), publish_at=LATER.isoformat(), now=NOW).post


def archived() -> Post:
    return remove(public()).post


WRITES: dict[str, tuple[Callable[[], Any], Callable[[Any], Any], list[str]]] = {
    "save a draft": (lambda: None, lambda _: save(), []),
    "change a draft": (draft, lambda post: update(post, title="New"), []),
    "approve a draft": (draft, approve, []),
    "declare connections of a draft": (draft, declare, []),
    "schedule a draft": (draft, lambda post: publish(post, publish_at=LATER.isoformat(), now=NOW), []),
    "unschedule a post": (scheduled, lambda post: publish(post, publish_at=None), []),
    "remove a draft": (draft, remove, []),
    "withdraw a scheduled post": (scheduled, unpublish, []),
    "archive a withdrawn post": (withdrawn, remove, []),
    "archive again, with a target": (archived, lambda post: remove(post, redirect_to="/blog/other"), []),
    "publish a new post": (lambda: None, lambda _: save(publish=True), ["post.published"]),
    "publish a draft": (draft, publish, ["post.published"]),
    "publish a withdrawn post": (withdrawn, publish, ["post.published"]),
    "release a scheduled post": (scheduled, lambda post: publish_due(now=LATER), ["post.published"]),
    "publish again what is public": (public, publish, []),
    "send what is stored already": (public, lambda post: update(post, title="Winter garden"), []),
    "change the text": (public, lambda post: update(post, body="New.", change="substantive"), ["post.updated"]),
    "change the text for maintenance": (
        public,
        lambda post: update(post, body="New.", change="maintenance"),
        ["post.updated"],
    ),
    "change only metadata": (public, lambda post: update(post, featured=True), ["post.updated"]),
    "change only tags": (public, lambda post: update(post, tags=["soil"]), ["post.updated"]),
    "change only the FAQ": (
        public,
        lambda post: update(post, faq=[{"question": "Why?", "answer": "So."}], change="substantive"),
        ["post.updated"],
    ),
    "send a change of nothing": (public, lambda post: update(post, change="maintenance"), []),
    "correct by a note alone": (public, lambda post: update(post, change="correction", note="N."), ["post.corrected"]),
    "approve a public post": (public, approve, ["post.updated"]),
    "send an approval": (public, lambda post: update(post, approval=CHECKED), ["post.updated"]),
    "declare connections": (public, declare, ["post.updated"]),
    "correct": (public, lambda post: update(post, body="New.", change="correction", note="N."), ["post.corrected"]),
    "withdraw": (public, unpublish, ["post.withdrawn"]),
    "archive": (public, remove, ["post.removed"]),
}


@requirement("webhooks.types", "webhooks.drafts")
@pytest.mark.parametrize("what", WRITES)
def test_each_write_leaves_the_event_that_readers_see(what: str) -> None:
    prepare, write, expected = WRITES[what]
    post = prepare()
    Delivery.objects.all().delete()

    write(post)

    assert events() == expected


@requirement("webhooks.payload")
def test_an_event_says_what_readers_see() -> None:
    post = save(slug="p", title="Leeks", publish=True, provenance="ai_assisted", now=NOW).post

    row = Delivery.objects.get()
    assert json.loads(row.payload) == {
        "type": "post.published",
        "timestamp": "2026-11-21T12:00:00.711Z",
        "data": {
            "id": post.pk,
            "status": "published",
            "slug": "p",
            "url": "https://example.com/blog/p",
            "title": "Leeks",
            "revision_identifier": post.current_revision_identifier,
            "label": "ai_assisted",
            "previous_url": None,
            "change": "first",
            "note": None,
        },
    }
    assert row.event_id.startswith("msg_")
    assert (row.created_at, row.next_attempt_at, row.attempts) == (NOW, NOW, 0)


@requirement("webhooks.payload")
def test_a_correction_says_what_it_corrects_and_other_changes_do_not() -> None:
    post = public()

    update(post, body="New.", change="correction", note="It said Leaks.")
    corrected = data()
    update(post, body="Newer.", change="maintenance", note="Not public.")
    updated = data()

    assert (corrected["change"], corrected["note"]) == ("correction", "It said Leaks.")
    assert (updated["change"], updated["note"]) == ("maintenance", None)


@requirement("webhooks.payload")
def test_a_post_that_moves_names_its_earlier_url() -> None:
    update(public(), slug="q")

    assert (data()["url"], data()["previous_url"]) == ("https://example.com/blog/q", "https://example.com/blog/p")


@requirement("webhooks.payload", "webhooks.drafts")
def test_of_a_post_that_readers_have_not_seen_nothing_but_the_id_is_told() -> None:
    post = save(slug="secret-plan", title="Secret plan").post

    with write_transaction():
        note_event(EventType.PROPOSED, read_post(post.pk), now=NOW)

    payload = Delivery.objects.get().payload
    assert (data()["id"], data()["status"], data()["slug"], data()["title"]) == (post.pk, "draft", None, None)
    assert "ecret" not in payload
    assert post.current_revision_identifier not in payload


@requirement("webhooks.payload")
def test_a_proposal_for_a_public_post_names_it() -> None:
    post = public()

    with write_transaction():
        note_event(EventType.PROPOSED, read_post(post.pk), now=NOW)

    assert (events()[-1], data()["url"]) == ("proposal.made", "https://example.com/blog/p")


@requirement("webhooks.outbox")
def test_a_write_that_is_refused_or_rolled_back_leaves_no_event() -> None:
    post = public()
    Delivery.objects.all().delete()

    with pytest.raises(ChangeTypeRequired):
        update(post, body="New.")
    with pytest.raises(RuntimeError), transaction.atomic():
        update(post, tags=["x"])
        inside = events()
        raise RuntimeError
    with rehearsal():
        update(post, tags=["y"])

    assert (inside, events()) == (["post.updated"], [])


@requirement("webhooks.imports")
def test_an_adoption_leaves_no_event() -> None:
    adopt()

    assert Post.objects.filter(status="published").exists()
    assert events() == []


@requirement("webhooks.off")
@pytest.mark.parametrize(
    "notify",
    [{}, {"private_receivers": True}, {"webhooks": [{**HOOK, "events": ["post.removed"]}]}],
    ids=["default", "no receiver", "another event"],
)
def test_without_a_receiver_nothing_is_stored_or_queried(settings: Settings, notify: dict[str, Any]) -> None:
    settings.BLOG_ENGINE = blog_settings(notify=notify)

    with CaptureQueriesContext(connection) as queries:
        save(publish=True)

    assert not Delivery.objects.exists()
    assert not [query for query in queries if "delivery" in query["sql"]]


@requirement("webhooks.outbox")
def test_with_receivers_a_write_has_one_more_statement_for_the_events_of_all(settings: Settings) -> None:
    more = [{**HOOK, "url": f"https://hooks.example/{number}"} for number in range(5)]
    settings.BLOG_ENGINE = blog_settings(notify={"webhooks": more, "websub_hub": "https://hub.example/"})

    with CaptureQueriesContext(connection) as queries:
        save(publish=True)

    assert len([query for query in queries if "delivery" in query["sql"]]) == 1
    assert Delivery.objects.count() == 5 + 2


@requirement("webhooks.receivers")
def test_each_receiver_gets_the_events_that_it_wants(settings: Settings) -> None:
    quiet = {**HOOK, "url": "https://quiet.example/", "events": ["post.corrected", "proposal.made"]}
    settings.BLOG_ENGINE = blog_settings(
        notify={"webhooks": [HOOK, quiet], "websub_hub": "https://hub.example/", "indexnow_key": "abcdef12"}
    )
    post = public()
    first = dict(Delivery.objects.values_list("receiver", "event_id"))
    Delivery.objects.all().delete()
    update(post, body="New.", change="correction", note="N.")
    corrected = dict(Delivery.objects.values_list("receiver", "event_id"))
    Delivery.objects.all().delete()
    with write_transaction():
        note_event(EventType.PROPOSED, read_post(post.pk), now=NOW)
    proposed = dict(Delivery.objects.values_list("receiver", "event_id"))

    assert sorted(key.partition("-")[0] for key in first) == ["indexnow", "webhook", "websub", "websub"]
    assert len(corrected) == 5
    assert [key.partition("-")[0] for key in proposed] == ["webhook", "webhook"]
    assert [len(set(told.values())) for told in (first, corrected, proposed)] == [1, 1, 1]


def test_an_event_is_stamped_with_the_time_of_its_write() -> None:
    save(publish=True, now=NOW + timedelta(days=1))

    assert json.loads(Delivery.objects.get().payload)["timestamp"] == "2026-11-22T12:00:00.711Z"
