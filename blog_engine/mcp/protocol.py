"""JSON-RPC 2.0 messages, versions of the Model Context Protocol, and parameters and common faults of its methods."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, auto
from typing import Any, TypeAlias

from django.http import HttpRequest

from blog_engine.actor import Call
from blog_engine.content.text import compact_json, decode_base64
from blog_engine.errors import ValidationFailed
from blog_engine.http.requests import read_json

MessageId: TypeAlias = str | int | None
Params: TypeAlias = Mapping[str, Any]
Result: TypeAlias = dict[str, Any]

MARKDOWN = "text/markdown"
_LONGEST_NAME = 40

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
RESOURCE_NOT_FOUND = -32002
"""Only in the handshake versions; the stateless one has no code for it."""


class ProtocolError(Exception):
    """A message that breaks the protocol; refusals are results instead."""

    def __init__(self, code: int, message: str, *, data: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.message = message
        self.data = data
        super().__init__(code, message)


@dataclass(frozen=True, slots=True)
class Message:
    """A request, or a notification, which has no ``id`` and runs nothing."""

    method: str
    params: Mapping[str, Any]
    id: MessageId

    @property
    def is_notification(self) -> bool:
        return self.id is None


def read_message(raw: bytes) -> object:
    """Return the strict JSON value of a body; raises ``ProtocolError`` for others."""
    try:
        return read_json(raw)
    except ValidationFailed as refusal:
        raise ProtocolError(PARSE_ERROR, f"The body must be a JSON message. {refusal.hint}") from refusal


def parse_message(value: object) -> Message:
    """Return the request or notification that a body holds.

    Null parameters count as none. Raises ``ProtocolError``: ``INVALID_PARAMS`` when ``params`` is not an object,
    ``INVALID_REQUEST`` for a batch, a null id and anything else that is not a request.
    """
    if isinstance(value, list):
        raise ProtocolError(INVALID_REQUEST, "Batches are not supported. Send one message per request.")
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, 'A message must be a JSON object with "jsonrpc": "2.0".')
    if "id" in value and request_id(value) is None:
        raise ProtocolError(INVALID_REQUEST, "id must be a string or an integer.")
    method, params = value.get("method"), value.get("params")
    if not isinstance(method, str) or method.startswith("rpc."):
        raise ProtocolError(INVALID_REQUEST, "method must be a string that does not start with rpc.")
    if params is not None and not isinstance(params, dict):
        raise ProtocolError(INVALID_PARAMS, "params must be an object.")
    return Message(method=method, params=params or {}, id=request_id(value))


def request_id(value: object) -> MessageId:
    """Return the id of a message, even of a faulty one; ``None`` without a valid id."""
    id = value.get("id") if isinstance(value, dict) else None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None


def expects_no_answer(value: object) -> bool:
    """Return whether a message is a notification or a response, however faulty it is."""
    if not isinstance(value, dict):
        return False
    return "id" not in value or ("method" not in value and not value.keys().isdisjoint({"result", "error"}))


def result_message(result: Mapping[str, object], *, id: MessageId) -> dict[str, object]:
    """Return the answer to a request."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def error_message(error: ProtocolError, *, id: MessageId) -> dict[str, object]:
    """Return the answer to a message that breaks the protocol."""
    body: dict[str, object] = {"code": error.code, "message": error.message}
    if error.data is not None:
        body["data"] = error.data
    return {"jsonrpc": "2.0", "id": id, "error": body}


def encode(message: Mapping[str, object]) -> bytes:
    """Return a message as UTF-8 JSON."""
    try:
        return compact_json(message).encode()
    except UnicodeEncodeError:
        # A lone surrogate in a name or an id came in as an escape, and UTF-8 has no other form of it.
        return json.dumps(message).encode()


HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
STATELESS_VERSIONS = ("2026-07-28",)
SUPPORTED_VERSIONS = (*STATELESS_VERSIONS, *HANDSHAKE_VERSIONS)
"""Newest first."""

HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

