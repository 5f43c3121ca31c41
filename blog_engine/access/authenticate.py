"""Who makes a request: bearer tokens, the host's `authenticate` hook, and foreign origins."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db import Error, connections, router
from django.db.models import Q
from django.http import HttpRequest

from blog_engine.access.rate_limit import client_address, count_failed_attempt
from blog_engine.actor import Actor, Scope
from blog_engine.blog_urls import origin_parts
from blog_engine.conf import authenticate_hook, get_settings
from blog_engine.errors import ScopeRequired, Unauthenticated
from blog_engine.http.faults import refusal_of
from blog_engine.models import ApiToken
from blog_engine.queries.tokens import active_token_with, is_active

_ORIGIN = re.compile(r"https?://[^/?#@\\\s]+", re.IGNORECASE)


def check_origin(request: HttpRequest) -> None:
    """Raise ``ScopeRequired`` (``origin``) unless the request's ``Origin`` is its own or that of ``public_base_url``.

    Programs send none and pass. Compared are scheme, host and port. What the request calls its own host rests on
    ``ALLOWED_HOSTS``; Django's ``DisallowedHost`` is raised for another.
    """
    sent = request.headers.get("Origin")
    if sent is None:
        return
    own = [f"{request.scheme}://{request.get_host()}", get_settings().public_base_url]
    if _parts(sent) not in [_parts(origin) for origin in own if origin]:
        raise ScopeRequired(["origin"], hint="Origin names another site, whose pages may not call this address.")


def _parts(origin: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port; raises ``ScopeRequired`` for what is no web origin, such as ``null``."""
    if not _ORIGIN.fullmatch(origin):
        raise ScopeRequired(["origin"], hint="Origin must be that of a web page (http or https).")
    try:
        return origin_parts(origin)
    except ValueError as fault:
        raise ScopeRequired(["origin"], hint="Origin is no address of a web site.") from fault


_NOTED_EVERY = timedelta(minutes=1)


def authenticated_token(secret: str, *, now: datetime) -> ApiToken | None:
    """Return the active token of this secret, or ``None``; its use is noted at most once a minute.

    A use that must be noted repeats the condition, so that a token revoked in between does not authenticate. A database
    that can be read but not written, such as a locked SQLite, keeps nobody out and nobody waiting: a later call notes
    its use.
    """
    token = active_token_with(secret, now=now)
    if token is None or _is_noted(token, now=now):
        return token
    noted = 0
    try:
        with _at_once():
            noted = ApiToken.objects.filter(is_active(now), _not_noted(now), pk=token.pk).update(last_used_at=now)
    except Error as fault:
        if refusal_of(fault) is None:
            raise
    # Otherwise it was revoked or noted in between; a database that cannot be read either says so here.
    return token if noted else active_token_with(secret, now=now)


def _is_noted(token: ApiToken, *, now: datetime) -> bool:
    last_use = token.last_used_at
    return last_use is not None and now - _NOTED_EVERY < last_use <= now


def _not_noted(now: datetime) -> Q:
    # A use after now was noted before the clock was set back.
    return Q(last_used_at=None) | Q(last_used_at__lte=now - _NOTED_EVERY) | Q(last_used_at__gt=now)


@contextmanager
def _at_once() -> Iterator[None]:
    """On SQLite, a statement of this block fails at once while another writer holds the database."""
    connection = connections[router.db_for_write(ApiToken)]
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    # Below Django's cursors: what is no query of ours is not counted as one.
    sqlite = connection.connection
    [wait] = sqlite.execute("PRAGMA busy_timeout").fetchone()
    sqlite.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        sqlite.execute(f"PRAGMA busy_timeout = {int(wait)}")


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
