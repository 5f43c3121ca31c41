"""Faults of the database that pass, as refusals (decisions.md 9)."""

import sqlite3
from typing import Final

from django.db import InterfaceError, InternalError, OperationalError

from blog_engine.errors import Busy, Refusal, Unavailable

_SQLITE_BUSY: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_SQLITE_GONE: Final = frozenset(
    {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY}
)

# Codes of PostgreSQL: serialization failure, deadlock, lock timeout, statement timeout.
_POSTGRESQL_BUSY: Final = frozenset({"40001", "40P01", "55P03", "57014"})
# Its classes: connection exception, insufficient resources, operator intervention.
_POSTGRESQL_GONE: Final = ("08", "53", "57")
# Its codes for a transaction that it ended, because it waited for something else or was open too long, and for a write
# to a server that may only be read, such as a standby.
_POSTGRESQL_REFUSED: Final = frozenset({"25P03", "25P04", "25006"})


def refusal_of_database(fault: Exception) -> Refusal | None:
    """A refusal itself, and ``Busy`` or ``Unavailable`` for a passing fault; ``None`` for a bug."""
    if isinstance(fault, Refusal):
        return fault
    cause = fault.__cause__
    if isinstance(fault, InternalError):
        return Unavailable() if getattr(cause, "sqlstate", None) in _POSTGRESQL_REFUSED else None
    if not isinstance(fault, OperationalError | InterfaceError):
        return None
    if isinstance(cause, sqlite3.Error):
        # The low byte is the kind of the fault, the rest its circumstances.
        kind = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        return Busy() if kind in _SQLITE_BUSY else Unavailable() if kind in _SQLITE_GONE else None
    code = getattr(cause, "sqlstate", None)
    if code is None:
        # PostgreSQL did not answer at all.
        return Unavailable()
    return Busy() if code in _POSTGRESQL_BUSY else Unavailable() if code.startswith(_POSTGRESQL_GONE) else None