_VERSION, _METHOD, _NAME = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
_NAME_PARAMS = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The parameter that the header ``Mcp-Name`` repeats, by method."""

_ENCODED_HEADER = re.compile(r"=\?base64\?(.*)\?=")


class VersionFamily(Enum):
    """The versions of the protocol that are agreed on in one way."""

    HANDSHAKE = auto()
    """With ``initialize``, before anything else; up to 2025-11-25."""
    STATELESS = auto()
    """In every request, in ``params._meta`` and in headers; since 2026-07-28."""


def version_family(value: object, headers: Mapping[str, str]) -> VersionFamily:
    """Return the version family of a request; ``value`` is ``None`` for a broken body.

    A version in the body decides. Without one the header decides, except for ``initialize``, which only the handshake
    versions have (``agents.versions``).
    """
    body: Mapping[str, Any] = value if isinstance(value, dict) else {}
    if VERSION_KEY in _meta(body.get("params")):
        return VersionFamily.STATELESS
    version = _header(headers, _VERSION)
    if version is None or version in HANDSHAKE_VERSIONS or body.get("method") == "initialize":
        return VersionFamily.HANDSHAKE
    return VersionFamily.STATELESS


def check_stateless_request(message: Message, headers: Mapping[str, str]) -> None:
    """Check ``params._meta`` and the headers of a stateless request.

    Raises ``ProtocolError``: ``INVALID_PARAMS`` without the required ``_meta``, ``HEADER_MISMATCH``, and
    ``UNSUPPORTED_VERSION``, which wins when only the header names a version (``agents.versions.unknown``).
    """
    meta = _meta(message.params)
    version_header = _header(headers, _VERSION)
    if VERSION_KEY not in meta and version_header is not None and version_header not in SUPPORTED_VERSIONS:
        raise _unsupported_version(version_header)
    if missing := [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]:
        raise ProtocolError(INVALID_PARAMS, f"params._meta must have {' and '.join(missing)}.")
    if not isinstance(meta[CAPABILITIES_KEY], dict):
        raise ProtocolError(INVALID_PARAMS, f"{CAPABILITIES_KEY} must be an object.")
    version = meta[VERSION_KEY]
    _check_header(_VERSION, version_header, version)
    _check_header(_METHOD, _header(headers, _METHOD), message.method)
    param = _NAME_PARAMS.get(message.method)
    name = None if param is None else message.params.get(param)
    if name is not None:
        _check_header(_NAME, _decode_header(_header(headers, _NAME)), name)
    if version not in STATELESS_VERSIONS:
        raise _unsupported_version(version)


def _meta(params: object) -> Mapping[str, Any]:
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return meta if isinstance(meta, dict) else {}


def _header(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(name)
    return None if value is None else value.strip()


def _decode_header(value: str | None) -> str | None:
    """Return the text of a header, decoded from Base64; ``None`` for faulty Base64."""
    found = _ENCODED_HEADER.fullmatch(value or "")
    if found is None:
        return value
    try:
        return decode_base64(found[1]).decode()
    except ValueError:
        return None


def _check_header(header: str, value: str | None, expected: object) -> None:
    if value is None or value != expected:
        raise ProtocolError(HEADER_MISMATCH, f"The header {header} must repeat the value in the body.")


def _unsupported_version(version: str) -> ProtocolError:
    return ProtocolError(
        UNSUPPORTED_VERSION,
        f"This protocol version is not supported. Use one of {', '.join(SUPPORTED_VERSIONS)}.",
        data={"supported": list(SUPPORTED_VERSIONS), "requested": version},
    )


@dataclass(frozen=True, slots=True)
class Exchange:
    """The context of a method besides its parameters."""

    family: VersionFamily
    call: Call
    request: HttpRequest | None
    """The request with which a bug in a tool is reported."""

    @property
    def not_found(self) -> int:
        """The code for a resource that does not exist."""
        return RESOURCE_NOT_FOUND if self.family is VersionFamily.HANDSHAKE else INVALID_PARAMS


Method: TypeAlias = Callable[[Params, Exchange], Result]


def refuse_cursor(params: Params) -> None:
    """Raise ``ProtocolError`` for a cursor: every list has one page, which an empty one asks for."""
    if params.get("cursor") not in (None, ""):
        raise ProtocolError(INVALID_PARAMS, "The list has one page. Send no cursor.")


def string_param(params: Params, name: str, *, must_be: str) -> str:
    """Return a parameter that must be a string; raises ``ProtocolError`` for anything else."""
    value = params.get(name)
    if not isinstance(value, str):
        raise ProtocolError(INVALID_PARAMS, f"{name} must be {must_be}.")
    return value


def unknown_name(kind: str, name: str, *, known: Iterable[str], meant: str = "") -> ProtocolError:
    """Return the error for an unknown name, which suggests what is ``meant`` or the nearest known one, or lists all."""
    near = meant or next(iter(get_close_matches(name[:_LONGEST_NAME], known, n=1)), "")
    hint = f"Did you mean {near}?" if near else f"The {kind}s are {', '.join(known)}."
    return ProtocolError(INVALID_PARAMS, f"Unknown {kind}. {hint}", data={"name": name})
