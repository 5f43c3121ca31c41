"""JSON-RPC 2.0 messages and the versions of the protocol."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias

from blog_engine.content.text import compact_json
from blog_engine.errors import ValidationFailed
from blog_engine.http.bodies import read_json
from blog_engine.mcp.encoded_images import decode_base64

MessageId: TypeAlias = str | int | None

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602


class ProtocolFault(Exception):
    """A message that the protocol does not allow; refusals of the service are results instead (mcp.md, decision 2)."""

    def __init__(self, code: int, message: str, *, data: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        super().__init__(code, message)


@dataclass(frozen=True, slots=True)
class Message:
    """A request, or a notification, which has no ``id``, runs nothing and gets no answer."""

    method: str
    params: Mapping[str, Any]
    id: MessageId

    @property
    def is_notification(self) -> bool:
        return self.id is None


def read_message(raw: bytes) -> object:
    """The value of a body; raises ``ProtocolFault`` for what is not strictly JSON (decisions.md 3.11)."""
    try:
        return read_json(raw)
    except ValidationFailed as refusal:
        raise ProtocolFault(PARSE_ERROR, f"The body is no JSON message. {refusal.hint}") from refusal


def message_of(value: object) -> Message:
    """The one request or notification that a body holds.

    Raises ``ProtocolFault``: ``INVALID_REQUEST`` for a batch and whatever else is no request, ``INVALID_PARAMS`` for
    parameters that are no object. Null parameters are none (records.md 18), a null id is no id that could be
    answered (mcp.md 1).
    """
    if isinstance(value, list):
        raise ProtocolFault(INVALID_REQUEST, "Batches are not served. Send one message in a request.")
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise ProtocolFault(INVALID_REQUEST, 'A message is a JSON object with "jsonrpc": "2.0".')
    if "id" in value and id_of(value) is None:
        raise ProtocolFault(INVALID_REQUEST, "An id is a text or a whole number.")
    method, params = value.get("method"), value.get("params")
    if not isinstance(method, str) or method.startswith("rpc."):
        raise ProtocolFault(INVALID_REQUEST, "method is a text that does not start with rpc.")
    if params is not None and not isinstance(params, dict):
        raise ProtocolFault(INVALID_PARAMS, "params is an object.")
    return Message(method=method, params=params or {}, id=id_of(value))


def id_of(value: object) -> MessageId:
    """The id of a message, however faulty the rest of it is; ``None`` when it has none that could be answered."""
    id = value.get("id") if isinstance(value, dict) else None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None


def expects_no_answer(value: object) -> bool:
    """Return whether an object is a notification or the response to a request, however faulty it is."""
    if not isinstance(value, dict):
        return False
    return "id" not in value or ("method" not in value and not value.keys().isdisjoint({"result", "error"}))


def result(value: Mapping[str, object], *, id: MessageId) -> dict[str, object]:
    """The answer to a request."""
    return {"jsonrpc": "2.0", "id": id, "result": value}


def error(fault: ProtocolFault, *, id: MessageId) -> dict[str, object]:
    """The answer to a message that could not be served."""
    body: dict[str, object] = {"code": fault.code, "message": fault.message}
    if fault.data is not None:
        body["data"] = fault.data
    return {"jsonrpc": "2.0", "id": id, "error": body}


def encoded(message: Mapping[str, object]) -> bytes:
    """A message as UTF-8."""
    try:
        return compact_json(message).encode()
    except UnicodeEncodeError:
        # A name or id with half a surrogate pair came in as an escape, and can go out only as one.
        return json.dumps(message).encode()


HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
STATELESS_VERSIONS = ("2026-07-28",)
SUPPORTED_VERSIONS = (*STATELESS_VERSIONS, *HANDSHAKE_VERSIONS)
"""Newest first."""

HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

_VERSION, _METHOD, _NAME = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The methods about one named thing, and the parameter that ``Mcp-Name`` repeats."""

_ENCODED = re.compile(r"=\?base64\?(.*)\?=")


class Era(Enum):
    """How a client and the server agree on a revision."""

    HANDSHAKE = auto()
    """``initialize`` comes first; up to 2025-11-25."""
    STATELESS = auto()
    """Every request describes itself; since 2026-07-28."""


def era_of(value: object, headers: Mapping[str, str]) -> Era:
    """The era of a request, told by its body and by its header; ``value`` is ``None`` for an unreadable body.

    A revision in the body settles it; otherwise the header does, but for ``initialize``, which only the handshake has.
    """
    body: Mapping[str, Any] = value if isinstance(value, dict) else {}
    if VERSION_KEY in _meta_of(body.get("params")):
        return Era.STATELESS
    named = _header(headers, _VERSION)
    if named is None or named in HANDSHAKE_VERSIONS or body.get("method") == "initialize":
        return Era.HANDSHAKE
    return Era.STATELESS


def check_self_description(message: Message, headers: Mapping[str, str]) -> None:
    """Hold that a stateless request describes itself, in its body and in equal headers.

    Raises ``ProtocolFault``: ``INVALID_PARAMS`` without the required ``_meta``, ``HEADER_MISMATCH``, and
    ``UNSUPPORTED_VERSION``, also for a header of an unknown revision without ``_meta`` (decisions.md 9.19).
    """
    meta = _meta_of(message.params)
    named = _header(headers, _VERSION)
    if VERSION_KEY not in meta and named is not None and named not in SUPPORTED_VERSIONS:
        raise _unsupported(named)
    if missing := [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]:
        raise ProtocolFault(INVALID_PARAMS, f"params._meta needs {' and '.join(missing)}.")
    if not isinstance(meta[CAPABILITIES_KEY], dict):
        raise ProtocolFault(INVALID_PARAMS, f"{CAPABILITIES_KEY} is an object.")
    version = meta[VERSION_KEY]
    _match(_VERSION, named, version)
    _match(_METHOD, _header(headers, _METHOD), message.method)
    key = _NAMED_BY.get(message.method)
    name = None if key is None else message.params.get(key)
    if name is not None:
        _match(_NAME, _decoded(_header(headers, _NAME)), name)
    if version not in STATELESS_VERSIONS:
        raise _unsupported(version)


def _meta_of(params: object) -> Mapping[str, Any]:
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return meta if isinstance(meta, dict) else {}


def _header(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(name)
    return None if value is None else value.strip()


def _decoded(value: str | None) -> str | None:
    """What a header value stands for: other than plain ASCII travels in Base64. ``None`` for faulty Base64."""
    found = _ENCODED.fullmatch(value or "")
    if found is None:
        return value
    try:
        return decode_base64(found[1]).decode()
    except ValueError:
        return None


def _match(header: str, sent: str | None, meant: object) -> None:
    if sent is None or sent != meant:
        raise ProtocolFault(HEADER_MISMATCH, f"The header {header} must repeat what the body says.")


def _unsupported(version: str) -> ProtocolFault:
    return ProtocolFault(
        UNSUPPORTED_VERSION,
        f"This revision of the protocol is not served. Use one of {', '.join(SUPPORTED_VERSIONS)}.",
        data={"supported": list(SUPPORTED_VERSIONS), "requested": version},
    )
