"""Settings from environment variables."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

_WORDS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


def read_switch(name: str, *, default: bool) -> bool:
    """Return a boolean variable; an unset or empty one has the default.

    Raises ``ImproperlyConfigured`` for any other value.
    """
    text = os.environ.get(name, "").strip().lower()
    if not text:
        return default
    if text not in _WORDS:
        raise ImproperlyConfigured(f"{name} must be true or false, not {text!r}.")
    return _WORDS[text]


def read_list(name: str, *, default: list[str]) -> list[str]:
    """Return the values of a variable, separated by commas."""
    values = [value.strip() for value in os.environ.get(name, "").split(",") if value.strip()]
    return values or default


def read_cache(name: str) -> dict[str, object]:
    """Return Django's cache definition for ``redis://…``; default: process memory.

    Raises ``ImproperlyConfigured`` for any other URL.
    """
    url = os.environ.get(name, "")
    if not url:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    if not url.startswith(("redis://", "rediss://", "unix://")):
        raise ImproperlyConfigured(f"{name} must be a Redis URL such as redis://127.0.0.1:6379/0.")
        # A server that accepts connections and never answers must not hold a request; older clients have no timeout.
    timeouts = {"socket_connect_timeout": 1, "socket_timeout": 1}
    return {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url, "OPTIONS": timeouts}


def read_secret_key(name: str, *, kept_in: Path) -> str:
    """Return the secret key of the variable.

    Without it, a key is generated at the first start and kept in a file with the mode 0600.
    """
    given = os.environ.get(name, "")
    if given:
        return given
    if not kept_in.exists():
        _keep(get_random_secret_key(), path=kept_in)
    return kept_in.read_text("utf-8").strip()


def _keep(secret: str, *, path: Path) -> None:
    # Several processes may start at once: the link appears with complete content, and the first one wins.
    with NamedTemporaryFile("w", dir=path.parent, encoding="utf-8") as fresh:
        fresh.write(secret + "\n")
        fresh.flush()
        try:
            os.link(fresh.name, path)
        except FileExistsError:
            return
