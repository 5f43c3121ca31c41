"""E18: whether a person checked the facts of what is public (records.md 16)."""

from datetime import datetime
from typing import Final

from blog_engine.content.text import in_utc
from blog_engine.enums import ApprovalKind, Provenance
from blog_engine.models import Approval
from blog_engine.queries.posts import ReportedPost
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import (
    DECLARED,
    Observation,
    failed,
    not_applicable,
    not_verified,
    passed,
)

AFTER_RELEASE: Final = "review after release"


def check_review(article: Article, inspection: Inspection) -> Observation:
    """A facts-checked approval of the public revision is recorded; of several, the one with the fewest marks counts."""
    record = article.record
    if record.post.provenance == Provenance.HUMAN_WRITTEN:
        return not_applicable("The article was written by people, and needs no review of what an AI wrote.")
    released_at = _released_at(record)
    approvals = [one for one in record.approvals if one.revision_id == record.post.public_revision_id]
    reviews = [one for one in approvals if one.facts_checked]
    if not reviews:
        return _without_review(record, is_approved=bool(approvals), details=_details(None, released_at))
    review = min(reviews, key=lambda one: (len(_marks(one, released_at)), one.approved_at))
    return passed(
        f"{review.reviewer_name} checked the facts of the public revision.",
        marks=_marks(review, released_at),
        details=_details(review.approved_at, released_at),
    )


def _without_review(record: ReportedPost, *, is_approved: bool, details: dict[str, str | None]) -> Observation:
    sentence = (
        "The public revision was approved without a check of its facts."
        if is_approved
        else "No approval of the public revision is recorded."
    )
    if record.post.provenance == Provenance.AI_ASSISTED:
        return failed(sentence, details=details)
    return not_verified(f"{sentence} It is not known whether it needs one.", details=details)


def _marks(approval: Approval, released_at: datetime | None) -> tuple[str, ...]:
    marks = []
    if approval.kind == ApprovalKind.DECLARED:
        marks.append(DECLARED)
    if released_at is not None and approval.approved_at > released_at:
        marks.append(AFTER_RELEASE)
    return tuple(marks)


def _released_at(record: ReportedPost) -> datetime | None:
    """When the public revision went public for the first time; an adopted one, by its adoption."""
    times = (one.occurred_at for one in record.publications if one.revision_id == record.post.public_revision_id)
    return next(times, None)


def _details(approved_at: datetime | None, released_at: datetime | None) -> dict[str, str | None]:
    """Both as the history writes them, so that the records can be found there."""
    times = {"approved_at": approved_at, "released_at": released_at}
    return {name: in_utc(time, "milliseconds") if time else None for name, time in times.items()}
