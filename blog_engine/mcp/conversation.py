"""From the bytes of a message to those of its answer, for a caller who is known (mcp.md 1)."""

from collections.abc import Mapping
from dataclasses import dataclass

from blog_engine.actor import Call
from blog_engine.errors import Unavailable
from blog_engine.mcp.eras import Era, check_self_description, era_of
from blog_engine.mcp.jsonrpc import (
    METHOD_NOT_FOUND,
    ProtocolFault,
    encoded,
    error,
    id_of,
    message_of,
    read_message,
    result,
)
from blog_engine.mcp.methods import Exchange, answer


@dataclass(frozen=True, slots=True)
class Reply:
    """The status and the body of an HTTP answer; a notification gets no body."""

    status: int
    body: bytes = b""


_ACCEPTED = Reply(202)


def reply_to(raw: bytes, headers: Mapping[str, str], call: Call, *, outage: Unavailable | None = None) -> Reply:
    """Read a message and answer it in its own era; ``headers`` are those of the request, whatever their case."""
    value: object = None
    try:
        value = read_message(raw)
        message = message_of(value)
        era = era_of(value, headers)
        if era is Era.STATELESS:
            check_self_description(message, headers)
    except ProtocolFault as fault:
        return _refused(fault, value, headers)
    try:
        answered = answer(message, Exchange(era, call, outage))
    except ProtocolFault as fault:
        return _ACCEPTED if message.is_notification else _refused(fault, value, headers)
    return _ACCEPTED if message.is_notification else Reply(200, encoded(result(answered, id=message.id)))


def _refused(fault: ProtocolFault, value: object, headers: Mapping[str, str]) -> Reply:
    return Reply(_status(fault, value, headers), encoded(error(fault, id=id_of(value))))


def _status(fault: ProtocolFault, value: object, headers: Mapping[str, str]) -> int:
    """The handshake era carries errors at 200, but for a batch (decisions.md 9.19)."""
    if era_of(value, headers) is Era.HANDSHAKE:
        return 400 if isinstance(value, list) else 200
    return 404 if fault.code == METHOD_NOT_FOUND else 400
