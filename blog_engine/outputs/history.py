"""The append-only history (service.md section 2, History)."""

from blog_engine.enums import ApprovalKind, EntryType, Provenance
from blog_engine.models import Approval, Baseline, ConnectionDeclaration, Publication, Revision
from blog_engine.outputs.base import Day, Instant, Output, day_or_none, milliseconds_or_none, to_milliseconds
from blog_engine.queries.history import History


class RevisionRecord(Output):
    """The content of a post at one time."""

    identifier: str
    actor: str | None
    made_by_ai: bool | None
    created_at: Instant

    @classmethod
    def of(cls, revision: Revision) -> "RevisionRecord":
        return cls(
            identifier=revision.identifier,
            actor=revision.actor,
            made_by_ai=revision.made_by_ai,
            created_at=to_milliseconds(revision.created_at),
        )


class ApprovalRecord(Output):
    """A person's review of one revision."""

    kind: ApprovalKind
    revision_identifier: str
    reviewer_name: str
    facts_checked: bool
    approved_at: Instant
    declared_on: Day | None
    declared_by: str | None
    confirmed_by: str | None
    evidence: str | None
    recorded_by: str | None

    @classmethod
    def of(cls, approval: Approval) -> "ApprovalRecord":
        return cls(
            kind=ApprovalKind(approval.kind),
            revision_identifier=approval.revision.identifier,
            reviewer_name=approval.reviewer_name,
            facts_checked=approval.facts_checked,
            approved_at=to_milliseconds(approval.approved_at),
            declared_on=day_or_none(approval.declared_on),
            declared_by=approval.declared_by,
            confirmed_by=approval.confirmed_by,
            evidence=approval.evidence,
            recorded_by=approval.recorded_by,
        )


class PublicationRecord(Output):
    """One time at which a revision was made public."""

    entry_type: EntryType
    revision_identifier: str
    occurred_at: Instant
    released_by: str | None
    description: str | None
    note: str | None

    @classmethod
    def of(cls, publication: Publication) -> "PublicationRecord":
        return cls(
            entry_type=EntryType(publication.entry_type),
            revision_identifier=publication.revision.identifier,
            occurred_at=to_milliseconds(publication.occurred_at),
            released_by=publication.released_by,
            description=publication.description,
            note=publication.note,
        )


class BaselineRecord(Output):
    """What was known of an article when it was adopted."""

    post_id: int
    adopted_at: Instant
    adopted_revision_id: int
    provenance: Provenance
    provenance_evidence: str | None
    first_published_at: Instant | None
    first_published_evidence: str | None
    declared_first_published_at: Instant | None
    last_modified_at: Instant | None
    last_modified_evidence: str | None
    source_system: str
    source_id: str
    source_body_sha256: str | None
    adopted_by: str | None

    @classmethod
    def of(cls, baseline: Baseline) -> "BaselineRecord":
        return cls(
            post_id=baseline.post_id,
            adopted_at=to_milliseconds(baseline.adopted_at),
            adopted_revision_id=baseline.adopted_revision_id,
            provenance=Provenance(baseline.provenance),
            provenance_evidence=baseline.provenance_evidence,
            first_published_at=milliseconds_or_none(baseline.first_published_at),
            first_published_evidence=baseline.first_published_evidence,
            declared_first_published_at=milliseconds_or_none(baseline.declared_first_published_at),
            last_modified_at=milliseconds_or_none(baseline.last_modified_at),
            last_modified_evidence=baseline.last_modified_evidence,
            source_system=baseline.source_system,
            source_id=baseline.source_id,
            source_body_sha256=baseline.source_body_sha256,
            adopted_by=baseline.adopted_by,
        )


class DeclaredConnection(Output):
    """One relation to a party."""

    party: str
    relation: str


class ConnectionRecord(Output):
    """A complete declaration of connections."""

    post_id: int
    connections: list[DeclaredConnection]
    third_party_paid: bool
    declared_by: str
    declared_on: Day
    recorded_by: str | None

    @classmethod
    def of(cls, declaration: ConnectionDeclaration) -> "ConnectionRecord":
        return cls(
            post_id=declaration.post_id,
            connections=[DeclaredConnection(**one) for one in declaration.connections],
            third_party_paid=declaration.third_party_paid,
            declared_by=declaration.declared_by,
            declared_on=declaration.declared_on.isoformat(),
            recorded_by=declaration.recorded_by,
        )


class PostRecords(Output):
    """All records of one post, each list in insertion order."""

    revisions: list[RevisionRecord]
    approvals: list[ApprovalRecord]
    publications: list[PublicationRecord]
    baseline: BaselineRecord | None
    connections: list[ConnectionRecord]

    @classmethod
    def of(cls, history: History) -> "PostRecords":
        return cls(
            revisions=[RevisionRecord.of(row) for row in history.revisions],
            approvals=[ApprovalRecord.of(row) for row in history.approvals],
            publications=[PublicationRecord.of(row) for row in history.publications],
            baseline=BaselineRecord.of(history.baseline) if history.baseline else None,
            connections=[ConnectionRecord.of(row) for row in history.connections],
        )
