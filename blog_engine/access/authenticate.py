"""Who calls: a bearer token, or whatever the host's ``authenticate`` hook knows (service.md section 5)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest

from blog_engine.access.client_address import client_address
from blog_engine.access.origin import check_origin
from blog_engine.access.rate_limit import count_failed_attempt
from blog_engine.access.tokens import authenticated_token
from blog_engine.actor import Actor, Scope
from blog_engine.conf import authenticate_hook
from blog_engine.errors import Unauthenticated

_BEARER = re.compile(r"bearer (\S+)", re.IGNORECASE)
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated actor, and the identity under which its requests are counted."""

    actor: Actor
    identity: str


def authenticate(request: HttpRequest, *, now: datetime) -> Caller:
    """The caller of a request.

    Raises ``Unauthenticated``, or ``RateLimited`` after too many refused tokens from one address. With an
    ``authenticate`` hook tokens are never consulted, not even when the hook answers nothing, raises Django's
    ``PermissionDenied`` (records.md 2) or an exception whose ``status_code`` is 401, as REST framework's are. Raises
    ``ScopeRequired`` (``origin``) where a page of another site made the browser of such a caller send the request.
    """
    hook = authenticate_hook()
    if hook is None:
        return _by_token(request, now=now)
    try:
        found = hook(request)
    except PermissionDenied as refusal:
        raise Unauthenticated from refusal
    except Exception as refusal:
        # What REST framework's own authentication raises; that framework is not known here.
        if getattr(refusal, "status_code", None) == Unauthenticated.status:
            raise Unauthenticated from refusal
        raise
    if found is None:
        raise Unauthenticated
    if _any_form_can_send(request):
        check_origin(request)
    actor = actor_of(found)
    return Caller(actor, f"hook:{actor.id}")


def challenge(request: HttpRequest) -> str:
    """The value of ``WWW-Authenticate`` with a 401 (RFC 6750 section 3; decisions.md 3.9)."""
    sent_a_token = request.headers.get("Authorization", "").lower().startswith("bearer ")
    return 'Bearer realm="blog_engine"' + (', error="invalid_token"' if sent_a_token else "")


def _any_form_can_send(request: HttpRequest) -> bool:
    """Whether browsers send this for a page of any site, and with it the cookies or the password of the caller.

    JSON and bearer tokens they send for another site only where the host allows it (CORS).
    """
    is_plain = request.method == "POST" and request.content_type != "application/json"
    return is_plain and not _BEARER.fullmatch(request.headers.get("Authorization", ""))


def _by_token(request: HttpRequest, *, now: datetime) -> Caller:
    header = request.headers.get("Authorization")
    if header is None:
        # Nobody guesses a secret by sending none, so this is not counted as an attempt.
        raise Unauthenticated
    sent = _BEARER.fullmatch(header)
    token = authenticated_token(sent[1], now=now) if sent else None
    if token is None:
        count_failed_attempt(request, client_address(request))
        raise Unauthenticated
    identity = f"token:{token.pk}"
    return Caller(Actor(token.name, token.scopes, identity), identity)


def actor_of(found: object) -> Actor:
    """The actor that a host's object describes: ``name``, optionally ``scopes`` and ``id`` (records.md 2).

    Raises ``ImproperlyConfigured`` for a name that the history could not record.
    """
    name = str(getattr(found, "name", "") or "")
    if not name.strip() or len(name) > _LONGEST_NAME:
        raise ImproperlyConfigured(
            f"BLOG_ENGINE['authenticate'] or a caller of definitions() gave an actor whose name is not text of 1 to "
            f"{_LONGEST_NAME} characters."
        )
    given = getattr(found, "id", None)
    id = str(given) if given is not None and str(given).strip() else name
    return Actor(name, _scopes(getattr(found, "scopes", tuple(Scope))), id)


def _scopes(given: object) -> list[str]:
    """The scopes among what the host gives; words that mean nothing here are the host's own and are left out."""
    if isinstance(given, str):
        # As OAuth writes them.
        given = re.split(r"[\s,]+", given)
    words = {str(word) for word in given} if isinstance(given, Iterable) else set()
    return [scope for scope in Scope if scope.value in words]
