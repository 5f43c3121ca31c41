"""Addresses that moved or were removed."""

import hashlib
from urllib.parse import unquote

from blog_engine.models import Redirect


def path_key(path: str) -> str:
    """The digest under which a path is compared: percent-decoded, without a trailing slash (decisions.md 9.15)."""
    plain = unquote(path)
    return hashlib.sha256((plain.rstrip("/") or "/").encode()).hexdigest()


def redirect_at(path: str) -> Redirect | None:
    """The row for a path without ``SCRIPT_NAME``, if the address moved or was removed."""
    return Redirect.objects.filter(old_key=path_key(path)).first()
