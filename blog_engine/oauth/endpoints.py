"""The endpoints that clients call: registration (RFC 7591), tokens (RFC 6749) and their revocation (RFC 7009)."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone
from oauthlib.oauth2 import OAuth2Error

from blog_engine.conf import get_settings, issues_tokens
from blog_engine.content.text import compact_json
from blog_engine.errors import NotFound, UnsupportedMediaType
from blog_engine.http.origins import shared_with_origins
from blog_engine.http.protected_resources import known_resource
from blog_engine.http.rate_limit import client_key, count, count_failed_attempt
from blog_engine.http.requests import body_length, json_object, read_exactly, read_json_body, refuse_encoding
from blog_engine.http.responses import JSON, exempt_from_host_rules, never_stored, refuse, refuse_fault
from blog_engine.inputs.types import UNSTORABLE
from blog_engine.oauth.redirects import list_fault
from blog_engine.oauth.server import AuthorizationServer, client_credentials
from blog_engine.services.oauth import oauth_transaction, register_client

REGISTRATIONS_RATE: Final = "20/h"
_MOST_BYTES: Final = 16 * 1024
_MOST_FIELDS: Final = 30
_LONGEST_NAME: Final = 255
_FORM: Final = "application/x-www-form-urlencoded"
_OF_CLIENTS: Final = ("client_id", "client_secret")
_OF_TOKENS: Final = (
    *_OF_CLIENTS,
    *("grant_type", "code", "redirect_uri", "code_verifier", "refresh_token", "scope", "resource"),
)
_OF_REVOCATIONS: Final = (*_OF_CLIENTS, "token", "token_type_hint")

View = Callable[[HttpRequest], HttpResponse]


def _endpoint(view: View) -> View:
    """Return a view that takes ``POST`` only, and only while the blog issues tokens."""

    @exempt_from_host_rules
    @shared_with_origins
    @wraps(view)
    def guarded(request: HttpRequest, **captured: str) -> HttpResponse:
        if not issues_tokens():
            return refuse(NotFound())
        if request.method != "POST":
            return never_stored(HttpResponseNotAllowed(["POST"]))
        try:
            return view(request)
        except Exception as fault:
            return refuse_fault(fault, request)

    return guarded


@_endpoint
def token(request: HttpRequest) -> HttpResponse:
    """Exchange a code or a refresh token for tokens (RFC 6749, sections 4.1.3 and 6)."""
    body = _form(request, _OF_TOKENS)
    try:
        with oauth_transaction():
            server = AuthorizationServer()
            headers, text, status = server.create_token_response(
                request.path, "POST", body, client_credentials(request)
            )
    except OAuth2Error as error:
        headers, text, status = error.headers, error.json, error.status_code
    return _answer(request, headers, text, status)


@_endpoint
def revoke(request: HttpRequest) -> HttpResponse:
    """End a token of the client, and the other token of its pair (RFC 7009)."""
    body = _form(request, _OF_REVOCATIONS)
    headers, text, status = AuthorizationServer().create_revocation_response(
        request.path, "POST", body, client_credentials(request)
    )
    return _answer(request, headers, text, status)


@_endpoint
def register(request: HttpRequest) -> HttpResponse:
    """Register a client (RFC 7591, section 3). It is public: PKCE protects its codes, and it gets no secret."""
    if not get_settings().oauth_registration:
        return refuse(NotFound())
    usage = count(request, group="blog_engine.oauth_clients", key=client_key(request), rate=REGISTRATIONS_RATE)
    if usage is not None:
        usage.refuse_excess()
    sent = json_object(read_json_body(request, limit=_MOST_BYTES))
    fault = _metadata_fault(sent)
    if fault is not None:
        return _json({"error": fault[0], "error_description": fault[1]}, status=400)
    uris: Any = sent["redirect_uris"]
    client = register_client(str(sent.get("client_name") or ""), redirect_uris=uris, now=timezone.now())
    described = {
        "client_id": client.client_id,
        "client_id_issued_at": int(client.created.timestamp()),
        "client_name": client.name,
        "redirect_uris": uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    }
    return _json(described, status=201)


def _metadata_fault(sent: Mapping[str, object]) -> tuple[str, str] | None:
    """Return the error code and the description of metadata that are refused, or ``None``."""
    if (about_uris := list_fault(sent.get("redirect_uris"))) is not None:
        return "invalid_redirect_uri", about_uris
    name = sent.get("client_name")
    if name is not None and not (isinstance(name, str) and len(name) <= _LONGEST_NAME and not UNSTORABLE.search(name)):
        return "invalid_client_metadata", f"client_name is a text of at most {_LONGEST_NAME} characters."
    for key, needed in (("grant_types", "authorization_code"), ("response_types", "code")):
        given = sent.get(key, [needed])
        if not isinstance(given, list) or needed not in given:
            return "invalid_client_metadata", f"{key} must contain {needed}."
    return None


def _form(request: HttpRequest, names: tuple[str, ...]) -> str:
    """Return the fields of a form that have these names, each resource by its own URL."""
    refuse_encoding(request)
    if request.content_type != _FORM:
        raise UnsupportedMediaType(hint=f"Send a form as {_FORM}.")
    raw = read_exactly(request, body_length(request, limit=_MOST_BYTES, instead=""))
    try:
        fields = parse_qsl(raw.decode("ascii"), max_num_fields=_MOST_FIELDS)
    except ValueError:
        fields = []
    known = [(name, value) for name, value in fields if name in names and "\0" not in value]
    return urlencode(
        [(name, known_resource(request, value) or value if name == "resource" else value) for name, value in known]
    )


def _answer(request: HttpRequest, headers: Mapping[str, str], text: str | None, status: int) -> HttpResponse:
    if status >= 400:
        count_failed_attempt(request)
    response = HttpResponse((text or "").encode(), status=status, content_type=JSON)
    for name, value in headers.items():
        response.headers[name] = value
    return never_stored(response)


def _json(described: Mapping[str, object], *, status: int) -> HttpResponse:
    return never_stored(HttpResponse(compact_json(described).encode(), status=status, content_type=JSON))
