"""The house style as agents read it: page, resource, instructions."""

import pytest
from django.test import Client

from blog_engine.models import Category
from tests.requirements import requirement
from tests.support.clients import (
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    ask,
    client_with,
    error_of,
    post,
    request,
    stateless,
)
from tests.support.styles import write_style

pytestmark = pytest.mark.django_db

URI = "blog://house-style"
IN_WORDS = """\
# House style

## Tone

Calm, *short*.

## Terms

- Write “sign in”, not “login”. Readers know it.
- Avoid “utilize\\_it”.

## Form

- The body has 300 to 900 words.
- A heading “Sources”.
- A heading “Method”, in posts of the category “Tests”.
- At least 2 links to different pages on other sites.
- The description has at most 160 characters.
"""


@pytest.fixture
def style() -> None:
    tests = Category.objects.create(name="Tests", slug="tests")
    write_style(
        tone="Calm, *short*.\n",
        terms=[{"avoid": "login", "use": "sign in", "reason": "Readers know it."}, {"avoid": "utilize_it"}],
        sections=[{"heading": "Sources"}, {"heading": "Method", "category": tests.pk}],
        least_words=300,
        most_words=900,
        least_sources=2,
        most_description=160,
    )


@requirement("style.page", "style.resource")
def test_the_page_and_the_resource_have_the_rules_in_words(style: None, agent: Client) -> None:
    page = client_with("read").get("/blog/api/v1/pages/house_style").json()
    called = ask(agent, "tools/call", {"name": "blog_get_site_page", "arguments": {"kind": "house_style"}})
    (content,) = ask(agent, "resources/read", {"uri": URI})["contents"]

    assert page["body"] == content["text"] == IN_WORDS
    assert called["structuredContent"] == page
    assert (page["kind"], page["status"], page["title"]) == ("house_style", "draft", "House style")
    assert (content["uri"], content["mimeType"]) == (URI, "text/markdown")
    assert ask(agent, "resources/list")["resources"][0]["uri"] == URI


@requirement("style.page")
def test_readers_never_get_it_and_callers_do_not_write_it(style: None, agent: Client) -> None:
    api = client_with("read", "write", "publish")

    assert api.get("/blog/policies/house-style").status_code == 404
    assert api.get("/blog/api/v1/pages").json()["pages"] == []
    answer = api.put("/blog/api/v1/pages/house_style", {"title": "Mine"}, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["details"]) == (422, ["kind"])
    assert client_with("write").get("/blog/api/v1/pages/house_style").status_code == 403


@requirement("style.instructions", "style.off")
@pytest.mark.parametrize("is_written", [False, True])
def test_the_instructions_lead_to_it_while_there_is_one(agent: Client, is_written: bool) -> None:
    write_style(**({"tone": "Calm."} if is_written else {}))

    told = [
        ask(agent, "initialize")["instructions"],
        post(agent, *stateless(request("server/discover"))).json()["result"]["instructions"],
    ]

    assert [URI in text for text in told] == [is_written] * 2
    assert all(len(text) < 2900 for text in told)


@requirement("style.off", "style.resource")
def test_without_one_there_is_no_page_and_no_resource(agent: Client) -> None:
    write_style()

    assert client_with("read").get("/blog/api/v1/pages/house_style").json()["error"]["code"] == "not_found"
    assert URI not in str(ask(agent, "resources/list"))
    assert error_of(post(agent, request("resources/read", {"uri": URI})))[1] == RESOURCE_NOT_FOUND
    assert error_of(post(agent, *stateless(request("resources/read", {"uri": URI}))))[1] == INVALID_PARAMS


@requirement("style.resource")
def test_the_resource_needs_the_scope_read(style: None) -> None:
    assert error_of(post(client_with("write"), request("resources/read", {"uri": URI})))[1] == RESOURCE_NOT_FOUND
