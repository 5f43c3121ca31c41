"""A write does not take the body of a scheduled or public post away."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import Settings

from blog_engine.enums import PostStatus
from blog_engine.errors import ValidationFailed
from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.factories import (
    ARTICLE,
    BODY,
    EDITOR,
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
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

DUE = (LATER + timedelta(hours=1)).isoformat()


def public(**fields: Any) -> Post:
    return save(slug="p", publish=True, **{"body": BODY, **fields}).post


def scheduled(**fields: Any) -> Post:
    return publish(save(slug="p", **{"body": BODY, **fields}).post, publish_at=DUE, now=NOW).post


STATES: dict[str, Callable[..., Post]] = {"public": public, "scheduled": scheduled}

EMPTY: list[dict[str, Any]] = [
    {"body": ""},
    {"body": None},
    {"body": " \n\t"},
    {"body": "\u00a0\u200b"},
    {"body": "<!-- later -->"},
    {"body": "[a]: https://x.example"},
    {"edits": [{"old": BODY, "new": ""}]},
    {"edits": [{"old": "One.\n\n", "new": ""}, {"old": "Two.", "new": " "}, {"old": "Three.", "new": ""}]},
]


@requirement("posts.body.kept")
@pytest.mark.parametrize("change", [None, "maintenance", "substantive", "correction"])
@pytest.mark.parametrize("fields", EMPTY)
@pytest.mark.parametrize("state", STATES)
def test_a_body_is_not_taken_away(state: str, fields: dict[str, Any], change: str | None) -> None:
    post = STATES[state]()
    sent = fields | ({"change": change} if change else {})

    for verb in (update, publish):
        with refused(ValidationFailed, ["body"]):
            verb(post, **sent)
    with refused(ValidationFailed, ["body"]):
        update(post, **sent, dry_run=True)
    with refused(ValidationFailed, ["body"]):
        update(post, **sent, propose=True)


@requirement("posts.body.kept")
def test_saving_does_not_take_the_body_of_a_scheduled_post_away() -> None:
    scheduled()

    with refused(ValidationFailed, ["body"]):
        save(slug="p", body=None)
    with refused(ValidationFailed, ["body"]):
        save(slug="p", publish=True, body="")


@requirement("posts.body.kept")
def test_a_format_that_leaves_nothing_is_refused(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])
    post = public(body="<nobody@post.example>")

    with refused(ValidationFailed, ["body"]):
        update(post, body_format="rich_text", change="maintenance")


@requirement("posts.body.kept")
def test_a_schedule_is_not_cancelled_and_emptied_at_once() -> None:
    post = scheduled()

    with refused(ValidationFailed, ["body"]):
        update(post, body="", publish_at=None)


@requirement("posts.body.kept")
def test_a_proposal_that_would_leave_nothing_now_is_not_applied() -> None:
    post = public(body="One. Two.")
    proposal = propose(post, edits=[{"old": "One.", "new": ""}], change="maintenance")
    update(post, edits=[{"old": " Two.", "new": ""}], change="maintenance")

    for fields in ({}, {"publish_at": (LATER + timedelta(days=1)).isoformat()}):
        with refused(ValidationFailed, ["body"]):
            apply(proposal, **fields)


@requirement("posts.body.kept")
def test_what_the_check_of_the_host_leaves_nothing_of_is_refused(settings: Settings) -> None:
    post = public()

    def hook(post: Post, context: object) -> None:
        post.body = ""

    settings.BLOG_ENGINE = blog_settings(before_publish=hook)

    with refused(ValidationFailed, ["body"]):
        update(post, body="Other.", change="maintenance")


@requirement("posts.body.kept")
def test_a_repeated_adoption_does_not_take_the_body_away() -> None:
    adopt(ARTICLE, body="Words.")

    with refused(ValidationFailed, ["body"]):
        adopt(ARTICLE, body=" ")


@requirement("posts.body.kept")
@pytest.mark.parametrize("fields", EMPTY[:6])
@pytest.mark.parametrize("state", STATES)
def test_a_post_without_a_body_is_edited_otherwise(state: str, fields: dict[str, Any]) -> None:
    post = STATES[state](body="")

    written = update(post, description="Words.", change="maintenance", **fields)

    assert written.post.description == "Words."
    assert ("body_absent", "body") in [(one.code, one.location) for one in written.findings]


@requirement("posts.body.kept")
@pytest.mark.parametrize(
    "prepare",
    [lambda: save(body=BODY).post, lambda: unpublish(public()).post, lambda: remove(public()).post],
    ids=["draft", "unpublished", "archived"],
)
def test_the_body_of_any_other_post_can_be_taken_away(prepare: Callable[[], Post]) -> None:
    written = update(prepare(), actor=EDITOR, body="")

    assert written.post.body == ""
    # An archived post has no findings (findings.archived).
    is_found = "body_absent" in [one.code for one in written.findings]
    assert is_found is (written.post.status != PostStatus.ARCHIVED)


@requirement("findings.body")
def test_a_release_without_a_body_and_a_draft_without_one_say_so() -> None:
    drafted = save(title="Empty")
    released = publish(drafted.post)
    created = save(title="Empty, too", publish=True)
    planned = publish(save(title="Soon").post, publish_at=DUE, now=NOW)

    for written in (drafted, released, created, planned):
        assert ("body_absent", "body") in [(one.code, one.location) for one in written.findings]
