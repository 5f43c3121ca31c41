"""The version family of a request, and what a stateless request must contain."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import (
    CAPABILITIES_KEY,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    META,
    STATELESS,
    UNSUPPORTED_VERSION,
    VERSION_KEY,
    call_of,
    error_of,
    post,
    request,
    result_of,
    stateless,
)

pytestmark = pytest.mark.django_db

SUPPORTED = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
VERSION = "MCP-Protocol-Version"
LIST = request("tools/list")
SAVE = call_of("blog_save_draft", {"title": "Frost"})
MISMATCH = (400, HEADER_MISMATCH, None)


def unsupported(version: str) -> tuple[int, int, Any]:
    return 400, UNSUPPORTED_VERSION, {"supported": SUPPORTED, "requested": version}


def meta_of(version: object) -> dict[str, Any]:
    return {**META, VERSION_KEY: version}


@requirement("agents.versions")
@pytest.mark.parametrize("header", [None, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", " 2025-06-18\t"])
@pytest.mark.parametrize("meta", [None, {}, {"progressToken": 1}, {CAPABILITIES_KEY: {}}], ids=str)
def test_handshake_versions_need_no_meta(agent: Client, header: str | None, meta: object) -> None:
    message = LIST if meta is None else request("tools/list", {"_meta": meta})

    result = result_of(post(agent, message, {} if header is None else {VERSION: header}))

    assert result.keys() == {"tools"}


@requirement("agents.handshake.oldest")
def test_the_oldest_version_works_over_this_transport(agent: Client) -> None:
    hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    oldest = {VERSION: "2024-11-05"}

    assert result_of(post(agent, request("initialize", hello)))["protocolVersion"] == "2024-11-05"
    for method in ("tools/list", "prompts/list", "resources/list", "ping"):
        assert "resultType" not in result_of(post(agent, request(method), oldest))
    assert not result_of(post(agent, SAVE, oldest))["isError"]
    assert Post.objects.exists()
    assert agent.get("/blog/mcp", headers={"Accept": "text/event-stream"}).status_code == 405


@requirement("agents.versions")
@pytest.mark.parametrize("meta", [None, [], "x", 1, True, [VERSION_KEY]], ids=str)
def test_a_meta_that_is_not_an_object_is_ignored(agent: Client, meta: object) -> None:
    assert result_of(post(agent, request("tools/list", {"_meta": meta}))).keys() == {"tools"}


@requirement("agents.versions")
def test_a_request_with_a_version_in_meta_is_stateless(agent: Client) -> None:
    assert result_of(post(agent, *stateless(LIST)))["resultType"] == "complete"


@requirement("agents.versions", "agents.stateless.headers")
@pytest.mark.parametrize(
    ("header", "version"),
    [
        (None, STATELESS),
        ("2025-11-25", STATELESS),
        ("2025-06-18", STATELESS),
        ("2099-01-01", STATELESS),
        (STATELESS, "2025-11-25"),
        (STATELESS, "2099-01-01"),
        (STATELESS, "2026-07-28 "),
        (STATELESS, None),
        (STATELESS, 20260728),
        (STATELESS, [STATELESS]),
        (None, None),
        (None, "2025-11-25"),
        ("2025-11-25", "2025-06-18"),
        ("", STATELESS),
        ("2026-07-28, 2026-07-28", STATELESS),
        ("2026-07-28\x00", STATELESS),
    ],
)
def test_header_and_body_that_disagree_are_a_mismatch(agent: Client, header: str | None, version: object) -> None:
    message, headers = stateless(SAVE, meta_of(version))
    del headers[VERSION]

    answer = post(agent, message, headers if header is None else headers | {VERSION: header})

    assert error_of(answer) == MISMATCH
    assert not Post.objects.exists()


@requirement("agents.versions.unknown", "agents.messages.stateless-status")
@pytest.mark.parametrize("version", ["2024-10-07", "2026-07-29", "2099-01-01", "DRAFT-2026-v1", "1", "", "x" * 10_000])
@pytest.mark.parametrize(
    "message", [LIST, SAVE, request("ping"), request("no/such"), request("tools/list", {"_meta": {}})]
)
def test_a_header_of_an_unknown_version_alone_is_unsupported(
    agent: Client, message: dict[str, Any], version: str
) -> None:
    assert error_of(post(agent, message, {VERSION: version})) == unsupported(version)
    assert not Post.objects.exists()


@requirement("agents.versions.unknown")
def test_one_version_twice_in_a_header_is_unsupported(agent: Client) -> None:
    answer = post(agent, LIST, {VERSION: "2025-06-18, 2025-06-18"})

    assert error_of(answer) == unsupported("2025-06-18, 2025-06-18")


@requirement("agents.stateless.version", "agents.versions")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-11-25", "2026-07-29", "2099-01-01", "", "é"])
@pytest.mark.parametrize("message", [LIST, SAVE, request("server/discover"), request("initialize")])
def test_a_version_in_meta_must_be_stateless(agent: Client, message: dict[str, Any], version: str) -> None:
    described, headers = stateless(message, meta_of(version))

    assert error_of(post(agent, described, headers | {VERSION: version})) == unsupported(version)
    assert not Post.objects.exists()


@requirement("agents.stateless.meta")
@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"_meta": None},
        {"_meta": {}},
        {"_meta": []},
        {"_meta": "x"},
        {"_meta": {VERSION_KEY: STATELESS}},
        {"_meta": {CAPABILITIES_KEY: {}}},
        {"_meta": {VERSION_KEY: STATELESS, CAPABILITIES_KEY: None}},
        {"_meta": {VERSION_KEY: STATELESS, CAPABILITIES_KEY: []}},
        {"_meta": {VERSION_KEY: STATELESS, CAPABILITIES_KEY: "x"}},
        {"_meta": {VERSION_KEY: STATELESS, CAPABILITIES_KEY: True}},
        {"_meta": {VERSION_KEY.upper(): STATELESS, CAPABILITIES_KEY: {}}},
        {"_meta": {"protocolVersion": STATELESS, "clientCapabilities": {}}},
        {VERSION_KEY: STATELESS, CAPABILITIES_KEY: {}},
    ],
    ids=str,
)
def test_a_request_with_only_part_of_meta_is_invalid(agent: Client, params: object) -> None:
    _, headers = stateless(LIST)

    assert error_of(post(agent, request("tools/list", params), headers)) == (400, INVALID_PARAMS, None)


@requirement("agents.stateless.meta")
def test_meta_is_checked_before_the_headers_and_these_before_the_version(agent: Client) -> None:
    in_part = request("tools/list", {"_meta": {VERSION_KEY: "2099-01-01"}})
    unknown, headers = stateless(LIST, meta_of("2099-01-01"))

    assert error_of(post(agent, in_part, {VERSION: "2099-01-01"}))[1] == INVALID_PARAMS
    assert error_of(post(agent, unknown, {**headers, VERSION: "2098-01-01"})) == MISMATCH
    assert error_of(post(agent, unknown, {VERSION: "2099-01-01"})) == MISMATCH


@requirement("agents.stateless.meta")
@pytest.mark.parametrize(
    "more", [{}, {"io.modelcontextprotocol/clientInfo": {"name": "x"}}, {"traceparent": "x"}], ids=str
)
@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {}, "x": [1]}], ids=str)
def test_the_rest_of_meta_is_free(agent: Client, more: Mapping[str, Any], capabilities: object) -> None:
    described = stateless(LIST, {**META, **more, CAPABILITIES_KEY: capabilities})

    assert result_of(post(agent, *described))["tools"]
