"""API tokens: created and revoked."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.utils.crypto import salted_hmac

from blog_engine.actor import Scope
from blog_engine.errors import NameOfUser, ValidationFailed
from blog_engine.models import ApiToken, UploadTicket
from blog_engine.queries.people import names_of_users
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
    is_new: bool = True
    """Whether this call made it, and not an earlier one with the same ``form``."""


def create_token(
    name: str,
    *,
    scopes: Iterable[str] = tuple(Scope),
    expires_at: datetime | None = None,
    now: datetime,
    form: str = "",
) -> NewToken:
    """Create a token for the actor ``name``; one without scopes is allowed and permits nothing.

    Calls with the same ``form``, a text that cannot be guessed, make and return one token.

    Raises ``ValidationFailed`` naming ``name`` (blank, over 255 characters, or that of a user of the site) or
    ``scopes`` (another word than the three); then nothing is stored.
    """
    wanted = list(dict.fromkeys(scopes))
    faulty = {
        "name": not name.strip() or len(name) > _LONGEST_NAME or "\0" in name,
        "scopes": not set(wanted) <= set(Scope),
    }
    if any(faulty.values()):
        raise ValidationFailed([key for key, is_faulty in faulty.items() if is_faulty])
    if names_of_users({name}):
        raise NameOfUser
    secret = "be_" + (_repeatable(form) if form else _random())
    columns = {
        "name": name,
        "token_prefix": secret[:PREFIX_LENGTH],
        "scopes": [Scope(scope).value for scope in wanted],
        "expires_at": expires_at,
        "created_at": now,
    }
    with write_transaction():
        token, is_new = ApiToken.objects.get_or_create(token_digest=token_digest(secret), defaults=columns)
    return NewToken(token=token, secret=secret, is_new=is_new)


def _random() -> str:
    return "".join(secrets.choice(_BASE58) for _ in range(_RANDOM_CHARACTERS))


def _repeatable(form: str) -> str:
    """Return characters that follow from a form and the secret key of the site."""
    number = int.from_bytes(salted_hmac("blog_engine.tokens", form, algorithm="sha512").digest(), "big")
    return "".join(_BASE58[number // 58**place % 58] for place in range(_RANDOM_CHARACTERS))


def revoke_token(token: ApiToken, *, now: datetime) -> None:
    """Revoke a token and its upload tickets at once and for good; the time of an earlier revocation stays."""
    with write_transaction():
        ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=now)
        UploadTicket.objects.filter(actor_id=token.actor_id).delete()
