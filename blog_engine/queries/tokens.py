"""API tokens, found by the digest of their secret (records.md section 2)."""

import hashlib
import secrets
from datetime import datetime

from django.db.models import Q

from blog_engine.models import ApiToken

PREFIX_LENGTH = 8


def token_digest(secret: str) -> str:
    """What is stored instead of a secret: its SHA-256 in hexadecimal digits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def active_token_with(secret: str, *, now: datetime) -> ApiToken | None:
    """The token of this secret, unless it is revoked or expired."""
    digest = token_digest(secret)
    token = ApiToken.objects.filter(is_active(now), token_digest=digest).first()
    return token if token is not None and secrets.compare_digest(token.token_digest, digest) else None


def is_active(now: datetime) -> Q:
    """The condition under which a token authenticates: neither revoked nor expired."""
    return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))


def tokens_starting_with(prefix: str) -> list[ApiToken]:
    """The tokens that are not revoked and whose secret starts so; no more than the stored prefix can match."""
    found = ApiToken.objects.filter(revoked_at=None, token_prefix__startswith=prefix)
    # SQLite compares without regard to case, base58 does not.
    return [token for token in found if token.token_prefix.startswith(prefix)]


def all_tokens() -> list[ApiToken]:
    """Every token that was ever made, the oldest first."""
    return list(ApiToken.objects.order_by("id"))


def count_active_tokens(*, now: datetime) -> int:
    """How many tokens authenticate at this moment."""
    return ApiToken.objects.filter(is_active(now)).count()
