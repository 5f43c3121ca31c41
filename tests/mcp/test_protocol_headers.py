"""How headers of stateless requests can be written, and what they must repeat."""

from base64 import b64encode
from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    STATELESS,
    call_of,
    error_of,
    post,
    request,
    result_of,
    stateless,
)
from tests.support.factories import save

pytestmark = pytest.mark.django_db

CALL = call_of("blog_list_posts")
SAVE = call_of("blog_save_draft", {"title": "Frost"})
MISMATCH = (400, HEADER_MISMATCH, None)


@requirement("agents.stateless.headers")
@pytest.mark.parametrize("spell", [str.lower, str.upper, str.title], ids=["lower", "upper", "title"])
def test_names_of_headers_can_be_written_in_any_case(agent: Client, spell: Any) -> None:
    message, headers = stateless(CALL)

    assert result_of(post(agent, message, {spell(name): value for name, value in headers.items()}))["isError"] is False


@requirement("agents.stateless.headers")
@pytest.mark.parametrize("space", [" {}", "{} ", "\t{}\t", "  {}  "])
def test_white_space_around_values_does_not_count(agent: Client, space: str) -> None:
    message, headers = stateless(CALL)

    spaced = {name: space.format(value) for name, value in headers.items()}

    assert result_of(post(agent, message, spaced))["isError"] is False


@requirement("agents.stateless.headers")
def test_a_name_can_be_sent_in_base64(agent: Client) -> None:
    message, headers = stateless(CALL)
    encoded = b64encode(b"blog_list_posts").decode()

    assert result_of(post(agent, message, headers | {"Mcp-Name": f"=?base64?{encoded}?="}))["isError"] is False


@requirement("agents.stateless.headers", "agents.messages.unknown-tool")
@pytest.mark.parametrize("name", ["Übersicht", "\U0001f33b", " x ", "a\nb", "=?base64?eA==?=", "", "\x00"], ids=ascii)
def test_other_than_plain_ascii_is_compared_decoded(agent: Client, name: str) -> None:
    assert error_of(post(agent, *stateless(call_of(name)))) == (400, INVALID_PARAMS, {"name": name})


@requirement("agents.stateless.headers")
def test_faulty_base64_repeats_nothing_not_even_itself(agent: Client) -> None:
    message, headers = stateless(call_of("=?base64?!!!!?="))

    assert error_of(post(agent, message, headers | {"Mcp-Name": "=?base64?!!!!?="})) == MISMATCH


@requirement("agents.stateless.headers")
@pytest.mark.parametrize(
    ("method", "params", "name"),
    [
        ("tools/call", {"name": "blog_list_posts"}, "blog_list_posts"),
        ("prompts/get", {"name": "publish"}, "publish"),
        ("resources/read", {"uri": "blog://posts/frost.md"}, "blog://posts/frost.md"),
    ],
)
def test_what_is_named_is_repeated(agent: Client, method: str, params: dict[str, Any], name: str) -> None:
    save(slug="frost")
    message, headers = stateless(request(method, params))
    assert headers["Mcp-Name"] == name

    assert result_of(post(agent, message, headers))["resultType"] == "complete"
    assert error_of(post(agent, message, headers | {"Mcp-Name": "other"})) == MISMATCH
    del headers["Mcp-Name"]
    assert error_of(post(agent, message, headers)) == MISMATCH


@requirement("agents.stateless.headers")
@pytest.mark.parametrize("method", ["tools/list", "prompts/list", "server/discover"])
@pytest.mark.parametrize("params", [{"name": "x"}, {"uri": "x"}, {"": "x"}], ids=str)
@pytest.mark.parametrize("more", [{}, {"Mcp-Name": "other"}], ids=str)
def test_methods_about_nothing_in_particular_need_no_name(
    agent: Client, method: str, params: dict[str, Any], more: dict[str, str]
) -> None:
    message, headers = stateless(request(method, params))

    assert result_of(post(agent, message, headers | more))["resultType"] == "complete"


@requirement("agents.stateless.headers")
@pytest.mark.parametrize("params", [{}, {"name": None}], ids=str)
def test_a_name_that_is_missing_is_a_fault_of_the_parameters(agent: Client, params: dict[str, Any]) -> None:
    assert error_of(post(agent, *stateless(request("tools/call", params)))) == (400, INVALID_PARAMS, None)


@requirement("agents.messages.stateless-status", "agents.messages.unknown-method", "agents.handshake.ping")
@pytest.mark.parametrize(
    "method",
    ["ping", "initialize", "logging/setLevel", "resources/subscribe", "tools/none", "", "Tools/List", "\u00e9"],
)
def test_an_unknown_method_is_not_found(agent: Client, method: str) -> None:
    assert error_of(post(agent, *stateless(request(method, id="a"))), id="a") == (404, METHOD_NOT_FOUND, None)


@requirement("agents.versions", "agents.handshake")
@pytest.mark.parametrize("version", [None, STATELESS, "2024-11-05", "2099-01-01", "", "2025-06-18"])
def test_a_bare_initialize_is_the_handshake_whatever_its_header(agent: Client, version: str | None) -> None:
    message = request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x"}})

    answer = post(agent, message, {} if version is None else {"MCP-Protocol-Version": version})

    assert result_of(answer)["protocolVersion"] == "2025-06-18"


@requirement("agents.stateless.headers")
@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Mcp-Method", None),
        ("Mcp-Method", ""),
        ("Mcp-Method", "tools/list"),
        ("Mcp-Method", "TOOLS/CALL"),
        ("Mcp-Method", "tools/call, tools/call"),
        ("Mcp-Method", "=?base64?dG9vbHMvY2FsbA==?="),
        ("Mcp-Name", None),
        ("Mcp-Name", ""),
        ("Mcp-Name", "blog_list_posts"),
        ("Mcp-Name", "Blog_save_draft"),
        ("Mcp-Name", "blog_save_draft,blog_save_draft"),
        ("Mcp-Name", '"blog_save_draft"'),
        ("Mcp-Name", "=?base64??="),
        ("Mcp-Name", "=?base64?YmxvZ19zYXZlX2RyYWZ0"),
        ("Mcp-Name", "=?BASE64?YmxvZ19zYXZlX2RyYWZ0?="),
        ("Mcp-Name", "=?base64?YmxvZ19zYXZlX2RyYWZ?="),
        ("Mcp-Name", "=?base64?YmxvZ19z YXZlX2RyYWZ0?="),
        ("Mcp-Name", "=?base64?YmxvZ19zYXZlX2RyYWZ0=?="),
        ("Mcp-Name", "=?base64?!!!!?="),
        ("Mcp-Name", "=?base64?é?="),
        ("Mcp-Name", "=?base64?/w==?="),
        ("Mcp-Name", "=?base64?7aCA?="),
        ("Mcp-Name", "=?utf-8?B?YmxvZ19zYXZlX2RyYWZ0?="),
        ("Mcp-Name", "=?base64?YmxvZ19saXN0X3Bvc3Rz?="),
    ],
)
def test_a_header_that_does_not_repeat_the_body_is_a_mismatch(agent: Client, header: str, value: str | None) -> None:
    message, headers = stateless(SAVE)
    del headers[header]

    answer = post(agent, message, headers if value is None else headers | {header: value})

    assert error_of(answer) == MISMATCH
    assert not Post.objects.exists()
