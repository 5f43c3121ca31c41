"""``create_blog_token NAME=… SCOPES=… EXPIRES_AT=…`` (access.tokens.create)."""

from datetime import datetime
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone
from pydantic import TypeAdapter, ValidationError

from blog_engine.actor import Scope
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.formats import LocalTime
from blog_engine.management.base import Key, KeyValueCommand
from blog_engine.services.tokens import create_token

_TIME: TypeAdapter[datetime] = TypeAdapter(LocalTime)
_ADVICE = {
    "name": "NAME must be text of 1 to 255 characters.",
    "scopes": "SCOPES must be a comma-separated list of read, write and publish.",
}


class Command(KeyValueCommand):
    help = "Create an API token. The secret is the only line on standard output, and is shown only this once."
    keys = (
        Key("NAME", "the user of the token; the history records it"),
        Key("SCOPES", "comma-separated list of read, write and publish (default: all three)"),
        Key("EXPIRES_AT", "ISO 8601 date and time at which the token expires (default: never)"),
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        now = timezone.now()
        try:
            made = create_token(
                given.get("NAME", ""),
                scopes=_scopes(given["SCOPES"]) if "SCOPES" in given else tuple(Scope),
                expires_at=_time(given["EXPIRES_AT"]) if "EXPIRES_AT" in given else None,
                now=now,
            )
        except ValidationFailed as refusal:
            raise CommandError(refusal.hint or " ".join(_ADVICE[field] for field in refusal.details)) from refusal
        expiry = made.token.expires_at.isoformat() if made.token.expires_at else "never"
        scopes = ", ".join(made.token.scopes) or "none"
        self.stderr.write(
            f"Token {made.token.token_prefix}… for {made.token.name}. Scopes: {scopes}. Expires: {expiry}."
        )
        self.stderr.write("Save the secret now: it is not stored and cannot be shown again.")
        self.stdout.write(made.secret)


def _scopes(text: str) -> list[str]:
    """Return the scopes in the list, which can be empty."""
    return [word.strip() for word in text.split(",")] if text.strip() else []


def _time(text: str) -> datetime:
    try:
        time = _TIME.validate_python(text.strip())
    except ValidationError as error:
        raise CommandError("EXPIRES_AT must be an ISO 8601 date and time such as 2030-01-31T09:00:00Z.") from error
    return time if timezone.is_aware(time) else timezone.make_aware(time)
