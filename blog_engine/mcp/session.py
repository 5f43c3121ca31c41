"""Answer the messages of MCP clients, and check that the endpoint does."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from blog_engine.actor import Actor, Call
from blog_engine.doctor.base import SelfCheck
from blog_engine.errors import RateLimited
from blog_engine.mcp.exchange import Exchange
from blog_engine.mcp.methods import run_method, tool_call_refusal
from blog_engine.mcp.protocol import (
    CAPABILITIES_KEY,
    HANDSHAKE_VERSIONS,
    METHOD_NOT_FOUND,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    VERSION_KEY,
    Message,
    ProtocolError,
    VersionFamily,
    check_stateless_request,
    encode,
    error_message,
    expects_no_answer,
    parse_message,
    read_message,
    request_id,
    result_message,
    version_family,
)
from blog_engine.mcp.registry import TOOLS


@dataclass(frozen=True, slots=True)
class Reply:
    """The status and body of an HTTP response; the body is empty for a notification."""

    status: int
    body: bytes = b""


_ACCEPTED = Reply(202)


def reply_to(raw: bytes, headers: Mapping[str, str], call: Call, *, request: HttpRequest | None = None) -> Reply:
    """Return the answer to the message in a body.

    ``headers`` are those of the request, whatever their case. A bug is reported with ``request``, if there is one.
    """
    value: object = None
    try:
        value = read_message(raw)
        message, family = _parse(value, headers)
        if message.is_notification:
            return _ACCEPTED
        return _answer(run_method(message, Exchange(family, call, request)), message)
    except ProtocolError as error:
        return _answer_error(error, value, headers)


def reply_past_the_limit(raw: bytes, headers: Mapping[str, str], excess: RateLimited) -> Reply | None:
    """Return the refusal as the result of a tool call; ``None`` for other messages."""
    try:
        message, family = _parse(read_message(raw), headers)
        result = tool_call_refusal(message, family, excess)
    except ProtocolError:
        return None
    return None if result is None else _answer(result, message)


def _parse(value: object, headers: Mapping[str, str]) -> tuple[Message, VersionFamily]:
    message, family = parse_message(value), version_family(value, headers)
    if family is VersionFamily.STATELESS:
        check_stateless_request(message, headers)
    return message, family


def _answer(result: Mapping[str, object], message: Message) -> Reply:
    return Reply(200, encode(result_message(result, id=message.id)))


def _answer_error(error: ProtocolError, value: object, headers: Mapping[str, str]) -> Reply:
    """Return an error with the status of its version family."""
    id = request_id(value)
    if version_family(value, headers) is VersionFamily.STATELESS:
        status = 404 if error.code == METHOD_NOT_FOUND else 400
    elif expects_no_answer(value):
        status, id = 400, None
    else:
        status = 400 if isinstance(value, list) else 200
    return Reply(status, encode(error_message(error, id=id)))


_ACTOR = Actor("blog_doctor", scopes=())
_TOOL = next(iter(TOOLS))
_HANDSHAKE_METHODS = ("initialize", "tools/list", "tools/call")
_STATELESS_METHODS = ("server/discover", "tools/list", "tools/call")
_EXCERPT_LENGTH = 200


def self_check() -> SelfCheck:
    """Introduce a client, list the tools and call one, with a version of each family.

    The caller has no scopes, so that the tool must refuse.
    """
    return SelfCheck(f"{len(TOOLS)} tools, protocol {', '.join(SUPPORTED_VERSIONS)}", tuple(_wrong_answers()))


def _wrong_answers() -> Iterator[str]:
    call = Call(actor=_ACTOR, now=timezone.now(), base_url="http://localhost")
    families = ((HANDSHAKE_VERSIONS[0], _HANDSHAKE_METHODS), (STATELESS_VERSIONS[0], _STATELESS_METHODS))
    for version, methods in families:
        for method in methods:
            body, headers = _request(method, version=version)
            reply = reply_to(body, headers, call)
            answer = json.loads(reply.body)
            if reply.status != 200 or not _is_expected(answer.get("result"), method):
                excerpt = reply.body[:_EXCERPT_LENGTH].decode(errors="replace")
                yield f"{method} ({version}) gets {reply.status} {excerpt}"


def _request(method: str, *, version: str) -> tuple[bytes, Mapping[str, str]]:
    params: dict[str, Any] = {"name": _TOOL} if method == "tools/call" else {}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": _TOOL}
    if version in STATELESS_VERSIONS:
        params["_meta"] = {VERSION_KEY: version, CAPABILITIES_KEY: {}}
    else:
        params["protocolVersion"] = version
    return encode({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), headers


def _is_expected(result: Any, method: str) -> bool:
    match method, result:
        case "tools/list", {"tools": tools}:
            return [tool["name"] for tool in tools] == list(TOOLS)
        case "tools/call", {"isError": True, "structuredContent": {"error": {"code": "scope_required"}}}:
            return True
        case "initialize" | "server/discover", {"capabilities": {"tools": _}}:
            return True
        case _:
            return False
