"""Authenticate requests by bearer token or by the host's ``authenticate`` hook."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db import Error, connections, router
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from blog_engine.actor import Actor, Scope
from blog_engine.conf import authenticate_hook, issues_tokens
from blog_engine.enums import ActorKind
from blog_engine.errors import Unauthenticated
from blog_engine.http.origins import refuse_other_origins
from blog_engine.http.protected_resources import called_resource
from blog_engine.http.rate_limit import count_failed_attempt
from blog_engine.http.responses import refusal_of
from blog_engine.models import ApiToken
from blog_engine.queries.oauth import TOKEN_PREFIX, agent_of, oauth_token_with
from blog_engine.queries.tokens import active_token_with, is_active

_BEARER = re.compile(r"bearer (\S+)", re.IGNORECASE)
_LONGEST_NAME = 255
_RECORDING_INTERVAL = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated actor and the identity under which its requests are counted."""

    actor: Actor
    identity: str


def authenticate(request: HttpRequest, *, now: datetime) -> Caller:
    """Return the caller of a request.

    An ``authenticate`` hook replaces tokens (``access.hook``). Raises ``Unauthenticated``, also for a hook that raises
    Django's ``PermissionDenied`` or an exception whose ``status_code`` is 401, as those of REST framework; and
    ``RateLimited`` after too many refused tokens from one IP address. With a hook, raises ``ScopeRequired``
    (``origin``) for a form sent by a page of another site (``access.forged-forms``).
    """
    hook = authenticate_hook()
    if hook is None:
        return _token_caller(request, now=now)
    try:
        found = hook(request)
    except PermissionDenied as refusal:
        raise Unauthenticated from refusal
    except Exception as refusal:
        # Exceptions of REST framework, which this package must not import.
        if getattr(refusal, "status_code", None) == Unauthenticated.status:
            raise Unauthenticated from refusal
        raise
    if found is None:
        raise Unauthenticated
    if _may_be_form(request):
        refuse_other_origins(request)
    actor = actor_of(found)
    return Caller(actor, f"hook:{actor.id}")


def actor_of(found: object) -> Actor:
    """Return the actor with the ``name``, ``scopes``, ``id``, ``kind`` and ``user_id`` of a host's object.

    All but the name are optional (``access.hook``). Raises ``ImproperlyConfigured`` for a name or an id that the
    history cannot record, and for a person without a user.
    """
    name = str(getattr(found, "name", "") or "")
    if not name.strip() or len(name) > _LONGEST_NAME:
        raise ImproperlyConfigured(
            f"BLOG_ENGINE['authenticate'] or a caller of definitions() gave an actor whose name is not text of 1 to "
            f"{_LONGEST_NAME} characters."
        )
    given = getattr(found, "id", None)
    id = str(given) if given is not None and str(given).strip() else name
    # A caller from outside is no command or task, whatever the host's object says.
    is_person = str(getattr(found, "kind", "")) == ActorKind.PERSON
    try:
        return Actor(
            name,
            _scopes(getattr(found, "scopes", tuple(Scope))),
            id,
            kind=ActorKind.PERSON if is_person else ActorKind.TOKEN,
            user_id=getattr(found, "user_id", None),
        )
    except ValueError as fault:
        raise ImproperlyConfigured(f"BLOG_ENGINE['authenticate'] gave an actor that cannot act: {fault}.") from fault


def _scopes(given: object) -> list[str]:
    """Return the scopes that the host gave; other words are ignored."""
    if isinstance(given, str):
        # OAuth separates scopes by spaces.
        given = re.split(r"[\s,]+", given)
    words = {str(word) for word in given} if isinstance(given, Iterable) else set()
    return [scope for scope in Scope if scope.value in words]


def _token_caller(request: HttpRequest, *, now: datetime) -> Caller:
    header = request.headers.get("Authorization")
    if header is None:
        # A request without a token is no attempt to guess one (``access.rate.no-token``).
        raise Unauthenticated
    sent = _BEARER.fullmatch(header)
    if sent and sent[1].startswith(TOKEN_PREFIX) and issues_tokens():
        return _agent_caller(request, sent[1], now=now)
    token = _authenticated_token(sent[1], now=now) if sent else None
    if token is None:
        count_failed_attempt(request)
        raise Unauthenticated
    return Caller(Actor(token.name, token.scopes, token.actor_id, kind=ActorKind.TOKEN), token.actor_id)


def _agent_caller(request: HttpRequest, secret: str, *, now: datetime) -> Caller:
    """Return the caller with an access token that the blog issued by OAuth, and record its use once a minute."""
    token = oauth_token_with(secret, resource=called_resource(request), now=now)
    if token is None:
        count_failed_attempt(request)
        raise Unauthenticated
    if token.updated <= now - _RECORDING_INTERVAL:
        _record(type(token).objects.filter(pk=token.pk), updated=now)
    actor = agent_of(token)
    return Caller(actor, actor.id)


def _authenticated_token(secret: str, *, now: datetime) -> ApiToken | None:
    """Return the active token with this secret, or ``None``, and record its use.

    The use is recorded at most once a minute (``access.tokens.last-use``), under the condition that the token is still
    active, so that a token revoked in between does not authenticate. A database that can be read but not written, such
    as a locked SQLite, refuses and delays no caller: a later request records the use.
    """
    token = active_token_with(secret, now=now)
    if token is None or _was_just_used(token, now=now):
        return token
    recorded = _record(ApiToken.objects.filter(is_active(now), _not_just_used(now), pk=token.pk), last_used_at=now)
    # Otherwise the token was revoked or used in between. A database that cannot be read raises here.
    return token if recorded else active_token_with(secret, now=now)


def _record(tokens: QuerySet[Any], **columns: datetime) -> int:
    """Record a use, and return the number of tokens; 0 when the database cannot be written now."""
    try:
        with _without_waiting():
            return tokens.update(**columns)
    except Error as fault:
        if refusal_of(fault) is None:
            raise
        return 0


def _was_just_used(token: ApiToken, *, now: datetime) -> bool:
    last_use = token.last_used_at
    return last_use is not None and now - _RECORDING_INTERVAL < last_use <= now


def _not_just_used(now: datetime) -> Q:
    # A use in the future was recorded before the clock was set back.
    return Q(last_used_at=None) | Q(last_used_at__lte=now - _RECORDING_INTERVAL) | Q(last_used_at__gt=now)


@contextmanager
def _without_waiting() -> Iterator[None]:
    """Make statements fail at once while another writer has locked SQLite."""
    connection = connections[router.db_for_write(ApiToken)]
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    # Below Django's cursors, so that hosts that log queries see none.
    sqlite = connection.connection
    [wait] = sqlite.execute("PRAGMA busy_timeout").fetchone()
    sqlite.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        sqlite.execute(f"PRAGMA busy_timeout = {int(wait)}")


def _may_be_form(request: HttpRequest) -> bool:
    """Return whether a form of any site can send this, with the caller's cookies.

    Browsers send JSON and bearer tokens to another site only if the host allows it (CORS).
    """
    is_plain = request.method == "POST" and request.content_type != "application/json"
    return is_plain and not _BEARER.fullmatch(request.headers.get("Authorization", ""))
