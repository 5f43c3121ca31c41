"""API tokens: created and revoked."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from blog_engine.actor import Scope
from blog_engine.errors import ValidationFailed
from blog_engine.models import ApiToken, UploadTicket
from blog_engine.queries.tokens import PREFIX_LENGTH, token_digest
from blog_engine.services._transaction import write_transaction

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_RANDOM_CHARACTERS = 40
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token and its secret, which is not stored and can only be shown now."""

    token: ApiToken
    secret: str = field(repr=False)


def create_token(
    name: str, *, scopes: Iterable[str] = tuple(Scope), expires_at: datetime | None = None, now: datetime
) -> NewToken:
    """Create a token for the actor ``name``; one without scopes is allowed and permits nothing.

    Raises ``ValidationFailed`` naming ``name`` (blank or over 255 characters) or ``scopes`` (another word than the
    three); then nothing is stored.
    """
    wanted = list(dict.fromkeys(scopes))
    faulty = {
        "name": not name.strip() or len(name) > _LONGEST_NAME or "\0" in name,
        "scopes": not set(wanted) <= set(Scope),
    }
    if any(faulty.values()):
        raise ValidationFailed([key for key, is_faulty in faulty.items() if is_faulty])
    secret = "be_" + "".join(secrets.choice(_BASE58) for _ in range(_RANDOM_CHARACTERS))
    token = ApiToken.objects.create(
        name=name,
        token_digest=token_digest(secret),
        token_prefix=secret[:PREFIX_LENGTH],
        scopes=[Scope(scope).value for scope in wanted],
        expires_at=expires_at,
        created_at=now,
    )
    return NewToken(token=token, secret=secret)


def revoke_token(token: ApiToken, *, now: datetime) -> None:
    """Revoke a token and its upload tickets at once and for good; the time of an earlier revocation stays."""
    with write_transaction():
        ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)
        UploadTicket.objects.filter(actor_id=token.actor_id).delete()
