"""The page on which a signed-in person connects an agent: the authorization endpoint (RFC 6749, section 3.1)."""

import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django import forms
from django.conf import settings
from django.contrib.admin import site
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.db import Error
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import resolve_url
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_protect
from oauthlib.common import add_params_to_uri
from oauthlib.oauth2 import OAuth2Error
from oauthlib.oauth2.rfc6749.errors import AccessDeniedError, CustomOAuth2Error, FatalClientError, InvalidRequestError

from blog_engine.actor import Scope
from blog_engine.conf import get_settings, issues_tokens
from blog_engine.conf.caches import cache_errors
from blog_engine.conf.site_names import named_after_blog
from blog_engine.errors import Unavailable
from blog_engine.http.protected_resources import ProtectedResource, issuer, known_resource, resource_url
from blog_engine.http.responses import keep_out_of_page_caches, never_stored, without_transaction
from blog_engine.oauth.redirects import shown_host
from blog_engine.oauth.server import AuthorizationServer
from blog_engine.oauth.words import SCOPE_WORDS
from blog_engine.queries.database import refusal_of_database
from blog_engine.queries.oauth import claimed_name, client_label, scopes_of_user
from blog_engine.queries.reviewers import name_of_user

_PARAMETERS: Final = (
    *("response_type", "client_id", "redirect_uri", "scope", "state"),
    *("code_challenge", "code_challenge_method"),
)
_LONGEST_PARAMETER: Final = 2048
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9._~-]{43,128}")


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A checked request of a client."""

    uri: str
    """The request as oauthlib reads it: with the parameters that the blog knows, and no others."""
    client: Any
    redirect_uri: str
    state: str | None
    scopes: tuple[Scope, ...]
    resources: tuple[str, ...]


class ConsentForm(forms.Form):
    """The scopes that the person gives."""

    def __init__(self, data: Any, *, asked: tuple[Scope, ...], allowed: frozenset[Scope]) -> None:
        super().__init__(data)
        self.fields["scopes"] = forms.MultipleChoiceField(
            label=gettext_lazy("What it is allowed to do"),
            choices=[(scope.value, SCOPE_WORDS[scope]) for scope in asked if scope in allowed],
            # No one gives the right to publish by mistake.
            initial=[scope.value for scope in asked if scope is not Scope.PUBLISH],
            widget=forms.CheckboxSelectMultiple,
            error_messages={"required": gettext_lazy("Tick at least one, or choose not to connect.")},
        )


def authorize(request: HttpRequest, **captured: str) -> HttpResponse:
    """Ask the signed-in person whether to connect a client, and answer the client (oauth.consent)."""
    keep_out_of_page_caches(request)
    if not issues_tokens():
        raise Http404
    if request.method not in {"GET", "HEAD", "POST"}:
        return never_stored(HttpResponseNotAllowed(["GET", "HEAD", "POST"]))
    if not (request.user.is_authenticated and request.user.is_active):
        return never_stored(_send_to_login(request))
    try:
        return _decide(request)
    except OAuth2Error as error:
        return _show_fault(request, error)
    except Error as fault:
        refusal = refusal_of_database(fault)
        if refusal is None:
            raise
        return _show_outage(request, status=refusal.status)
    except cache_errors():
        return _show_outage(request, status=Unavailable.status)


# Not with the exemptions of the other endpoints: a browser sends this form with the cookies of its user.
authorize = without_transaction(login_not_required(csrf_protect(authorize)))


def _decide(request: HttpRequest) -> HttpResponse:
    allowed = scopes_of_user(request.user)
    if not allowed:
        # Before the document of a client is fetched, which not every account of the site may make the blog do.
        return _show_unable(request)
    asked = _read(request)
    if allowed.isdisjoint(asked.scopes):
        return _show_unable(request)
    form = ConsentForm(request.POST if request.method == "POST" else None, asked=asked.scopes, allowed=allowed)
    if request.method == "POST" and "allow" not in request.POST:
        return _send_back(request, asked, AccessDeniedError(state=asked.state).in_uri(asked.redirect_uri))
    if form.is_valid():
        return _send_back(request, asked, _redirection(request, asked, form.cleaned_data["scopes"]))
    return _show_form(request, asked, form, allowed=allowed)


def _read(request: HttpRequest) -> AuthorizationRequest:
    """Return the checked request. Raises ``OAuth2Error``, whose ``redirect_uri`` is set if it belongs to the client."""
    # One without a value counts as left out (RFC 6749, section 3.1).
    sent = [(name, value) for name in _PARAMETERS for value in request.GET.getlist(name) if value]
    if any("\0" in value or len(value) > _LONGEST_PARAMETER for _name, value in sent):
        raise FatalClientError(description=f"A parameter has more than {_LONGEST_PARAMETER} characters.")
    uri = f"{request.path}?{urlencode(sent)}"
    scopes, details = AuthorizationServer().validate_authorization_request(uri, "GET")
    asked = details["request"]
    if asked.code_challenge_method != "S256" or not _CHALLENGE.fullmatch(asked.code_challenge):
        raise InvalidRequestError(description="code_challenge_method must be S256.", request=asked)
    return AuthorizationRequest(
        uri=uri,
        client=asked.client,
        redirect_uri=asked.redirect_uri,
        state=asked.state,
        scopes=tuple(scope for scope in Scope if scope.value in scopes),
        resources=_resources(request, asked),
    )


def _resources(request: HttpRequest, asked: Any) -> tuple[str, ...]:
    """Return what the token is to be bound to; default: the agent endpoint."""
    named = [known_resource(request, sent) for sent in request.GET.getlist("resource") if sent]
    if None in named:
        raise CustomOAuth2Error("invalid_target", description="resource is not one of this blog.", request=asked)
    found = tuple(dict.fromkeys(url for url in named if url is not None))
    return found or (resource_url(request, ProtectedResource.AGENTS),)


def _redirection(request: HttpRequest, asked: AuthorizationRequest, scopes: list[str]) -> str:
    """Return the URI that brings a new code to the client."""
    headers, _body, _status = AuthorizationServer().create_authorization_response(
        asked.uri, "GET", None, {}, scopes, {"user": request.user, "resource": [*asked.resources]}
    )
    return str(headers["Location"])


def _send_back(request: HttpRequest, asked: AuthorizationRequest, location: str) -> HttpResponse:
    """Return a page that leads on to the client, with the issuer (RFC 9207).

    Not a redirect: ``form-action`` of a Content-Security-Policy also holds for where the answer to a form redirects.
    """
    location = add_params_to_uri(location, [("iss", issuer(request))])
    response = _page(
        request,
        "agent_end.html",
        title=_("Back to %(client)s") % {"client": client_label(asked.client)},
        text=_("If nothing happens, use the link."),
        location=location,
        is_immediate=True,
        link=shown_host(asked.redirect_uri),
    )
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _show_form(
    request: HttpRequest, asked: AuthorizationRequest, form: ConsentForm, *, allowed: frozenset[Scope]
) -> HttpResponse:
    return _page(
        request,
        "agent_consent.html",
        title=_("Connect an agent"),
        form=form,
        client=client_label(asked.client),
        claimed_name=claimed_name(asked.client),
        is_program=urlsplit(asked.redirect_uri).scheme != "https",
        place=shown_host(asked.redirect_uri),
        user_name=name_of_user(request.user),
        blog=get_settings().site_name,
        missing=[SCOPE_WORDS[scope] for scope in asked.scopes if scope not in allowed],
        asks_to_publish=Scope.PUBLISH in allowed and Scope.PUBLISH in asked.scopes,
        status=400 if form.errors else 200,
    )


def _show_unable(request: HttpRequest) -> HttpResponse:
    return _page(
        request,
        "agent_end.html",
        title=_("You cannot connect an agent"),
        text=_(
            "An agent does in your name what you may do at the desk, and your account has no permission for that. "
            "Ask a person who runs the blog."
        ),
        status=403,
    )


def _show_outage(request: HttpRequest, *, status: int) -> HttpResponse:
    text = _("The blog cannot answer at the moment, and nothing was connected. Try again.")
    return _page(request, "agent_end.html", title=_("This agent cannot be connected"), text=text, status=status)


def _show_fault(request: HttpRequest, error: OAuth2Error) -> HttpResponse:
    """Return a page about a faulty request.

    Without a redirect: anybody can register a client, and a link with a fault in it would lead on to its site at once
    (RFC 9700, section 4.11.2).
    """
    uri = None if isinstance(error, FatalClientError) else error.redirect_uri
    return _page(
        request,
        "agent_end.html",
        title=_("This agent cannot be connected"),
        text=_("Its request is faulty, and nothing was connected: %(fault)s")
        % {"fault": error.description or error.error},
        location=add_params_to_uri(error.in_uri(uri), [("iss", issuer(request))]) if uri else None,
        link=shown_host(uri) if uri else "",
        status=400,
    )


def _page(request: HttpRequest, template: str, *, title: str, status: int = 200, **context: Any) -> HttpResponse:
    """Return a page in the look of the desk that no other page can frame."""
    frame = {**site.each_context(request), **named_after_blog(site), "is_nav_sidebar_enabled": False}
    response = TemplateResponse(
        request, f"admin/blog_engine/{template}", {**frame, "title": title, **context}, status=status
    )
    response.headers["X-Frame-Options"] = "DENY"
    response.headers["Content-Security-Policy"] = _policy()
    # Without a referrer, browsers send "Origin: null" with the form, which the CSRF check refuses.
    response.headers["Referrer-Policy"] = "same-origin"
    return never_stored(response)


def _policy() -> str:
    """Return the policy of the page, which also takes the files of the host's static storage.

    Its own one, because ``frame-ancestors`` of a host's policy would replace ``X-Frame-Options``.
    """
    parts = urlsplit(static("blog_engine/desk/desk.css"))
    files = f"'self' {parts.scheme or 'https'}://{parts.netloc}" if parts.netloc else "'self'"
    rules = [f"default-src {files}", "object-src 'none'", "base-uri 'none'", "form-action 'self'"]
    return "; ".join([*rules, "frame-ancestors 'none'"])


def _send_to_login(request: HttpRequest) -> HttpResponse:
    """Redirect to the host's login: ``LOGIN_URL`` if something is there, or else the login of the admin."""
    url = resolve_url(settings.LOGIN_URL)
    parts = urlsplit(url)
    if parts.netloc and parts.netloc != request.get_host():
        # A login on another host leads back to a whole URL only.
        return redirect_to_login(request.build_absolute_uri(), url)
    try:
        is_hosts = resolve(parts.path).app_name != "blog_engine"
    except Resolver404:
        is_hosts = False
    return redirect_to_login(request.get_full_path(), url if is_hosts else reverse("admin:login"))
