"""Agents that people connected by OAuth: their tokens, and what their users may do at the desk.

The models are those of django-oauth-toolkit, which a host can swap, and which are there with the extra ``oauth`` only.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from blog_engine.actor import CONNECTED_PREFIX, LONGEST_ID, Actor, Scope
from blog_engine.enums import ActorKind
from blog_engine.queries.reviewers import name_of_user

TOKEN_PREFIX: Final = "bo_"  # noqa: S105  # not a secret
"""The start of the access tokens that the blog issues; django-oauth-toolkit's own views issue others."""

_READING: Final = ("view_post", "write_post", "publish_post", "approve_post")
_PUBLISHING: Final = ("publish_post", "approve_post")
"""The scope ``publish`` approves and publishes, for which the desk has two permissions."""
_SUPPORTING: Final = "manage_supporting"
SUPPORTING_OPERATIONS: Final = frozenset(
    {
        *(f"{verb}_{record}" for verb in ("create", "update") for record in ("category", "series", "author")),
        *("save_redirect", "delete_redirect", "save_page", "doctor", "get_surface_report"),
    }
)
"""Operations for which the desk asks for the permission on supporting records (oauth.supporting)."""

MOST_CONNECTIONS: Final = 200
"""The connections that the desk lists at once."""
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_LONGEST_LABEL: Final = 60
_LONGEST_NAME: Final = 255
_LABEL: Final = re.compile(r"[^\w .()+-]+")


def oauth_model(name: Literal["application", "access_token", "refresh_token", "grant"]) -> Any:
    """Return a model of django-oauth-toolkit, or the one that the host swapped it for."""
    default = "oauth2_provider." + name.title().replace("_", "")
    return apps.get_model(getattr(settings, f"OAUTH2_PROVIDER_{name.upper()}_MODEL", default))


def secret_checksum(secret: str) -> str:
    """Return the hexadecimal SHA-256 under which a token is found."""
    return hashlib.sha256(secret.encode()).hexdigest()


def oauth_token_with(secret: str, *, resource: str, now: datetime) -> Any | None:
    """Return the access token with this secret, if it works at a resource; one query.

    It was issued by the blog, for this resource, to a user who is still active, and has not expired.
    """
    if not secret.startswith(TOKEN_PREFIX):
        return None
    tokens = oauth_model("access_token").objects.select_related("application", "user")
    token = tokens.filter(token_checksum=secret_checksum(secret), expires__gt=now).first()
    if token is None or token.application is None or resource not in token.resource:
        return None
    return token if token.user is not None and token.user.is_active else None


def agent_of(token: Any) -> Actor:
    """Return the actor of an access token: its user, through the client.

    The scopes are those of the token that the user may still give (oauth.scopes.live).
    """
    user = token.user
    allowed = scopes_of_user(user)
    return Actor(
        f"{name_of_user(user)[: _LONGEST_NAME - _LONGEST_LABEL - 5]} via {client_label(token.application)}",
        [scope for scope in token.scope.split() if scope in allowed],
        f"{CONNECTED_PREFIX}{token.application_id}-{user.pk}"[:LONGEST_ID],
        kind=ActorKind.TOKEN,
        user_id=user.pk,
        barred=() if user.has_perm(f"blog_engine.{_SUPPORTING}") else SUPPORTING_OPERATIONS,
    )


def scopes_of_user(user: Any) -> frozenset[Scope]:
    """Return the scopes that a user may give to an agent: those that the desk's permissions stand for.

    A user who cannot open the desk has none.
    """
    if not (user.is_active and getattr(user, "is_staff", False)):
        return frozenset()
    conditions = {
        Scope.READ: any(_may(user, name) for name in _READING),
        Scope.WRITE: _may(user, "write_post"),
        Scope.PUBLISH: all(_may(user, name) for name in _PUBLISHING),
    }
    return frozenset(scope for scope, is_met in conditions.items() if is_met)


def _may(user: Any, permission: str) -> bool:
    return bool(user.has_perm(f"blog_engine.{permission}"))


def client_label(application: Any) -> str:
    """Return what the blog calls a client: the host that gets its codes, or else its name.

    A host cannot be claimed by another one, as a name can, and a name that a client gave itself is shown without the
    dots of a host. The name of a client that an administrator registered is theirs.
    """
    host = None if application.registration_source == "manual" else client_host(application)
    name = application.name if application.registration_source == "manual" else application.name.replace(".", " ")
    return (host or " ".join(_LABEL.sub(" ", name).split()))[:_LONGEST_LABEL].strip() or "an agent"


def claimed_name(application: Any) -> str:
    """Return the name that a client gave itself, without characters that change how the text beside it reads."""
    return "".join(character for character in application.name if character.isprintable())[:_LONGEST_LABEL]


def client_host(application: Any) -> str | None:
    """Return the host of the redirect URIs of a client, or ``None`` if they lead to several places or to a program."""
    parts = [urlsplit(uri) for uri in application.redirect_uris.split()]
    hosts = {one.hostname if one.scheme == "https" else None for one in parts}
    return hosts.pop() if len(hosts) == 1 else None


def is_loopback(uri: str) -> bool:
    """Return whether a redirect URI leads to the machine of the user (RFC 8252, section 7.3)."""
    parts = urlsplit(uri)
    return parts.scheme == "http" and parts.hostname in _LOOPBACK and "@" not in parts.netloc


@dataclass(frozen=True, slots=True)
class ConnectedAgent:
    """An agent that a person connected."""

    id: int
    """The number of its refresh token."""
    user_id: str
    user: str
    client: str
    claimed_name: str
    """The name that the client gave itself; may be empty."""
    scopes: tuple[str, ...]
    """Those that the user gave."""
    last_used_at: datetime


def connections(*, now: datetime, user_id: object = None) -> list[ConnectedAgent]:
    """Return the agents that are connected, the last one first, at most ``MOST_CONNECTIONS``; default: of all users."""
    rows = live_refresh_tokens(now).select_related("user", "application", "access_token").order_by("-pk")
    rows = rows if user_id is None else rows.filter(user_id=user_id)
    return [*_connections(rows[:MOST_CONNECTIONS])]


def live_refresh_tokens(now: datetime) -> QuerySet[Any]:
    """Return the refresh tokens that can still be used."""
    idle = getattr(settings, "OAUTH2_PROVIDER", {}).get("REFRESH_TOKEN_EXPIRE_SECONDS") or 0
    since = Q(access_token__expires__gt=now - timedelta(seconds=idle)) if idle else Q()
    tokens: QuerySet[Any] = oauth_model("refresh_token").objects.filter(
        since, revoked=None, access_token__isnull=False, application__isnull=False
    )
    return tokens


def _connections(rows: QuerySet[Any]) -> Iterator[ConnectedAgent]:
    for row in rows:
        yield ConnectedAgent(
            id=row.pk,
            user_id=str(row.user_id),
            user=name_of_user(row.user),
            client=client_label(row.application),
            claimed_name=claimed_name(row.application),
            scopes=tuple(row.access_token.scope.split()),
            last_used_at=row.access_token.updated,
        )


def unused_clients() -> QuerySet[Any]:
    """Return the clients that registered themselves and have neither a code nor a token."""
    rows: QuerySet[Any] = oauth_model("application").objects.filter(
        ~Exists(oauth_model("grant").objects.filter(application=OuterRef("pk"))),
        ~Exists(oauth_model("refresh_token").objects.filter(application=OuterRef("pk"))),
        ~Exists(oauth_model("access_token").objects.filter(application=OuterRef("pk"))),
        registration_source="dcr",
    )
    return rows
