"""From the bytes of a message to those of its answer, for a caller who is known (mcp.md 1)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from blog_engine.actor import Call
from blog_engine.errors import RateLimited, Unavailable
from blog_engine.http.faults import report_bug
from blog_engine.mcp.eras import Era, check_self_description, era_of
from blog_engine.mcp.jsonrpc import (
    METHOD_NOT_FOUND,
    Message,
    ProtocolFault,
    encoded,
    error,
    expects_no_answer,
    id_of,
    message_of,
    read_message,
    result,
)
from blog_engine.mcp.methods import Exchange, answer, decline_call


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
        return _answered(answer(message, Exchange(era, call, outage, on_bug)), message)
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
