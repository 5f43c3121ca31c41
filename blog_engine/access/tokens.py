"""Bearer tokens as proof of who calls (records.md section 2)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import Error, connections, router

from blog_engine.access.faults import refusal_of
from blog_engine.models import ApiToken
from blog_engine.queries.tokens import active_token_with, is_active


def authenticated_token(secret: str, *, now: datetime) -> ApiToken | None:
    """The active token of this secret, with ``last_used_at`` set to ``now``; ``None`` when there is none.

    The update repeats the condition, so that a token revoked in between does not authenticate. A database that can be
    read but not written, such as a locked SQLite, keeps nobody out and nobody waiting: a later call notes its use.
    """
    token = active_token_with(secret, now=now)
    if token is None:
        return None
    try:
        with _at_once():
            marked = ApiToken.objects.filter(is_active(now), pk=token.pk).update(last_used_at=now)
    except Error as fault:
        if refusal_of(fault) is None:
            raise
        # Revoked in between or not: a database that cannot be read either says so here.
        return active_token_with(secret, now=now)
    return token if marked else None


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
