"""``list_blog_tokens``: list API tokens without their secrets."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from blog_engine.management.base import KeyValueCommand
from blog_engine.models import ApiToken
from blog_engine.queries.tokens import all_tokens


class Command(KeyValueCommand):
    help = "List all API tokens: prefix, state, scopes, last use and name. Secrets are not stored."

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        now = timezone.now()
        rows = [("PREFIX", "STATE", "SCOPES", "LAST USE", "NAME")]
        rows += [_row(token, now=now) for token in all_tokens()]
        widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            self.stdout.write("  ".join(cells).rstrip())


def _row(token: ApiToken, *, now: datetime) -> tuple[str, str, str, str, str]:
    last_use = token.last_used_at.isoformat(timespec="seconds") if token.last_used_at else "never"
    return token.token_prefix, _state(token, now=now), ",".join(token.scopes) or "none", last_use, token.name


def _state(token: ApiToken, *, now: datetime) -> str:
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at is not None and token.expires_at <= now else "active"
