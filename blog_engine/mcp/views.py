"""The view of the agent endpoint."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone

from blog_engine.actor import Call
from blog_engine.conf import get_settings
from blog_engine.errors import NotFound, RateLimited, Refusal
from blog_engine.http.authentication import authenticate, check_origin
from blog_engine.http.rate_limit import Usage, count_call
from blog_engine.http.requests import max_upload_bytes, origin_of, read_json_body, refuse_bulk
from blog_engine.http.responses import JSON, exempt_from_host_rules, never_stored, refuse, refuse_fault
from blog_engine.mcp.oauth import metadata_url
from blog_engine.mcp.session import Reply, reply_past_the_limit, reply_to, self_check


@exempt_from_host_rules
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
        check_origin(request)
        now = timezone.now()
        caller = authenticate(request, now=now)
        call = Call(caller.actor, now, base_url=origin_of(request))
        usage, outage = count_call(request, caller.identity)
        excess = usage.excess if usage is not None else None
        call = replace(call, outage=outage)
        response = _reply(request, call) if excess is None else _reply_past_the_limit(request, excess)
    except Exception as fault:
        response = refuse_fault(fault, request, metadata_url=metadata_url(request))
    for name, value in usage.headers().items() if usage is not None else ():
        response.headers[name] = value
    return response


def _reply(request: HttpRequest, call: Call) -> HttpResponse:
    return _to_response(reply_to(_read(request), request.headers, call, request=request))


def _reply_past_the_limit(request: HttpRequest, excess: RateLimited) -> HttpResponse:
    """Return the refusal as the result of a tool call; raise it for other messages."""
    try:
        reply = reply_past_the_limit(_read(request), request.headers, excess)
    except Refusal as refusal:
        raise excess from refusal
    if reply is None:
        raise excess
    response = _to_response(reply)
    response.headers["Retry-After"] = str(excess.retry_after)
    return response


def _read(request: HttpRequest) -> bytes:
    raw = read_json_body(request, limit=max_upload_bytes())
    refuse_bulk(raw)
    return raw


def _to_response(reply: Reply) -> HttpResponse:
    response = HttpResponse(reply.body, status=reply.status, content_type=JSON)
    if not reply.body:
        del response.headers["Content-Type"]
    return never_stored(response)


endpoint.self_check = self_check  # type: ignore[attr-defined]  # the doctor asks the view that the path resolves to
