"""Exceptions that are no bug, as refusals: for every face that answers requests (decisions.md 9)."""

import sqlite3
from collections.abc import Mapping

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.db import InterfaceError, OperationalError
from django.http import UnreadablePostError

from blog_engine.errors import Busy, PayloadTooLarge, Refusal, Unavailable, ValidationFailed

# What Django raises while a request is read, by us or by a host's authenticate hook.
_OF_READING: Mapping[type[Exception], Refusal] = {
    RequestDataTooBig: PayloadTooLarge(),
    TooManyFieldsSent: ValidationFailed(hint="The address has too many query parameters."),
    UnreadablePostError: ValidationFailed(["body"], hint="The body could not be read."),
}

_SQLITE_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_SQLITE_GONE = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})

# Codes of PostgreSQL: serialization failure, deadlock, lock timeout, statement timeout.
_POSTGRESQL_BUSY = frozenset({"40001", "40P01", "55P03", "57014"})
# Its classes: connection exception, insufficient resources, operator intervention.
_POSTGRESQL_GONE = ("08", "53", "57")


def refusal_of(fault: Exception) -> Refusal | None:
    """A refusal itself, that of a request which cannot be read, and ``Busy`` or ``Unavailable`` for a passing fault.

    ``None`` for a bug, such as a missing table. A cache out of reach is not looked for: ``rate_limit`` raises
    ``Unavailable`` itself. A forged ``Host`` header stays Django's own 400, as its ``CommonMiddleware`` gives it.
    """
    if isinstance(fault, Refusal):
        return fault
    if isinstance(fault, OperationalError | InterfaceError):
        return _of_database(fault)
    return next((refusal for kind, refusal in _OF_READING.items() if isinstance(fault, kind)), None)


def _of_database(fault: OperationalError | InterfaceError) -> Refusal | None:
    cause = fault.__cause__
    if isinstance(cause, sqlite3.Error):
        # The low byte is the kind of the fault, the rest its circumstances.
        kind = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return Busy() if kind in _SQLITE_BUSY else Unavailable() if kind in _SQLITE_GONE else None
    code = getattr(cause, "sqlstate", None)
    if code is None:
        # PostgreSQL did not answer at all.
        return Unavailable()
    return Busy() if code in _POSTGRESQL_BUSY else Unavailable() if code.startswith(_POSTGRESQL_GONE) else None
