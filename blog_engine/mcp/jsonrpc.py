"""JSON-RPC 2.0 messages, as far as the Model Context Protocol uses them (mcp.md 1)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from blog_engine.content.text import compact_json
from blog_engine.errors import ValidationFailed
from blog_engine.http.bodies import read_json

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
