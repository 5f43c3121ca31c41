"""Edits and proposals are worked out, rendered and compared while no post is locked."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from blog_engine.content import differences, edits, merging
from blog_engine.content._markdown import _Parser
from blog_engine.errors import RevisionMismatch
from blog_engine.models import Post, Proposal
from blog_engine.services import _edit as editing
from blog_engine.services import proposals, publish_due
from tests.requirements import requirement
from tests.support.factories import LATER, apply, approve, propose, save, seen, update

pytestmark = pytest.mark.django_db(transaction=True)

BODY = "# Frost\n\nFrost is a word.\n\n## Garden\n\nA garden needs frost.\n\nThe end.\n"
EDITS = [{"after_heading": "Garden", "new": "New."}, {"old": "Frost is", "new": "Snow is"}]
COUNTED = [{"old": "frost", "new": "snow", "occurrence": 1}]
DUE = LATER + timedelta(hours=1)


@pytest.fixture(autouse=True)
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was done, each of which fails in a transaction."""
    done = list[str]()

    def watch(place: Any, name: str, kind: str) -> None:
        function = getattr(place, name)

        def watched(*arguments: Any, **more: Any) -> Any:
            assert not connection.in_atomic_block, f"{kind} in a transaction"
            done.append(kind)
            return function(*arguments, **more)

        monkeypatch.setattr(place, name, watched)

    watch(_Parser, "parse", "parse")
    watch(edits._Editor, "apply", "edit")
    watch(merging, "changed_lines", "merge")
    watch(differences, "changed_lines", "difference")
    yield done


def proposed(post: Post, **fields: Any) -> int:
    return propose(post, change="maintenance", **fields or {"edits": EDITS})


@requirement("posts.edits.meanwhile")
@pytest.mark.parametrize("is_tried", [False, True])
def test_an_edit(is_tried: bool, work: list[str]) -> None:
    post = save(publish=True, body=BODY).post
    work.clear()

    written = update(post, edits=EDITS, change="maintenance", dry_run=is_tried)

    assert written.post.body.startswith("# Frost\n\nSnow")
    assert bool(written.difference) == is_tried
    assert (work.count("edit"), work.count("parse"), work.count("difference")) == (2, 1, int(is_tried))


@requirement("proposals.checks")
def test_a_proposal(work: list[str]) -> None:
    post = save(publish=True, body=BODY).post
    work.clear()

    proposed(post)

    assert (work.count("edit"), work.count("parse")) == (2, 1)


@requirement("proposals.dry-run")
def test_a_proposal_that_is_tried(work: list[str]) -> None:
    post = save(publish=True, body=BODY).post

    written = update(post, edits=EDITS, change="maintenance", propose=True, dry_run=True)

    assert "+Snow is a word." in written.difference


STEPS: dict[str, Callable[[int, Post], object]] = {
    "apply": lambda proposal, post: apply(proposal),
    "schedule": lambda proposal, post: apply(proposal, publish_at=DUE.isoformat()),
    "approve": lambda proposal, post: approve(post, identifier=seen(proposal).post.current_revision_identifier),
}


@requirement("proposals.apply")
@pytest.mark.parametrize("fields", [{"edits": EDITS}, {"edits": COUNTED}, {"body": BODY.replace("end", "End")}])
@pytest.mark.parametrize("is_changed", [False, True])
@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_decision(step: Callable[[int, Post], object], is_changed: bool, fields: dict[str, Any]) -> None:
    post = save(publish=True, body=BODY).post
    proposal = proposed(post, **fields)
    if is_changed:
        update(post, body=f"First.\n\n{BODY}", change="maintenance")

    step(proposal, post)


@requirement("proposals.schedule")
def test_a_scheduled_proposal() -> None:
    post = save(publish=True, body=BODY).post
    proposal = proposed(post)
    apply(proposal, publish_at=DUE.isoformat())
    update(post, body=f"First.\n\n{BODY}", change="maintenance")

    publish_due(now=DUE)

    assert Post.objects.get(pk=post.pk).body.startswith("First.\n\n# Frost\n\nSnow")


@requirement("posts.edits.meanwhile")
def test_a_post_that_is_changed_after_the_work_is_edited_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(publish=True, body=BODY).post
    change_once_after(monkeypatch, editing, "gather_images", post)

    update(post, edits=EDITS, change="maintenance")

    assert Post.objects.get(pk=post.pk).body == made_of_changed()


@requirement("proposals.rebased")
def test_a_post_that_is_changed_after_the_work_is_proposed_for_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(publish=True, body=BODY).post
    change_once_after(monkeypatch, proposals, "gather_images", post)

    proposal = proposed(post)

    assert Proposal.objects.get(pk=proposal).base["edited_body"] == made_of_changed()


@requirement("proposals.races")
@pytest.mark.parametrize("step", ["apply", "approve"])
def test_a_post_that_is_changed_after_the_work_gets_the_proposal_as_it_is(
    step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = save(publish=True, body=BODY).post
    proposal = proposed(post)
    update(post, title="Other", change="maintenance")
    change_once_after(monkeypatch, proposals, "_prepare", post)

    if step == "apply":
        apply(proposal)
        assert Post.objects.get(pk=post.pk).body == made_of_changed()
    else:
        with pytest.raises(RevisionMismatch, match="Read the proposal again"):
            approve(post, identifier=seen(proposal).post.current_revision_identifier)


def change_once_after(monkeypatch: pytest.MonkeyPatch, place: Any, name: str, post: Post) -> None:
    """Let another writer change the post after the first call of a function."""
    function, is_changed = getattr(place, name), list[bool]()

    def followed(*arguments: Any, **more: Any) -> Any:
        result = function(*arguments, **more)
        if not is_changed:
            is_changed.append(True)
            update(post, body=f"First.\n\n{BODY}", change="maintenance")
        return result

    monkeypatch.setattr(place, name, followed)


def made_of_changed() -> str:
    body = f"First.\n\n{BODY}".replace("Frost is", "Snow is")
    return body.replace("## Garden\n\n", "## Garden\n\nNew.\n\n")


@requirement("posts.edits.cost")
def test_a_write_parses_as_often_for_one_edit_as_for_a_hundred(work: list[str]) -> None:
    counts = []
    for number in (1, 100):
        post = save(title=f"Edits {number}", body=BODY).post
        work.clear()
        update(post, edits=[{"after_heading": "Garden", "new": f"New {one}."} for one in range(number)])
        counts.append((work.count("parse"), work.count("edit")))

    assert counts == [(1, 1), (1, 100)]


def test_the_watch_sees_a_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(publish=True, body=BODY).post
    proposal = proposed(post)
    monkeypatch.setattr(proposals, "_prepare", lambda *arguments: None)
    monkeypatch.setattr("blog_engine.services._prepared._ATTEMPTS", 0)

    with pytest.raises(AssertionError, match="in a transaction"):
        apply(proposal)
