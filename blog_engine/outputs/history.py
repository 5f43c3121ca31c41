"""Outputs of the append-only history."""

from datetime import date

from blog_engine.enums import ApprovalKind, EntryType, Provenance
from blog_engine.outputs.base import Output, UTCMilliseconds


class RevisionRecord(Output):
    """The content of a post at one time."""

    identifier: str
    actor: str | None
    made_by_ai: bool | None
    created_at: UTCMilliseconds


class ApprovalRecord(Output):
    """A person's review of one revision."""

    kind: ApprovalKind
    revision_identifier: str
    reviewer_name: str
    facts_checked: bool
    approved_at: UTCMilliseconds
    declared_on: date | None
    declared_by: str | None
    confirmed_by: str | None
    evidence: str | None
    recorded_by: str | None


class PublicationRecord(Output):
    """One time at which a revision was made public."""

    entry_type: EntryType
    revision_identifier: str
    occurred_at: UTCMilliseconds
    released_by: str | None
    description: str | None
    note: str | None


class BaselineRecord(Output):
    """What was known of an article when it was adopted."""

    post_id: int
    adopted_at: UTCMilliseconds
    adopted_revision_id: int
    provenance: Provenance
    provenance_evidence: str | None
    first_published_at: UTCMilliseconds | None
    first_published_evidence: str | None
    declared_first_published_at: UTCMilliseconds | None
    last_modified_at: UTCMilliseconds | None
    last_modified_evidence: str | None
    source_system: str
    source_id: str
    source_body_sha256: str | None
    adopted_by: str | None


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
    declared_on: date
    recorded_by: str | None


class PostRecords(Output):
    """All records of one post, each list in insertion order."""

    revisions: list[RevisionRecord]
    approvals: list[ApprovalRecord]
    publications: list[PublicationRecord]
    baseline: BaselineRecord | None
    connections: list[ConnectionRecord]
