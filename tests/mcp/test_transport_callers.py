"""Who can call the endpoint, and how other callers are refused."""

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import (
    ask,
    call_of,
    client_with,
    notification,
    post,
    refusal_in,
    stateless,
    tool_refusal,
)

pytestmark = pytest.mark.django_db

SAVE = call_of("blog_save_draft", {"title": "Frost"})
UNKNOWN = (401, "unauthenticated", [])


@requirement("agents.unauthenticated")
def test_a_stateless_request_needs_a_token() -> None:
    message, headers = stateless(SAVE)

    answers = [post(Client(), message, headers | sent) for sent in ({}, {"Authorization": "Bearer be_wrong"})]

    assert [refusal_in(answer) for answer in answers] == [UNKNOWN] * 2
    assert not Post.objects.exists()


@requirement("agents.unauthenticated")
def test_a_token_without_any_scope_is_a_caller_all_the_same() -> None:
    client = client_with()

    assert ask(client, "ping") == {}
    assert ask(client, "tools/list")["tools"]
    assert tool_refusal(client, "blog_list_posts") == ("scope_required", ["read"])


@requirement("agents.unauthenticated", "agents.messages.notification")
def test_a_notification_without_a_token_runs_nothing() -> None:
    answer = post(Client(), notification("tools/call", SAVE["params"]))

    assert refusal_in(answer) == UNKNOWN
    assert not Post.objects.exists()


@requirement("agents.unauthenticated")
def test_nothing_in_a_request_makes_a_caller_of_the_engine_itself() -> None:
    described, headers = stateless(SAVE)
    described["params"]["_meta"] |= {"actor": "blog_doctor", "scopes": ["read", "write", "publish"]}
    forged = {"X-Actor": "blog_doctor", "X-Scopes": "read write publish", "X-Remote-User": "x", "Remote-User": "x"}

    assert refusal_in(post(Client(), described, headers | forged)) == UNKNOWN
