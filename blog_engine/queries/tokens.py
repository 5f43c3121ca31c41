"""API tokens, which are stored as digests of their secrets."""

import hashlib
import secrets
from datetime import datetime

from django.db.models import Q

from blog_engine.models import ApiToken

PREFIX_LENGTH = 8


def token_digest(secret: str) -> str:
    """Return the hexadecimal SHA-256 of a secret, which is stored instead of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def active_token_with(secret: str, *, now: datetime) -> ApiToken | None:
    """Return the token with this secret, unless it is revoked or expired."""
    digest = token_digest(secret)
    token = ApiToken.objects.filter(is_active(now), token_digest=digest).first()
    return token if token is not None and secrets.compare_digest(token.token_digest, digest) else None


def is_active(now: datetime) -> Q:
    """Return the condition that a token is neither revoked nor expired."""
    return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))


def tokens_starting_with(prefix: str) -> list[ApiToken]:
    """Return the tokens that are not revoked and whose prefix starts with ``prefix``."""
    found = ApiToken.objects.filter(revoked_at=None, token_prefix__startswith=prefix)
    # SQLite ignores case, base58 does not.
    return [token for token in found if token.token_prefix.startswith(prefix)]


def all_tokens() -> list[ApiToken]:
    """Return all tokens, oldest first, revoked and expired ones included."""
    return list(ApiToken.objects.order_by("id"))


def count_active_tokens(*, now: datetime) -> int:
    """Return the number of tokens that authenticate at ``now``."""
    return ApiToken.objects.filter(is_active(now)).count()
