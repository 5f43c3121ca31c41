"""What kind of actor made a record, through every door, and records from before there was the column."""

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db.models import QuerySet

from blog_engine.actor import ON_SCHEDULE, Actor
from blog_engine.enums import ActorKind
from blog_engine.http.authentication import actor_of
from blog_engine.models import ApprovalKey, ApprovalSignature, DraftVersion, Post, Publication, Revision, StatusChange
from blog_engine.queries.chain_audit import faults_in_chains, posts_without_links
from blog_engine.rules.chain import CHAINED_MODELS, canonical_record
from blog_engine.services import publish_due
from blog_engine.services.bin import bring_back
from tests.requirements import requirement
from tests.support.factories import (
    ARTICLE,
    CONNECTIONS,
    DECLARATION,
    LATER,
    NOW,
    adopt,
    apply,
    propose,
    publish,
    remove,
    save,
    unpublish,
    update,
)

pytestmark = pytest.mark.django_db

AGENT = Actor("Ann", kind=ActorKind.TOKEN, id="token:3")
PERSON = Actor("Ann", kind=ActorKind.PERSON, user_id=7)
BY_AGENT, BY_PERSON, BY_NO_ONE = ("token", "token:3"), ("person", "user:7"), (None, None)
APPROVAL = {"name": "Rosa Reviewer", "facts_checked": True}


def by(record: Any) -> tuple[str | None, str | None]:
    return record.actor_kind, record.actor_id


def revision_of(post: Post) -> Revision:
    return Revision.objects.get(
        post=post, is_proposed=False, identifier=Post.objects.get(pk=post.pk).current_revision_identifier
    )


@requirement("history.actors", "proof.records.version")
@pytest.mark.parametrize(("actor", "expected"), [(AGENT, BY_AGENT), (PERSON, BY_PERSON)])
def test_every_kind_of_record_says_what_made_it(actor: Actor, expected: tuple[str, str]) -> None:
    post = save(actor=actor, publish=True, connections=CONNECTIONS, approval=APPROVAL).post
    apply(propose(post, actor=actor), actor=actor)
    unpublish(post, actor=actor)
    adopt(ARTICLE, declaration=DECLARATION, actor=actor)

    for model in {*CHAINED_MODELS.values()} - {ApprovalKey, ApprovalSignature}:
        rows = list(model._default_manager.all())
        assert {by(row) for row in rows} == {expected}, model
        assert {(one["version"], one["actor_kind"], one["actor_id"]) for one in map(canonical_record, rows)} == {
            (2, *expected)
        }
    assert (posts_without_links(), faults_in_chains(newest_links=None)) == ([], {})


@requirement("history.actors")
def test_the_revision_is_of_its_writer_and_the_publication_of_who_released_it() -> None:
    post = save(actor=AGENT).post
    publish(post, actor=PERSON)

    assert by(revision_of(post)) == BY_AGENT
    assert by(Publication.objects.get()) == BY_PERSON


@requirement("history.actors")
def test_an_applied_proposal_is_of_who_made_it() -> None:
    post = save(actor=PERSON, publish=True).post
    apply(propose(post, actor=AGENT), actor=PERSON)

    assert by(revision_of(post)) == BY_AGENT
    assert by(Publication.objects.latest("id")) == BY_PERSON


@requirement("history.actors")
def test_a_release_on_schedule_is_of_the_system() -> None:
    post = save(actor=AGENT, publish_at=(NOW + timedelta(minutes=1)).isoformat(), publish=True).post
    publish_due(now=NOW + timedelta(minutes=2))

    released = Publication.objects.get(post=post)
    assert (released.released_by, *by(released)) == tuple(ON_SCHEDULE)
    assert by(StatusChange.objects.get()) == BY_AGENT


@requirement("history.actors")
def test_a_draft_that_comes_back_from_the_bin_is_of_its_writer() -> None:
    post = save(actor=AGENT).post
    remove(post, actor=PERSON)
    bring_back(post.pk, actor=PERSON, now=LATER)
    publish(post, actor=PERSON)

    assert by(revision_of(post)) == BY_AGENT


@requirement("history.actors")
def test_a_version_of_a_draft_says_what_wrote_it() -> None:
    post = save(actor=AGENT, body="One.").post
    update(post, actor=PERSON, body="Another one.")

    assert DraftVersion.objects.get().actor_kind == "token"


@requirement("history.actors.unknown")
def test_content_of_the_previous_version_of_the_engine_is_of_no_known_kind() -> None:
    post = save(actor=PERSON).post
    # That version sets the name and the identifier of the content, and leaves this note of other content.
    noted = {"revision": "0" * 64, "kind": "person", "id": "user:7"}
    QuerySet.update(Post.objects.filter(pk=post.pk), unrecorded_by=noted)
    publish(post, actor=AGENT)

    assert (revision_of(post).actor, *by(revision_of(post))) == ("Ann", *BY_NO_ONE)
    assert "version" not in canonical_record(revision_of(post))
    assert (posts_without_links(), faults_in_chains(newest_links=None)) == ([], {})


@requirement("history.actors.outside")
@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"id": "user:7"}, ("token", "user:7", "user:7")),
        ({"kind": "system", "id": "cron"}, ("token", "cron", None)),
        ({"kind": "person", "user_id": 7}, ("person", "user:7", "user:7")),
        ({"kind": "person", "id": "user:7"}, ("person", "user:7", "user:7")),
        ({"kind": ActorKind.PERSON, "user_id": "a-b", "id": "session"}, ("person", "user:a-b", "user:a-b")),
        ({"kind": "token", "user_id": 7, "id": "key"}, ("token", "key", "user:7")),
    ],
)
def test_a_hook_may_say_that_a_caller_is_a_person(found: dict[str, Any], expected: tuple[Any, ...]) -> None:
    actor = actor_of(SimpleNamespace(name="Ann", **found))

    assert (actor.kind, actor.id, actor.user) == expected


@requirement("history.actors.outside")
@pytest.mark.parametrize("found", [{"kind": "person"}, {"kind": "person", "id": "ann"}, {"id": "x" * 256}])
def test_a_hook_that_names_no_user_of_a_person_is_improperly_configured(found: dict[str, Any]) -> None:
    with pytest.raises(ImproperlyConfigured, match="authenticate"):
        actor_of(SimpleNamespace(name="Ann", **found))
