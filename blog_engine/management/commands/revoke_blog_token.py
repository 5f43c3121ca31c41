"""``revoke_blog_token PREFIX=…`` (access.tokens.revoke)."""

from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.management.base import Key, KeyValueCommand
from blog_engine.queries.tokens import tokens_starting_with
from blog_engine.services.tokens import revoke_token


class Command(KeyValueCommand):
    help = "Revoke the one API token whose secret starts with PREFIX."
    keys = (Key("PREFIX", "the first characters of the secret, up to 8, as list_blog_tokens shows them"),)

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        prefix = given.get("PREFIX", "").strip()
        if not prefix:
            raise CommandError("PREFIX is required: list_blog_tokens shows the prefixes.")
        found = tokens_starting_with(prefix)
        if not found:
            raise CommandError(f"No unrevoked token starts with {prefix[:8]}. Nothing was changed.")
        if len(found) > 1:
            names = ", ".join(f"{token.token_prefix} ({token.name})" for token in found)
            raise CommandError(f"{len(found)} tokens start with {prefix}: {names}. Nothing was changed.")
        revoke_token(found[0], now=timezone.now())
        self.stderr.write(f"Revoked {found[0].token_prefix}… of {found[0].name}.")
