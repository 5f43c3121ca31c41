"""Looking at one check."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Model

from blog_engine.doctor.base import ProbeContext, Verdict
from blog_engine.models.protection import protection_statements, restore_protection
from tests.models.looking import execute
from tests.support.factories import LATER

VISIT = ProbeContext(now=LATER, newest_posts=None)


def look(check: Callable[[ProbeContext], Verdict]) -> tuple[str, str]:
    """Status and message of a check at the factories' ``LATER``."""
    found = check(VISIT)
    return found.status.value, found.message


def host(**changes: Any) -> dict[str, Any]:
    """The tests' ``BLOG_ENGINE`` with some keys changed."""
    return {**settings.BLOG_ENGINE, **changes}


@contextmanager
def unprotected(model: type[Model]) -> Iterator[None]:
    """Take the triggers of a table away inside the block, as somebody with all rights could."""
    _settle()
    for guard in protection_statements(connection, model):
        for statement in guard.drop_statements():
            execute(statement)
    yield
    _settle()
    restore_protection(connection)


def _settle() -> None:
    # PostgreSQL alters no table while checks that were put off to the commit wait for it.
    if connection.vendor == "postgresql":
        execute("SET CONSTRAINTS ALL IMMEDIATE")
        execute("SET CONSTRAINTS ALL DEFERRED")
