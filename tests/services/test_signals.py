"""What hosts are told, and when."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import transaction

from blog_engine import signals
from blog_engine.errors import ChangeTypeRequired
from blog_engine.models import Post
from blog_engine.services import Written, publish_due
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, approve, declare, publish, remove, save, unpublish, update

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("post_published", "post_updated", "post_unpublished", "post_removed", "approval_recorded")
CHECKED = {"name": "Rosa Reviewer", "facts_checked": True}


@pytest.fixture
def heard() -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """The signals sent so far, with what they carried."""
    found: list[tuple[str, dict[str, Any]]] = []
    receivers = {name: listener(name, found) for name in NAMES}
    for name, receiver in receivers.items():
        getattr(signals, name).connect(receiver, weak=False)
    yield found
    for name, receiver in receivers.items():
        getattr(signals, name).disconnect(receiver)


def listener(name: str, found: list[tuple[str, dict[str, Any]]]) -> Callable[..., None]:
    def hear(signal: object, **sent: Any) -> None:
        found.append((name, sent))

    return hear


def draft() -> Post:
    return save(slug="p").post


def public() -> Post:
    return save(slug="p", publish=True).post


def archived() -> Post:
    return remove(public()).post


SENT: dict[str, tuple[Callable[[], Any], Callable[[Any], Written], list[str]]] = {
    "save a draft": (lambda: None, lambda _: save(), ["post_updated"]),
    "publish a new post": (lambda: None, lambda _: save(publish=True), ["post_published"]),
    "publish a draft": (draft, publish, ["post_published"]),
    "schedule a draft": (draft, lambda post: publish(post, publish_at="2999-01-01T00:00:00Z"), ["post_updated"]),
    "publish an archived post": (archived, publish, ["post_published"]),
    "edit a public post": (public, lambda post: update(post, tags=["x"]), ["post_updated"]),
    "edit with an approval": (
        draft,
        lambda post: update(post, title="New", approval=CHECKED),
        ["post_updated", "approval_recorded"],
    ),
    "withdraw a public post": (public, unpublish, ["post_unpublished"]),
    "remove a draft": (draft, remove, ["post_removed"]),
    "archive a public post": (public, remove, ["post_removed"]),
    "approve": (draft, approve, ["approval_recorded"]),
    "declare connections": (draft, declare, ["post_updated"]),
}


@requirement("host.signals")
@pytest.mark.parametrize("what", SENT)
def test_each_write_is_announced_with_its_outcome(heard: list[tuple[str, dict[str, Any]]], what: str) -> None:
    prepare, write, names = SENT[what]
    post = prepare()
    heard.clear()

    written = write(post)

    assert [name for name, _ in heard] == names
    for _, sent in heard:
        assert sent == {"sender": Post, "post": written.post, "actor": EDITOR, "outcome": written}


@requirement("host.signals")
def test_a_scheduled_release_has_no_actor(heard: list[tuple[str, dict[str, Any]]]) -> None:
    publish(draft(), publish_at=LATER.isoformat(), now=NOW)
    heard.clear()

    publish_due(now=LATER)

    assert [(name, sent["actor"], sent["post"].status) for name, sent in heard] == [
        ("post_published", None, "published")
    ]


@requirement("host.signals")
def test_nothing_is_announced_before_the_commit_or_without_one(heard: list[tuple[str, dict[str, Any]]]) -> None:
    post = public()
    heard.clear()

    with pytest.raises(ChangeTypeRequired):
        update(post, body="New.")
    with pytest.raises(RuntimeError), transaction.atomic():
        update(post, tags=["x"])
        in_between = list(heard)
        raise RuntimeError

    assert (in_between, heard) == ([], [])


@requirement("host.signals")
def test_a_listener_that_fails_does_not_fail_the_write(caplog: pytest.LogCaptureFixture) -> None:
    def fail(signal: object, **sent: Any) -> None:
        raise RuntimeError("a bug of the host")

    signals.post_published.connect(fail)

    written = save(publish=True)

    signals.post_published.disconnect(fail)
    assert written.post.status == "published"
    assert "a bug of the host" in caplog.text
