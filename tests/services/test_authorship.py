"""Who made the content of a draft, and whether with AI, until a revision records it."""

import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from blog_engine import verify
from blog_engine.actor import Actor
from blog_engine.enums import Label
from blog_engine.models import Post, Publication, Revision
from blog_engine.queries.history import history_of
from blog_engine.services import make_checkpoint, publish_due
from tests.requirements import requirement
from tests.support.factories import (
    ARTICLE,
    EDITOR,
    LATER,
    NOW,
    adopt,
    apply,
    approve,
    propose,
    publish,
    reject,
    save,
    seen,
    unpublish,
    update,
    withdraw,
)
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

DUE = NOW + timedelta(hours=2)
AGENT = Actor("Drafting agent")
ANNA = Actor("Anna Author")


def recorded(post: Post) -> tuple[str | None, bool | None]:
    """The actor and the flag of the newest revision of a post."""
    revision = Revision.objects.filter(post=post).latest("id")
    return revision.actor, revision.made_by_ai


def remembered(post: Post) -> tuple[str | None, bool | None]:
    """What the row says of content that no revision has recorded."""
    return Post.objects.values_list("unrecorded_actor", "unrecorded_made_by_ai").get(pk=post.pk)


def release_when_due(post: Post) -> None:
    publish(post, actor=EDITOR, publish_at=DUE.isoformat())
    publish_due(now=DUE)


RECORDING: dict[str, tuple[Callable[[Post], object], list[str | None]]] = {
    "a release": (lambda post: publish(post, actor=EDITOR), [EDITOR.name]),
    "a scheduled release": (release_when_due, [None]),
    "an approval": (lambda post: approve(post, actor=EDITOR), []),
    "an approval with an edit of metadata": (
        lambda post: update(post, actor=EDITOR, tags=["soil"], approval={"name": "Rosa", "facts_checked": True}),
        [],
    ),
}
"""Writes that record the content of a draft, and the names of those who release it."""


@requirement("history.authorship")
@pytest.mark.parametrize(("write", "released_by"), RECORDING.values(), ids=RECORDING)
def test_who_wrote_the_draft_is_recorded(write: Callable[[Post], object], released_by: list[str | None]) -> None:
    post = save(actor=AGENT, made_by_ai=True).post

    write(post)

    assert (recorded(post), remembered(post)) == ((AGENT.name, True), (None, None))
    assert list(Publication.objects.values_list("released_by", flat=True)) == released_by


@requirement("history.authorship")
def test_a_releasing_call_that_changes_content_is_the_last_write() -> None:
    post = save(actor=AGENT, made_by_ai=False).post

    publish(post, actor=EDITOR, title="Winter gardens", made_by_ai=True)

    assert recorded(post) == (EDITOR.name, True)


@requirement("history.authorship")
def test_a_releasing_call_that_sends_only_the_flag_leaves_the_actor() -> None:
    post = save(actor=AGENT).post

    publish(post, actor=EDITOR, made_by_ai=True)

    assert recorded(post) == (AGENT.name, True)


@requirement("history.authorship")
@pytest.mark.parametrize(
    ("flags", "result"),
    [
        ([{}, {}], None),
        ([{"made_by_ai": True}, {}], True),
        ([{"made_by_ai": False}, {}], False),
        ([{"made_by_ai": True}, {"made_by_ai": False}], True),
        ([{"made_by_ai": True}, {"made_by_ai": None}], True),
        ([{"made_by_ai": True}, {}, {"made_by_ai": False}], True),
        ([{"made_by_ai": False}, {"made_by_ai": True}], True),
        ([{"made_by_ai": None}, {"made_by_ai": False}], False),
        ([{"made_by_ai": False}, {"made_by_ai": None}], None),
    ],
)
@pytest.mark.parametrize("only_the_flag", [False, True])
def test_the_flag_of_several_writes(flags: list[dict[str, Any]], result: bool | None, only_the_flag: bool) -> None:
    first, *later = flags
    post = save(actor=AGENT, **first).post

    for number, flag in enumerate(later):
        update(post, actor=ANNA, **flag, **({} if only_the_flag else {"body": f"Text {number}."}))
    publish(post, actor=EDITOR)

    assert recorded(post) == (AGENT.name if only_the_flag else ANNA.name, result)


@requirement("history.authorship")
@pytest.mark.parametrize("metadata", [{"tags": ["soil"]}, {"slug": "elsewhere"}, {"title": " Winter garden\n"}])
def test_a_write_that_changes_no_content_leaves_the_actor(metadata: dict[str, Any]) -> None:
    post = save(actor=AGENT, made_by_ai=True).post

    update(post, actor=ANNA, **metadata)

    assert remembered(post) == (AGENT.name, True)


@requirement("history.authorship")
def test_what_a_revision_recorded_is_forgotten() -> None:
    post = save(actor=AGENT, made_by_ai=True).post
    approve(post, actor=EDITOR)
    assert remembered(post) == (None, None)

    update(post, actor=ANNA, body="Written anew.", made_by_ai=False)
    publish(post, actor=EDITOR)

    assert recorded(post) == (ANNA.name, False)
    assert Revision.objects.filter(post=post).first().made_by_ai is True
    assert remembered(post) == (None, None)


@requirement("history.authorship")
def test_the_flag_alone_says_nothing_of_content_that_is_recorded() -> None:
    post = save(actor=AGENT, publish=True).post

    update(post, actor=EDITOR, made_by_ai=True)

    assert remembered(post) == (None, None)
    assert recorded(post) == (AGENT.name, None)


