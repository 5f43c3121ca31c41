"""Whatever is sent, the endpoint answers with valid JSON-RPC and never with a server error."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as fuzzed
from hypothesis import strategies as st
from pytest_django import Settings

from blog_engine.mcp.registry import TOOLS
from tests.mcp.random_messages import (
    METHODS,
    SLOW,
    anything,
    fields,
    headers,
    of_the_transport,
    params,
    spoilt,
    texts,
    written,
)
from tests.requirements import requirement
from tests.support.clients import (
    CAPABILITIES_KEY,
    MCP,
    STATELESS,
    VERSION_KEY,
    assert_json,
    header_value,
    post,
    refusal_in,
)

pytestmark = [pytest.mark.django_db, pytest.mark.heavy]

CODES = {-32700, -32600, -32601, -32602, -32020, -32022, -32002}

some = fuzzed(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(autouse=True)
def uncounted(settings: Settings) -> None:
    settings.RATELIMIT_ENABLE = False


def check_answer(answer: HttpResponse, sent: bytes) -> None:
    """Check for an empty 202, or one JSON-RPC response with the status of its code and the id of the request."""
    assert answer.status_code in {200, 202, 400, 404}
    assert answer.headers["Cache-Control"] == "no-store"
    if answer.status_code == 202:
        assert answer.content == b""
        return
    assert_json(answer)
    body = json.loads(answer.content, parse_constant=pytest.fail)
    assert body["jsonrpc"] == "2.0"
    assert body.keys() in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
    assert type(body["id"]) in {str, int, type(None)}
    if "result" in body:
        assert answer.status_code == 200
        assert body["id"] == json.loads(sent)["id"]
    else:
        assert body["error"]["code"] in CODES
        assert answer.status_code in ({200, 404} if body["error"]["code"] == -32601 else {200, 400})


@requirement("agents.messages.malformed")
@some
@given(body=written, headers=headers)
def test_any_message_is_answered(agent: Client, body: bytes, headers: dict[str, str]) -> None:
    check_answer(post(agent, body, headers), body)


@requirement("agents.messages.malformed")
@some
@given(body=spoilt() | st.binary(max_size=200), headers=headers)
def test_any_bytes_are_answered(agent: Client, body: bytes, headers: dict[str, str]) -> None:
    check_answer(post(agent, body, headers), body)


@requirement("agents.messages.malformed", "agents.stateless.headers")
@some
@given(method=st.sampled_from(METHODS) | texts, params=params, id=st.integers(-9, 9) | texts)
def test_any_request_that_describes_itself_is_answered(agent: Client, method: str, params: Any, id: str | int) -> None:
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    params["_meta"] = {VERSION_KEY: STATELESS, CAPABILITIES_KEY: {}}
    named = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}.get(method, "none")
    headers = {
        "MCP-Protocol-Version": STATELESS,
        "Mcp-Method": method,
        "Mcp-Name": header_value(str(params.get(named))),
    }

    answer = post(agent, message, headers)

    check_answer(answer, json.dumps(message).encode())
    assert answer.status_code != 202


@requirement("agents.messages.malformed")
@some
@given(tool=st.sampled_from(sorted(TOOLS.keys() - SLOW)), arguments=st.dictionaries(fields, anything, max_size=5))
def test_any_arguments_are_answered_by_the_tool(agent: Client, tool: str, arguments: dict[str, Any]) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    sent = json.dumps(message).encode()

    answer = post(agent, sent)

    check_answer(answer, sent)
    body = json.loads(answer.content)
    # Invalid JSON, such as NaN, does not reach the tool.
    assert body.get("error", {}).get("code") == -32700 or isinstance(body["result"]["structuredContent"], dict)


@requirement("agents.messages.malformed", "agents.transport-refusals")
@some
@given(body=written, headers=headers, transport=of_the_transport, path=st.sampled_from([MCP, f"{MCP}/", f"{MCP}?a=b"]))
def test_any_headers_are_answered(
    agent: Client, body: bytes, headers: dict[str, str], transport: dict[str, str], path: str
) -> None:
    length = transport.get("Content-Length")
    if length is not None and length.isdecimal() and int(length) > len(body):
        transport["Content-Length"] = str(len(body))

    answer = agent.generic("POST", path, body, content_type="application/json", headers=headers | transport)

    if answer.status_code in {401, 403, 411, 413, 415, 422}:
        assert refusal_in(answer)
    else:
        check_answer(answer, body[: int(length)] if length and length.isdecimal() else body)
