"""Writes that are tried."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.files.storage import Storage
from django.dispatch import Signal

from blog_engine import signals
from blog_engine.errors import ApprovalRequired, ChangeTypeRequired, RevisionMismatch, ScopeRequired
from blog_engine.models import Post
from blog_engine.services import Written
from tests.requirements import requirement
from tests.support.factories import AGENT, LATER, publish, remove, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.images import gallery, picture_url, png
from tests.support.tables import everything_stored, refused
from tests.support.web import Server

pytestmark = pytest.mark.django_db

WRITES: dict[str, Callable[[Post], Written]] = {
    "save": lambda post: save(slug="winter-garden-2", body="New.", dry_run=True),
    "save again": lambda post: save(slug=post.slug, body="New.", dry_run=True),
    "publish a new one": lambda post: save(slug="winter-garden-2", publish=True, dry_run=True),
    "update": lambda post: update(post, body="New.", tags=["Frost"], category="Garden", dry_run=True),
    "publish": lambda post: publish(post, body="New.", dry_run=True),
    "schedule": lambda post: publish(post, publish_at="2030-01-01T00:00:00Z", dry_run=True),
    "unpublish": lambda post: unpublish(post, dry_run=True),
    "delete": lambda post: remove(post, dry_run=True),
}


@requirement("posts.dry-run.nothing")
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_dry_run_writes_nothing_and_tells_no_one(write: Callable[[Post], Written], heard: list[object]) -> None:
    post = save(body="Old.").post
    heard.clear()
    before = everything_stored()

    written = write(post)

    assert written.dry_run
    assert everything_stored() == before
    assert heard == []


@pytest.fixture
def heard() -> Iterator[list[object]]:
    """The signals that were sent."""
    sent: list[object] = []

    def hear(signal: object, **what: Any) -> None:
        sent.append(signal)

    every = [one for one in vars(signals).values() if isinstance(one, Signal)]
    for one in every:
        one.connect(hear)
    yield sent
    for one in every:
        one.disconnect(hear)


@requirement("posts.dry-run")
def test_a_dry_run_answers_as_the_write_does() -> None:
    post = save(body="Old.").post
    sent = {"body": "New, with a [link](/blog/nowhere).", "tags": ["Frost"]}

    tried, written = publish(post, dry_run=True, **sent), publish(post, **sent)

    assert (tried.records, tried.label, tried.findings) == (written.records, written.label, written.findings)
    assert tried.post.current_revision_identifier == written.post.current_revision_identifier
    assert (tried.post.status, tried.post.version) == ("published", written.post.version)


@requirement("posts.dry-run")
def test_the_difference_shows_every_field() -> None:
    post = save(body="Old text.\n", tags=["Snow"]).post

    difference = publish(post, body="New text.\n", tags=["Frost"], slug="frost", dry_run=True).difference

    for line in ("-status: draft", "+status: published", "-slug: winter-garden", "+slug: frost", "-tags: Snow"):
        assert line in difference.splitlines()
    assert "-Old text." in difference
    assert "+New text." in difference


@requirement("posts.dry-run")
def test_the_difference_of_a_new_post_adds_all_of_it() -> None:
    lines = save(body="New.", dry_run=True).difference.splitlines()

    assert "+New." in lines
    assert all(line.startswith(("+", "---", "@@")) for line in lines)


@requirement("posts.dry-run")
def test_a_dry_removal_says_whether_the_row_goes() -> None:
    draft, public = save().post, save(title="Public", publish=True).post

    assert [remove(draft, dry_run=True).is_deleted, remove(public, dry_run=True).is_deleted] == [True, False]
    assert remove(public, dry_run=True).post.status == "archived"


@requirement("posts.dry-run")
def test_a_dry_run_is_refused_as_the_write_is(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    draft = save().post
    public = save(title="Public", provenance="human_written", publish=True).post

    with refused(ApprovalRequired):
        publish(draft, dry_run=True)
    with refused(ChangeTypeRequired):
        update(public, body="New.", dry_run=True)
    with refused(RevisionMismatch, ["expected_version"]):
        update(public, expected_version=7, dry_run=True)


@requirement("posts.dry-run.scope")
def test_a_dry_run_needs_the_scope_of_the_write() -> None:
    post = save(publish=True).post

    with refused(ScopeRequired, ["publish"]):
        update(post, featured=True, dry_run=True, actor=AGENT)
    with refused(ScopeRequired, ["publish"]):
        remove(post, dry_run=True, actor=AGENT)


@requirement("posts.dry-run.nothing")
@pytest.mark.usefixtures("own_images")
def test_a_dry_run_stores_no_file(quay: Server, storage: Storage) -> None:
    save(cover_image={"url": picture_url(quay)}, dry_run=True)

    assert storage.listdir("") == ([], [])


@requirement("posts.dry-run.fetches")
@pytest.mark.usefixtures("own_images")
def test_the_write_that_follows_fetches_nothing_again() -> None:
    with gallery(cover=png(), deck=png("red")) as server:
        body = f"![The deck]({picture_url(server, 'deck')})"
        sent = {"cover_image": {"url": picture_url(server, "cover")}, "body": body}
        tried = save(dry_run=True, **sent)
        assert len(server.requests) == 2
    # The server is gone now.
    written = save(now=LATER, **sent)

    assert written.post.current_revision_identifier == tried.post.current_revision_identifier
    assert written.post.cover_image is not None
    assert written.post.body_image_manifest[0]["sha256"]


@requirement("posts.dry-run.fetches")
@pytest.mark.usefixtures("own_images")
def test_what_another_write_fetched_is_fetched_again(quay: Server) -> None:
    for slug in ("one", "two"):
        save(slug=slug, cover_image={"url": picture_url(quay)})

    assert len(quay.requests) == 2
