"""API tokens and upload tickets, which are stored as digests of their secrets."""

import hashlib
import re
import secrets
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from blog_engine.models import ApiToken, UploadTicket
from blog_engine.queries.compiled import CompiledModels, Parameter

PREFIX_LENGTH = 8


def token_digest(secret: str) -> str:
    """Return the hexadecimal SHA-256 of a secret, which is stored instead of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def active_token_with(secret: str, *, now: datetime) -> ApiToken | None:
    """Return the token with this secret, unless it is revoked or expired; one query."""
    digest = token_digest(secret)
    token = _ACTIVE_TOKEN.first(digest=digest, now=now)
    return token if token is not None and secrets.compare_digest(token.token_digest, digest) else None


def is_active(now: datetime | Parameter) -> Q:
    """Return the condition that a token is neither revoked nor expired."""
    return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))


def _active_token() -> QuerySet[ApiToken]:
    now = Parameter("now", ApiToken._meta.get_field("expires_at"))
    return ApiToken.objects.filter(is_active(now), token_digest=Parameter("digest"))[:1]


_ACTIVE_TOKEN: Final[CompiledModels[ApiToken]] = CompiledModels(_active_token)


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


MOST_ATTEMPTS = 5
"""Uploads that one ticket admits until one succeeds."""

_ID = re.compile("[1-9][0-9]{0,17}")


def upload_ticket_at(ticket_id: str, secret: str) -> UploadTicket | None:
    """Return the ticket with this number and secret, open or not, or ``None``; at most one query."""
    ticket = UploadTicket.objects.filter(pk=int(ticket_id)).first() if _ID.fullmatch(ticket_id) else None
    is_its = ticket is not None and secrets.compare_digest(ticket.secret_digest, token_digest(secret))
    return ticket if is_its else None


def open_upload_tickets(now: datetime) -> QuerySet[UploadTicket]:
    """Return the tickets that still admit an upload."""
    return UploadTicket.objects.filter(image=None, expires_at__gt=now, attempts__lt=MOST_ATTEMPTS)


def names_of_active_tokens(*, now: datetime) -> list[str]:
    """Return the names of the tokens that authenticate at ``now``, each once, in their order."""
    return list(ApiToken.objects.filter(is_active(now)).order_by("name").values_list("name", flat=True).distinct())


def tokens_without_digests() -> QuerySet[ApiToken]:
    """Return all tokens; their digests are not read."""
    return ApiToken.objects.defer("token_digest")