@requirement("history.authorship")
def test_content_that_returns_to_a_recorded_text_is_recorded() -> None:
    post = save(actor=AGENT, publish=True, body="First.").post
    unpublish(post)
    update(post, actor=ANNA, body="Second.", made_by_ai=True)

    update(post, actor=ANNA, body="First.")

    assert remembered(post) == (None, None)
    update(post, actor=EDITOR, body="Third.")
    assert remembered(post) == (EDITOR.name, None)


@requirement("history.authorship")
def test_an_edit_of_a_public_post_records_its_own_actor_and_flag() -> None:
    post = save(actor=AGENT, publish=True, made_by_ai=True).post

    update(post, actor=ANNA, body="Other text.", change="substantive")

    assert recorded(post) == (ANNA.name, None)


@requirement("history.authorship")
def test_content_that_only_the_host_changed_at_a_scheduled_release_stays_its_authors(settings: Any) -> None:
    post = save(actor=AGENT, made_by_ai=True).post
    publish(post, actor=EDITOR, publish_at=DUE.isoformat())

    def sign(post: Any, context: dict[str, Any]) -> None:
        post.description = "Signed by the site."

    settings.BLOG_ENGINE = blog_settings(before_publish=sign)
    publish_due(now=DUE)

    assert recorded(post) == (AGENT.name, True)


@requirement("history.authorship")
def test_an_adoption_of_a_draft_is_the_work_of_its_actor() -> None:
    content = {name: ARTICLE[name] for name in ("title", "slug", "body")}
    post = save(actor=AGENT, made_by_ai=True, **content).post

    adopt(ARTICLE)

    assert recorded(post) == (EDITOR.name, None)
    assert remembered(post) == (None, None)


@requirement("history.authorship")
def test_a_post_that_is_refused_keeps_what_it_remembers(settings: Any) -> None:
    post = save(actor=AGENT, made_by_ai=True).post
    publish(post, actor=EDITOR, publish_at=DUE.isoformat(), now=LATER)
    settings.BLOG_ENGINE = blog_settings(before_publish=lambda post, context: "Not today.")

    publish_due(now=DUE)

    assert remembered(post) == (AGENT.name, True)


PROPOSED = {"body": "Ebb and flood.", "change": "maintenance"}


@requirement("proposals.authorship")
@pytest.mark.parametrize("made_by_ai", [None, True, False])
def test_a_proposal_for_a_scheduled_post_does_not_decide_who_wrote_it(made_by_ai: bool | None) -> None:
    post = save(actor=ANNA).post
    publish(post, actor=EDITOR, publish_at=DUE.isoformat())
    propose(post, actor=AGENT, made_by_ai=True, now=NOW, **PROPOSED)
    assert remembered(post) == (ANNA.name, None)
    update(post, actor=EDITOR, made_by_ai=made_by_ai)

    publish_due(now=DUE)

    revision = Publication.objects.get().revision
    assert (revision.actor, revision.made_by_ai, revision.is_proposed) == (ANNA.name, made_by_ai, False)


@requirement("proposals.authorship")
@pytest.mark.parametrize("end", [reject, withdraw, lambda proposal: None])
def test_a_text_that_was_only_proposed_is_recorded_as_of_the_person_who_writes_it(end: Callable[[int], Any]) -> None:
    post = save(publish=True, actor=ANNA).post
    end(propose(post, actor=AGENT, made_by_ai=True, **PROPOSED))

    update(post, actor=ANNA, made_by_ai=False, now=LATER, **PROPOSED)

    revision = Post.objects.get().public_revision
    assert (revision.actor, revision.made_by_ai) == (ANNA.name, False)
    assert Revision.objects.filter(identifier=revision.identifier).count() == 2
    history = history_of(post.pk)
    assert [one.is_proposed for one in history.revisions if one.identifier == revision.identifier] == [True, False]


@requirement("proposals.authorship")
def test_a_text_that_was_public_keeps_its_author_when_it_is_proposed_again() -> None:
    post = save(publish=True, actor=ANNA, body="Ebb and flood.").post
    update(post, body="Other.", change="maintenance", actor=ANNA)
    proposal = propose(post, actor=AGENT, made_by_ai=True, **PROPOSED)

    apply(proposal)

    revision = Post.objects.get().public_revision
    assert (revision.actor, revision.made_by_ai) == (ANNA.name, None)
    assert Revision.objects.count() == 2


@requirement("proposals.authorship")
def test_a_review_of_a_proposal_counts_for_the_same_text() -> None:
    post = save(publish=True, actor=ANNA, provenance="ai_assisted").post
    proposal = propose(post, actor=AGENT, **PROPOSED)
    approved = approve(post, identifier=seen(proposal).post.current_revision_identifier)
    assert approved.label == Label.AI_ASSISTED

    assert apply(proposal).label == Label.NONE


@requirement("proposals.authorship")
def test_evidence_with_the_same_text_proposed_and_public_is_verified(tmp_path: Path) -> None:
    post = save(publish=True, actor=ANNA).post
    reject(propose(post, actor=AGENT, made_by_ai=True, **PROPOSED))
    update(post, actor=ANNA, now=LATER, **PROPOSED)
    make_checkpoint(now=LATER)
    file = tmp_path / "evidence.json"
    call_command("blog_evidence", f"POST={post.pk}", f"OUTPUT={file}")

    done = subprocess.run([sys.executable, verify.__file__, str(file)], capture_output=True, check=False, text=True)

    assert done.returncode == 0, done.stdout
