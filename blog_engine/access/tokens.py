"""Bearer tokens as proof of who calls (records.md section 2)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import Error, connections, router
from django.db.models import Q

from blog_engine.access.faults import refusal_of
from blog_engine.models import ApiToken
from blog_engine.queries.tokens import active_token_with, is_active

_NOTED_EVERY = timedelta(minutes=1)


def authenticated_token(secret: str, *, now: datetime) -> ApiToken | None:
    """Return the active token of this secret, or ``None``; its use is noted at most once a minute.

    A use that must be noted repeats the condition, so that a token revoked in between does not authenticate. A database
    that can be read but not written, such as a locked SQLite, keeps nobody out and nobody waiting: a later call notes
    its use.
    """
    token = active_token_with(secret, now=now)
    if token is None or _is_noted(token, now=now):
        return token
    noted = 0
    try:
        with _at_once():
            noted = ApiToken.objects.filter(is_active(now), _not_noted(now), pk=token.pk).update(last_used_at=now)
    except Error as fault:
        if refusal_of(fault) is None:
            raise
    # Otherwise it was revoked or noted in between; a database that cannot be read either says so here.
    return token if noted else active_token_with(secret, now=now)


def _is_noted(token: ApiToken, *, now: datetime) -> bool:
    last_use = token.last_used_at
    return last_use is not None and now - _NOTED_EVERY < last_use <= now


def _not_noted(now: datetime) -> Q:
    # A use after now was noted before the clock was set back.
    return Q(last_used_at=None) | Q(last_used_at__lte=now - _NOTED_EVERY) | Q(last_used_at__gt=now)


@contextmanager
def _at_once() -> Iterator[None]:
    """On SQLite, a statement of this block fails at once while another writer holds the database."""
    connection = connections[router.db_for_write(ApiToken)]
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    # Below Django's cursors: what is no query of ours is not counted as one.
    sqlite = connection.connection
    [wait] = sqlite.execute("PRAGMA busy_timeout").fetchone()
    sqlite.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        sqlite.execute(f"PRAGMA busy_timeout = {int(wait)}")
