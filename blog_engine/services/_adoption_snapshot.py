"""What an adoption says: its content as a post write, and what its records hold (records.md 12)."""

from datetime import date, datetime
from typing import Any, TypedDict

from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.posts import ContentFields, SavePost
from blog_engine.vocabulary import ApprovalKind

_EMPTY: dict[str, object] = {
    "description": "",
    "search_title": "",
    "search_description": "",
    "cover_alt": "",
    "faq": (),
    "tags": (),
    "featured": False,
}
"""What content is when it is left out; anything else is null."""


class BaselineFacts(TypedDict):
    """The columns of a baseline that the snapshot decides."""

    provenance: str
    provenance_evidence: str | None
    first_published_at: datetime | None
    first_published_evidence: str | None
    declared_first_published_at: datetime | None
    last_modified_at: datetime | None
    last_modified_evidence: str | None
    source_system: str
    source_id: str
    source_body_sha256: str | None


class ApprovalFacts(TypedDict):
    """The columns of an earlier approval that the snapshot decides."""

    kind: str
    reviewer_name: str
    facts_checked: bool
    approved_at: datetime
    declared_on: date | None
    declared_by: str | None
    confirmed_by: str | None
    evidence: str | None


def snapshot_of(data: AdoptPost) -> SavePost:
    """The content as a write in which every field was sent, so that an import clears what it leaves out."""
    content: dict[str, Any] = {name: _sent_or_empty(data, name) for name in ContentFields.model_fields}
    content |= {"provenance": data.provenance, "provenance_evidence": provenance_evidence(data)}
    return SavePost.model_construct(**content)


def provenance_evidence(data: AdoptPost) -> str | None:
    """The evidence that was sent, else a sentence about who declared it."""
    if data.provenance_evidence is None and data.declaration is not None:
        return f"Declared by {data.declaration.declared_by} on {data.declaration.declared_on.isoformat()}."
    return data.provenance_evidence


def baseline_facts(data: AdoptPost) -> BaselineFacts:
    """What is known of the article; a time without evidence is not, evidence without a time is kept."""
    declaration = data.declaration
    return BaselineFacts(
        provenance=data.provenance.value,
        provenance_evidence=provenance_evidence(data),
        first_published_at=data.first_published_at if data.first_published_evidence else None,
        first_published_evidence=data.first_published_evidence,
        declared_first_published_at=declaration.declared_first_published_at if declaration else None,
        last_modified_at=data.last_modified_at if data.last_modified_evidence else None,
        last_modified_evidence=data.last_modified_evidence,
        source_system=data.source_system,
        source_id=data.source_id,
        source_body_sha256=data.source_body_sha256,
    )


def undated(data: AdoptPost) -> tuple[str, ...]:
    """The times that were sent without evidence, which no record keeps."""
    dated = {"first_published_at": data.first_published_evidence, "last_modified_at": data.last_modified_evidence}
    return tuple(name for name, evidence in dated.items() if getattr(data, name) and not evidence)


def approval_facts(data: AdoptPost) -> ApprovalFacts | None:
    """The earlier approval, declared or imported, if there was one."""
    review = data.declaration or data.imported_approval
    if review is None:
        return None
    declaration, imported = data.declaration, data.imported_approval
    return ApprovalFacts(
        kind=(ApprovalKind.DECLARED if declaration else ApprovalKind.IMPORTED).value,
        reviewer_name=review.reviewer_name,
        facts_checked=review.facts_checked,
        approved_at=review.approved_at,
        declared_on=declaration.declared_on if declaration else None,
        declared_by=declaration.declared_by if declaration else None,
        confirmed_by=imported.confirmed_by if imported else None,
        evidence=imported.evidence if imported else None,
    )


def _sent_or_empty(data: AdoptPost, name: str) -> object:
    value = getattr(data, name)
    return _EMPTY.get(name) if value is None else value
