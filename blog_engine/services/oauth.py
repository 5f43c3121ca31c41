"""Agents that people connected: disconnected, and clients that were never connected, removed."""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import router, transaction

from blog_engine.errors import Unavailable
from blog_engine.queries.oauth import live_refresh_tokens, oauth_model, unused_clients

KEPT_UNUSED: Final = timedelta(days=1)
"""How long a client that registered itself is kept without being connected."""
MOST_UNUSED: Final = 1000
"""Clients that registered themselves and wait for their first connection."""
_AT_ONCE: Final = 100


def oauth_transaction() -> AbstractContextManager[None]:
    """Return a transaction on the database of the tokens."""
    return transaction.atomic(using=router.db_for_write(oauth_model("refresh_token")))


def disconnect_agent(connection_id: int, *, now: datetime, user_id: object = None) -> bool:
    """Revoke the tokens of a connection and its open codes, and return whether there was one.

    With ``user_id`` only one of this user. The client is refused from its next request on.
    """
    with oauth_transaction():
        found = live_refresh_tokens(now).filter(pk=connection_id)
        found = found if user_id is None else found.filter(user_id=user_id)
        token = found.select_for_update(of=("self",)).first()
        if token is None:
            return False
        oauth_model("grant").objects.filter(application_id=token.application_id, user_id=token.user_id).delete()
        revoke_family(token)
    return True


def revoke_family(token: Any) -> None:
    """Revoke a refresh token, those that it was rotated from and to, and their access tokens."""
    if token.token_family:
        type(token).revoke_family(token.token_family)
    else:
        token.revoke()


def register_client(name: str, *, redirect_uris: Iterable[str], now: datetime) -> Any:
    """Store a client that registers itself, and return it; it is public, and has no secret.

    Clients that were not connected within a day are removed. Raises ``Unavailable`` while ``MOST_UNUSED`` newer ones
    wait for their first connection.
    """
    oldest = unused_clients().filter(created__lte=now - KEPT_UNUSED).order_by("pk").values_list("pk", flat=True)
    clients = oauth_model("application").objects
    clients.filter(pk__in=[*oldest[:_AT_ONCE]]).delete()
    if unused_clients()[:MOST_UNUSED].count() >= MOST_UNUSED:
        raise Unavailable
    return clients.create(
        name=name.strip(),
        redirect_uris=" ".join(redirect_uris),
        client_type="public",
        client_secret="",
        hash_client_secret=False,
        authorization_grant_type="authorization-code",
        registration_source="dcr",
    )
