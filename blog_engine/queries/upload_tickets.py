"""Upload tickets by their URL, and those that are open."""

import re
import secrets
from datetime import datetime

from django.db.models import QuerySet

from blog_engine.models import UploadTicket
from blog_engine.queries.tokens import token_digest

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
