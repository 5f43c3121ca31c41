"""Public posts are what their history says, and the database keeps it so (decisions.md 4 and 9.16)."""

from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine import DOCUMENTATION
from blog_engine.models.protection import can_protect, missing_protection
from blog_engine.queries.audit import Audit, audit_public_posts
from blog_engine.queries.database import engine_connection
from blog_engine.report.base import Verdict, Visit, listed, require_tables, verdict


def check_records(visit: Visit) -> Verdict:
    """Identifiers and dates of public posts are recomputed; the triggers that keep history are all there."""
    require_tables()
    connection = engine_connection()
    audit = audit_public_posts(newest=visit.newest_posts)
    errors = [*_differences(audit), *_holes(connection)]
    return verdict(errors=errors, warnings=_unprotected(connection), well=f"{_extent(audit)}: all are as recorded.")


def _extent(audit: Audit) -> str:
    if audit.checked < audit.public:
        return (
            f"Recomputed the {audit.checked} most recently changed of {audit.public} public posts "
            "(blog_doctor recomputes all)"
        )
    return f"Recomputed all {audit.checked} public posts"


def _differences(audit: Audit) -> list[str]:
    if not audit.differing:
        return []
    posts = [f"{post_id}: {', '.join(faults)}" for post_id, faults in audit.differing.items()]
    return [
        f"{_extent(audit)}: {len(posts)} differ from the records. {listed(posts)}. Something wrote past the engine: "
        "compare with a backup."
    ]


def _holes(connection: BaseDatabaseWrapper) -> list[str]:
    missing = missing_protection(connection)
    if not missing:
        return []
    return [
        f"The database no longer protects the history; missing, switched off, changed or left open: {listed(missing)}. "
        "Find out what took it away, then restore it: "
        f"{DOCUMENTATION}/running.md#when-the-history-has-lost-its-protection"
    ]


def _unprotected(connection: BaseDatabaseWrapper) -> list[str]:
    if can_protect(connection):
        return []
    return [
        f"On {connection.display_name} nothing but the engine's own code refuses to change the history: only SQLite "
        "and PostgreSQL have triggers for it."
    ]
