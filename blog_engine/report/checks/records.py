"""Public posts are what their history says, no record is missing, and the database keeps it so."""

from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine import DOCUMENTATION
from blog_engine.models.protection import missing_protection
from blog_engine.queries.audit import Audit, audit_public_posts, gaps_in_histories
from blog_engine.queries.database import engine_connection
from blog_engine.report.base import Verdict, Visit, listed, require_tables, verdict


def check_records(visit: Visit) -> Verdict:
    """Recompute identifiers and dates of public posts, look for missing records, and compare the triggers."""
    require_tables()
    connection = engine_connection()
    audit = audit_public_posts(newest=visit.newest_posts)
    errors = [*_differences(audit), *_gaps(), *_holes(connection)]
    return verdict(errors=errors, well=f"{_extent(audit)}: all are as recorded.")


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


def _gaps() -> list[str]:
    found = gaps_in_histories()
    if not found:
        return []
    posts = [f"{post_id}: {', '.join(gaps)}" for post_id, gaps in found.items()]
    return [
        f"The histories of {len(posts)} posts have gaps. {listed(posts)}. Something deleted or inserted records past "
        "the engine: compare with a backup."
    ]


def _holes(connection: BaseDatabaseWrapper) -> list[str]:
    missing = missing_protection(connection)
    if not missing:
        return []
    return [
        f"The database no longer protects the history; missing, switched off, changed or left open: {listed(missing)}. "
        "Find out what took it away, then restore it: "
        f"{DOCUMENTATION}/how-to/operate.md#when-the-history-has-lost-its-protection"
    ]
