"""Scheduled posts are released in time (decisions.md 4, Schedule)."""

from datetime import UTC, timedelta

from blog_engine.queries.posts import scheduled_posts
from blog_engine.report.base import Verdict, Visit, require_tables, verdict

GRACE = timedelta(minutes=5)
"""How late a release may be before it is worth a warning."""


def check_schedule(visit: Visit) -> Verdict:
    """No scheduled post waits for longer than the grace."""
    require_tables()
    found = scheduled_posts(due_before=visit.now - GRACE)
    if found.earliest_due is None:
        return verdict(well=f"Scheduled posts: {found.number}. None is overdue.")
    since = found.earliest_due.astimezone(UTC).isoformat(timespec="seconds")
    overdue = (
        f"{found.due} of {found.number} scheduled posts are overdue, the first since {since}. Run publish_due_posts "
        "every minute; it reports the posts that it may not release."
    )
    return verdict(warnings=[overdue], well="")
