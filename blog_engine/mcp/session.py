"""A conversation with an MCP client: requests, notifications and the self-check."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from blog_engine.actor import Actor, Call
from blog_engine.doctor.base import Rehearsal
from blog_engine.errors import RateLimited, Unavailable
from blog_engine.http.faults import report_bug
from blog_engine.mcp.methods import Exchange, answer_method, decline_call
from blog_engine.mcp.protocol import (
    CAPABILITIES_KEY,
    HANDSHAKE_VERSIONS,
    METHOD_NOT_FOUND,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    VERSION_KEY,
    Era,
    Message,
    ProtocolFault,
    check_self_description,
    encoded,
    era_of,
    error,
    expects_no_answer,
    id_of,
    message_of,
    read_message,
    result,
)
from blog_engine.mcp.registry import TOOLS


@dataclass(frozen=True, slots=True)
class Reply:
    """The status and the body of an HTTP answer; a notification gets no body."""

    status: int
    body: bytes = b""


_ACCEPTED = Reply(202)


def reply_to(
    raw: bytes,
    headers: Mapping[str, str],
    call: Call,
    *,
    outage: Unavailable | None = None,
    on_bug: Callable[[Exception], None] = report_bug,
) -> Reply:
    """Read a message and answer it in its own era; ``headers`` are those of the request, whatever their case.

    A notification is accepted, and nothing is run for it. ``outage`` is why the request could not be counted;
    ``on_bug`` is told of an exception that stopped a tool.
    """
    value: object = None
    try:
        value = read_message(raw)
        message, era = _understood(value, headers)
        if message.is_notification:
            return _ACCEPTED
        return _answered(answer_method(message, Exchange(era, call, outage, on_bug)), message)
    except ProtocolFault as fault:
        return _refused(fault, value, headers)


def reply_past_the_limit(raw: bytes, headers: Mapping[str, str], excess: RateLimited) -> Reply | None:
    """Return the refusal as the result of the tool call that a message makes; ``None`` for any other message."""
    try:
        message, era = _understood(read_message(raw), headers)
        declined = decline_call(message, era, excess)
    except ProtocolFault:
        return None
    return None if declined is None else _answered(declined, message)


def _understood(value: object, headers: Mapping[str, str]) -> tuple[Message, Era]:
    message, era = message_of(value), era_of(value, headers)
    if era is Era.STATELESS:
        check_self_description(message, headers)
    return message, era


def _answered(value: Mapping[str, object], message: Message) -> Reply:
    return Reply(200, encoded(result(value, id=message.id)))


def _refused(fault: ProtocolFault, value: object, headers: Mapping[str, str]) -> Reply:
    """The handshake era carries errors at 200, except for a batch and for what expects no answer."""
    id = id_of(value)
    if era_of(value, headers) is Era.STATELESS:
        status = 404 if fault.code == METHOD_NOT_FOUND else 400
    elif expects_no_answer(value):
        status, id = 400, None
    else:
        status = 400 if isinstance(value, list) else 200
    return Reply(status, encoded(error(fault, id=id)))


_NOBODY = Actor("blog_doctor", scopes=())
_SAFE_TOOL = next(iter(TOOLS))
_HANDSHAKE = ("initialize", "tools/list", "tools/call")
_STATELESS = ("server/discover", "tools/list", "tools/call")
_SHOWN = 200


def rehearse() -> Rehearsal:
    """Say hello, list the tools and call one in both eras, as a caller who may do nothing: the tool must refuse."""
    faults = tuple(_faults())
    return Rehearsal(f"{len(TOOLS)} tools, protocol {', '.join(SUPPORTED_VERSIONS)}", faults)


def _faults() -> Iterator[str]:
    call = Call(actor=_NOBODY, now=timezone.now(), base_url="http://localhost")
    for version, methods in ((HANDSHAKE_VERSIONS[0], _HANDSHAKE), (STATELESS_VERSIONS[0], _STATELESS)):
        for method in methods:
            body, headers = _request(method, version=version)
            reply = reply_to(body, headers, call)
            answered = json.loads(reply.body)
            if reply.status != 200 or not _is_right(answered.get("result"), method):
                yield f"{method} ({version}) gets {reply.status} {reply.body[:_SHOWN].decode(errors='replace')}"


def _request(method: str, *, version: str) -> tuple[bytes, Mapping[str, str]]:
    params: dict[str, Any] = {"name": _SAFE_TOOL} if method == "tools/call" else {}
    headers = {"MCP-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": _SAFE_TOOL}
    if version in STATELESS_VERSIONS:
        params["_meta"] = {VERSION_KEY: version, CAPABILITIES_KEY: {}}
    else:
        params["protocolVersion"] = version
    return encoded({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}), headers


def _is_right(result: Any, method: str) -> bool:
    match method, result:
        case "tools/list", {"tools": tools}:
            return [tool["name"] for tool in tools] == list(TOOLS)
        case "tools/call", {"isError": True, "structuredContent": {"error": {"code": "scope_required"}}}:
            return True
        case "initialize" | "server/discover", {"capabilities": {"tools": _}}:
            return True
        case _:
            return False
