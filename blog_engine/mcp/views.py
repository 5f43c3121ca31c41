"""The view of the agent endpoint: an HTTP request with one JSON-RPC message, and its response."""

from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone

from blog_engine.actor import Call
from blog_engine.conf import get_settings
from blog_engine.doctor.agents import ProbedEndpoint
from blog_engine.errors import NotFound, RateLimited, Refusal
from blog_engine.http.authentication import authenticate
from blog_engine.http.origins import refuse_other_origins, shared_with_origins
from blog_engine.http.protected_resources import ProtectedResource, metadata_url
from blog_engine.http.rate_limit import Usage, count_call
from blog_engine.http.requests import max_upload_bytes, origin_of, read_json_body, refuse_bulk
from blog_engine.http.responses import JSON, exempt_from_host_rules, never_stored, refuse, refuse_fault
from blog_engine.mcp.methods import run_method, tool_call_refusal
from blog_engine.mcp.protocol import (
    HANDSHAKE_VERSIONS,
    METHOD_NOT_FOUND,
    STATELESS_VERSIONS,
    SUPPORTED_VERSIONS,
    Exchange,
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


@exempt_from_host_rules
@shared_with_origins
def endpoint(request: HttpRequest) -> HttpResponse:
    """Answer one JSON-RPC message.

    A request that is refused before its message is read gets the error envelope of the API, a faulty message gets a
    JSON-RPC error (``agents.order``).
    """
    if not get_settings().mcp.enabled:
        return refuse(NotFound())
    if request.method != "POST":
        return never_stored(HttpResponseNotAllowed(["POST"]))
    usage: Usage | None = None
    try:
        refuse_other_origins(request, allowed=get_settings().api_allowed_origins)
        now = timezone.now()
        caller = authenticate(request, now=now)
        call = Call(caller.actor, now, base_url=origin_of(request))
        usage, outage = count_call(request, caller.identity)
        excess = usage.excess if usage is not None else None
        call = replace(call, outage=outage)
        if excess is None:
            response = reply_to(_read(request), request.headers, call, request=request)
        else:
            response = _reply_past_the_limit(request, excess)
    except Exception as fault:
        response = refuse_fault(fault, request, metadata_url=metadata_url(request, ProtectedResource.AGENTS))
    for name, value in usage.headers().items() if usage is not None else ():
        response.headers[name] = value
    return response


def reply_to(raw: bytes, headers: Mapping[str, str], call: Call, *, request: HttpRequest | None = None) -> HttpResponse:
    """Return the answer to the message in a body.

    ``headers`` are those of the request, whatever their case. A bug is reported with ``request``, if there is one.
    """
    value: object = None
    try:
        value = read_message(raw)
        message, family = _parse(value, headers)
        if message.is_notification:
            return _accepted()
        return _answer(run_method(message, Exchange(family, call, request)), message)
    except ProtocolError as error:
        return _answer_error(error, value, headers)


def _reply_past_the_limit(request: HttpRequest, excess: RateLimited) -> HttpResponse:
    """Return the refusal as the result of a tool call; raise it for other messages."""
    try:
        message, family = _parse(read_message(_read(request)), request.headers)
        result = tool_call_refusal(message, family, excess)
    except (ProtocolError, Refusal) as fault:
        raise excess from fault
    if result is None:
        raise excess
    response = _answer(result, message)
    response.headers["Retry-After"] = str(excess.retry_after)
    return response


def _read(request: HttpRequest) -> bytes:
    raw = read_json_body(request, limit=max_upload_bytes())
    refuse_bulk(raw)
    return raw


def _parse(value: object, headers: Mapping[str, str]) -> tuple[Message, VersionFamily]:
    message, family = parse_message(value), version_family(value, headers)
    if family is VersionFamily.STATELESS:
        check_stateless_request(message, headers)
    return message, family


def _accepted() -> HttpResponse:
    response = HttpResponse(status=202)
    del response.headers["Content-Type"]
    return never_stored(response)


def _answer(result: Mapping[str, object], message: Message) -> HttpResponse:
    return _response(result_message(result, id=message.id), status=200)


def _answer_error(error: ProtocolError, value: object, headers: Mapping[str, str]) -> HttpResponse:
    """Return an error with the status of its version family."""
    id = request_id(value)
    if version_family(value, headers) is VersionFamily.STATELESS:
        status = 404 if error.code == METHOD_NOT_FOUND else 400
    elif expects_no_answer(value):
        status, id = 400, None
    else:
        status = 400 if isinstance(value, list) else 200
    return _response(error_message(error, id=id), status=status)


def _response(message: Mapping[str, object], *, status: int) -> HttpResponse:
    return never_stored(HttpResponse(encode(message), status=status, content_type=JSON))


# The doctor asks the view that the path resolves to, and imports no interface.
endpoint.agent_endpoint = ProbedEndpoint(  # type: ignore[attr-defined]
    reply_to,
    tools=tuple(TOOLS),
    versions=SUPPORTED_VERSIONS,
    handshake_version=HANDSHAKE_VERSIONS[0],
    stateless_version=STATELESS_VERSIONS[0],
)
