"""A response has the id of its request, and strings come back unchanged."""

import json

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    RESOURCE_NOT_FOUND,
    call_of,
    error_of,
    post,
    request,
    result_of,
    stateless,
)

pytestmark = pytest.mark.django_db


@requirement("agents.messages.ids", "agents.messages.notification")
@pytest.mark.parametrize("id", [None, True, False, 1.5, {}, []], ids=json.dumps)
def test_an_id_that_is_none_does_not_make_a_notification(agent: Client, id: object) -> None:
    answer = post(agent, call_of("blog_save_draft", {"title": "Frost"}) | {"id": id})

    assert error_of(answer, id=None) == (200, INVALID_REQUEST, None)
    assert not Post.objects.exists()


@requirement("agents.messages.ids")
@pytest.mark.parametrize(
    "id",
    [0, -1, 2**63 - 1, -(2**63), "", "0", "a" * 10_000, "é", "\U0001f33b", "\x00", "\u2028", '"', "null"],
    ids=lambda id: repr(id)[:20],
)
@pytest.mark.parametrize("family", ["handshake", "stateless"])
def test_an_answer_has_the_id_of_its_request(agent: Client, family: str, id: object) -> None:
    good, bad = request("prompts/list", id=id), request("no/such", id=id)

    if family == "handshake":
        answers = post(agent, good), post(agent, bad)
    else:
        answers = post(agent, *stateless(good)), post(agent, *stateless(bad))

    assert result_of(answers[0], id=id)["prompts"]
    assert error_of(answers[1], id=id)[1] == METHOD_NOT_FOUND


HALF = "\ud83c"


@requirement("agents.messages.ids", "agents.messages.malformed")
@pytest.mark.parametrize("described", [False, True])
@pytest.mark.parametrize("half", [HALF, "\udf3b", f"a{HALF}", "\udf3b\ud83c"], ids=ascii)
def test_half_of_a_pair_goes_out_as_it_came(agent: Client, half: str, described: bool) -> None:
    messages = [
        request("prompts/list", id=half),
        request(f"no/{half}", id=half),
        request("tools/call", {"name": half}, id=half),
        request("prompts/get", {"name": half}, id=half),
        request("resources/read", {"uri": f"blog://posts/{half}.md"}, id=half),
    ]

    answers = [post(agent, *stateless(each)) if described else post(agent, each) for each in messages]

    assert result_of(answers[0], id=half)["prompts"]
    codes = [error_of(answer, id=half)[1] for answer in answers[1:]]
    if not described:
        assert codes == [METHOD_NOT_FOUND, INVALID_PARAMS, INVALID_PARAMS, RESOURCE_NOT_FOUND]
        assert error_of(answers[2], id=half)[2] == {"name": half}


@requirement("agents.messages.malformed")
@pytest.mark.parametrize(
    ("arguments", "details"),
    [({"title": HALF}, ["title"]), ({"title": "Frost", "body": f"x{HALF}"}, ["body"]), ({"tags": [HALF]}, ["tags"])],
)
def test_half_of_a_pair_in_an_argument_is_a_refusal(agent: Client, arguments: object, details: list[str]) -> None:
    result = result_of(post(agent, call_of("blog_save_draft", arguments)))

    assert result["isError"] is True
    error = result["structuredContent"]["error"]
    assert error["code"] == "validation_failed"
    assert set(details) <= set(error["details"])
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    assert not Post.objects.exists()
