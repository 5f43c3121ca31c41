"""Attempts to publish what no person approved, over HTTP and at once, on a blog where only people approve."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from blog_engine.actor import Actor
from blog_engine.enums import ActorKind
from blog_engine.models import ApiToken, Approval, Post, Publication
from tests.admin.desk import EDITOR, desk, url
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.clients import client_with, refusal_in
from tests.support.factories import save, update
from tests.support.hosts import blog_settings

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

API = "/blog/api/v1/posts"
AI: dict[str, Any] = {"provenance": "ai_assisted", "made_by_ai": True, "body": "It leaves at ten."}
REQUIRED, INCOMPLETE = (422, "approval_required", []), (422, "approval_incomplete", [])
BOT = Actor("Bot", id="token:3", kind=ActorKind.TOKEN)


@pytest.fixture(autouse=True)
def strict(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(approvals_by="people", require_approval=True)


@pytest.fixture
def agent() -> Client:
    return client_with("read", "write", "publish")


def sent(client: Client, path: str, **fields: Any) -> HttpResponse:
    return client.post(f"{API}{path}", fields, content_type="application/json")


def publish(client: Client, post: Post, **fields: Any) -> HttpResponse:
    return sent(client, f"/{post.pk}/publish", **fields)


def signature(post: Post, **fields: Any) -> dict[str, Any]:
    seen = {"expected_version": post.version, "seen_status": post.status, "then": "nothing"}
    return {"revision_identifier": post.current_revision_identifier, "facts_checked": "yes"} | seen | fields


def assert_unpublished() -> None:
    assert not Publication.objects.exists()
    assert not Approval.objects.filter(actor_kind="person").exists()


@requirement("approvals.people")
def test_one_call_does_not_write_sign_and_publish(agent: Client) -> None:
    invented = {"name": "Nobody Inparticular", "facts_checked": True}

    answer = sent(agent, "", title="T", publish=True, approval=invented, **AI)

    assert refusal_in(answer) == INCOMPLETE
    assert not Post.objects.exists()


@requirement("approvals.people", "access.tokens.names")
def test_a_token_that_was_made_before_the_user_signs_nothing(agent: Client) -> None:
    get_user_model().objects.create_user("vera", first_name="Vera", last_name="Example")
    ApiToken.objects.update(name="Vera Example")
    post = save(**AI).post

    answer = sent(
        agent,
        f"/{post.pk}/approvals",
        name="Vera Example",
        facts_checked=True,
        revision_identifier=post.current_revision_identifier,
    )

    assert refusal_in(answer) == INCOMPLETE
    assert refusal_in(publish(agent, post)) == REQUIRED
    assert_unpublished()


@requirement("approvals.people.counted")
def test_no_old_approval_publishes(agent: Client, settings: Settings) -> None:
    post, other = save(**AI).post, save(slug="other", **AI).post
    strict = settings.BLOG_ENGINE
    settings.BLOG_ENGINE = blog_settings(approvals_by="anyone")
    fields = {"name": "Vera Example", "facts_checked": True}
    for one in (post, other):
        sent(agent, f"/{one.pk}/approvals", revision_identifier=one.current_revision_identifier, **fields)
    assert Approval.objects.count() == 2

    settings.BLOG_ENGINE = strict

    assert refusal_in(publish(agent, post)) == REQUIRED
    assert_unpublished()


@requirement("approvals.people.counted")
def test_no_approval_of_another_post_or_text_publishes(agent: Client) -> None:
    editor = desk(*EDITOR, name="Ed Editor")
    post, other = save(**AI).post, save(slug="other", **AI).post
    assert editor.post(url("post_review", other.pk), signature(other)).status_code == 302
    assert refusal_in(publish(agent, post)) == REQUIRED

    assert editor.post(url("post_review", post.pk), signature(post)).status_code == 302
    assert refusal_in(publish(agent, post, body="It leaves at nine.")) == REQUIRED
    assert refusal_in(publish(agent, post, body="It leaves at nine.", approval={"facts_checked": True})) == INCOMPLETE
    assert publish(agent, post).status_code == 200


@requirement("approvals.people")
def test_a_signature_that_waits_for_the_end_of_the_account_is_refused(held: Held) -> None:
    editor = desk(*EDITOR, name="Ed Editor")
    post = save(**AI).post

    def shut_out() -> Any:
        # In the transaction that holds the post, so that the request passed the sign-in before.
        update(post, featured=True)
        return get_user_model().objects.update(is_active=False)

    answer: Any
    _, answer = race(held, slowly(held, shut_out), lambda: editor.post(url("post_review", post.pk), signature(post)))

    assert answer.status_code == 200
    assert b"Only a person with an active account" in answer.content
    assert not Approval.objects.exists()


@requirement("approvals.people")
def test_a_publication_that_waits_for_a_person_is_published(held: Held, agent: Client) -> None:
    editor = desk(*EDITOR, name="Ed Editor")
    post = save(**AI).post

    answer: Any
    signed: Any
    signed, answer = race(
        held,
        slowly(held, lambda: editor.post(url("post_review", post.pk), signature(post))),
        lambda: publish(agent, post),
    )

    assert (signed.status_code, answer.status_code) == (302, 200)
    assert Approval.objects.get().actor_kind == "person"


@requirement("approvals.people")
def test_a_text_that_changes_under_the_signature_is_not_published(held: Held, agent: Client) -> None:
    editor = desk(*EDITOR, name="Ed Editor")
    post = save(**AI).post

    answer: Any
    _, answer = race(
        held,
        slowly(held, lambda: update(post, body="It leaves at nine.", actor=BOT)),
        lambda: editor.post(url("post_review", post.pk), signature(post, then="publish")),
    )

    assert answer.status_code == 200
    assert refusal_in(publish(agent, post)) == REQUIRED
    assert_unpublished()


@requirement("approvals.distinct")
def test_the_writer_does_not_sign_while_another_writes(held: Held, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(distinct_reviewer=True)
    editor = desk(*EDITOR, name="Ed Editor")
    me = Actor("Ed Editor", kind=ActorKind.PERSON, user_id=get_user_model().objects.get().pk)
    post = save(actor=BOT, **AI).post

    answer: Any

    # The one who signs becomes the writer of this very content in between.
    def rewrite() -> Any:
        update(post, body="It leaves at nine.", actor=BOT)
        return update(post, body=AI["body"], actor=me)

    _, answer = race(held, slowly(held, rewrite), lambda: editor.post(url("post_review", post.pk), signature(post)))

    assert b"You wrote this version" in answer.content
    assert not Approval.objects.exists()


@requirement("approvals.people")
def test_of_many_agents_at_once_none_publishes() -> None:
    agents = [client_with("read", "write", "publish") for _ in range(4)]
    post = save(**AI).post
    invented = {"name": "Vera Example", "facts_checked": True}

    answers = together(
        *(lambda client=client: publish(client, post, approval=invented) for client in agents[:2]),
        *(lambda client=client: publish(client, post) for client in agents[2:]),
    )

    assert {one.status_code for one in answers if isinstance(one, HttpResponse)} == {422}
    assert_unpublished()


def _by_hook(request: Any) -> Any:
    kind, _, user_id = request.headers["X-Caller"].partition(" ")
    scopes = ("read", "write", "publish")
    return type("Caller", (), {"name": "Vera Example", "scopes": scopes, "kind": kind, "user_id": user_id or None})


def _by_id(request: Any) -> Any:
    return type("Caller", (), {"name": "Vera Example", "id": request.headers["X-Caller"]})


@requirement("approvals.people", "access.hook")
def test_a_hook_vouches_for_a_person_with_an_account(settings: Settings) -> None:
    user = get_user_model().objects.create_user("vera", first_name="Vera", last_name="Example")
    gone = get_user_model().objects.create_user("gone", first_name="Vera", last_name="Example", is_active=False)
    post = save(**AI).post
    checked = {"approval": {"facts_checked": True}}

    settings.BLOG_ENGINE = blog_settings(authenticate=_by_id)
    for false_id in (f"user:{user.pk}", f"person:{user.pk}", "user:0"):
        answer = publish(Client(headers={"X-Caller": false_id}), post, **checked)
        assert refusal_in(answer) == INCOMPLETE

    settings.BLOG_ENGINE = blog_settings(authenticate=_by_hook)
    for caller in (f"token {user.pk}", f"Person {user.pk}", "person 0", f"person {gone.pk}", "person x"):
        assert refusal_in(publish(Client(headers={"X-Caller": caller}), post, **checked)) == INCOMPLETE
    assert_unpublished()

    assert publish(Client(headers={"X-Caller": f"person {user.pk}"}), post, **checked).status_code == 200
    assert (Approval.objects.get().reviewer_name, Approval.objects.get().actor_id) == (
        "Vera Example",
        f"user:{user.pk}",
    )
