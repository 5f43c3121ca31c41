"""Outputs of the append-only history, and of the evidence that ``blog_engine.verify`` checks (proof.evidence)."""

import json
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from pydantic import Field, create_model

from blog_engine.enums import ActorKind, ApprovalKind, EntryType, Label, PostStatus, Provenance, RecordKind, RemarkKind
from blog_engine.models import Post, Remark
from blog_engine.outputs.base import AnswerContext, Output, UTCMilliseconds, UTCSeconds
from blog_engine.outputs.proposals import ProposalCard, revision_difference
from blog_engine.queries.evidence import PostEvidence
from blog_engine.queries.versions import PostVersion
from blog_engine.rules.content_fields import OPTIONAL_TEXTS, REVISION_TEXTS
from blog_engine.rules.label import label_of
from blog_engine.rules.revision import differing_fields
from blog_engine.verify import EVIDENCE_FORMAT


class _ByActor(Output):
    """The kind and the id of the actor that made a record; null in records from before 0.2."""

    actor_kind: ActorKind | None
    actor_id: str | None


class RevisionRecord(_ByActor):
    """The content of a post at one time."""

    identifier: str
    actor: str | None
    made_by_ai: bool | None
    is_proposed: bool
    created_at: UTCMilliseconds


class ApprovalRecord(_ByActor):
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
    signed: bool = Field(validation_alias="is_signed")


class PublicationRecord(_ByActor):
    """One time at which a revision was made public."""

    entry_type: EntryType
    revision_identifier: str
    occurred_at: UTCMilliseconds
    released_by: str | None
    description: str | None
    note: str | None


class BaselineRecord(_ByActor):
    """Facts about an article when it was adopted."""

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


class ConnectionRecord(_ByActor):
    """A complete declaration of connections."""

    post_id: int
    connections: list[DeclaredConnection]
    third_party_paid: bool
    declared_by: str
    declared_on: date
    recorded_by: str | None


class VersionRecord(Output):
    """A version of a draft, which is no record of the history."""

    identifier: str
    saved_at: UTCSeconds
    actor: str | None
    actor_kind: str | None


class ConversationEntry(Output):
    """An entry of the conversation about a post (reviews.records)."""

    id: int
    kind: RemarkKind
    text: str
    passage: str
    in_text: bool | None
    actor: str
    written_at: UTCMilliseconds
    asked: str | None
    in_reply_to: int | None = Field(validation_alias="in_reply_to_id")
    revision_identifier: str
    resolved_by: str | None
    resolved_at: UTCMilliseconds | None

    @classmethod
    def of(cls, remark: Remark) -> "ConversationEntry":
        """Return an entry that ``queries.conversation`` placed in the text."""
        return cls.from_attributes(remark, asked=remark.person_name or None)


class PostRecords(Output):
    """All records of one post, each list in insertion order; of its proposals the newest hundred, newest first.

    The versions of its draft are newest first, and no records.
    """

    revisions: list[RevisionRecord]
    approvals: list[ApprovalRecord]
    publications: list[PublicationRecord]
    baseline: BaselineRecord | None
    connections: list[ConnectionRecord]
    proposals: list[ProposalCard]
    versions: list[VersionRecord]
    conversation: list[ConversationEntry]


class RevisionImage(Output):
    """An image of a version: the path of a stored one, or the URL of an external one."""

    role: str
    url: str
    sha256: str
    alt: str


class RevisionPair(Output):
    """A question and its answer in a version."""

    question: str
    answer: str


class _RevisionFacts(Output):
    """The facts of a version beside its content."""

    identifier: str
    actor: str | None
    made_by_ai: bool | None
    created_at: UTCMilliseconds | None


if TYPE_CHECKING:
    _RevisionTexts = _RevisionFacts
else:
    _RevisionTexts = create_model(
        "_RevisionTexts", __base__=_RevisionFacts, **dict.fromkeys(REVISION_TEXTS, (str, ...))
    )


class RevisionContents(_RevisionTexts):
    """A version of a post with its content, normalised as for its identifier."""

    images: list[RevisionImage]
    faq: list[RevisionPair]
    body: str


class PostRevision(Output):
    """One version of a post."""

    revision: RevisionContents

    @classmethod
    def of(cls, version: PostVersion) -> "PostRevision":
        """Return the answer about one version."""
        return cls(revision=RevisionContents.from_attributes(version, **_contents(version)))


def _contents(version: PostVersion) -> dict[str, object]:
    contents: dict[str, object] = json.loads(version.payload)
    return dict.fromkeys(OPTIONAL_TEXTS, "") | contents


class RevisionComparison(Output):
    """The difference between two versions of a post."""

    from_: str = Field(serialization_alias="from")
    to: str
    changed_fields: list[str]
    difference: str
    truncated: bool


class ComparedRevisions(Output):
    """The comparison of two versions."""

    compare: RevisionComparison

    @classmethod
    def of(cls, names: tuple[str, str], old: PostVersion, new: PostVersion) -> "ComparedRevisions":
        """Return the comparison of two versions, which the difference calls by these names."""
        difference, is_cut = revision_difference(old.payload, new.payload, names=names)
        return cls(
            compare=RevisionComparison(
                from_=old.identifier,
                to=new.identifier,
                changed_fields=differing_fields(old.payload, new.payload),
                difference=difference,
                truncated=is_cut,
            )
        )


EVIDENCE_COMMAND: Final = "manage.py blog_evidence POST="
"""The command that returns evidence of any size; a post follows it."""


class EvidencePost(Output):
    """The post as it is now; nothing in it is proven."""

    id: int
    slug: str
    title: str
    url: str
    status: PostStatus
    label: Label


class EvidencePayload(Output):
    """The canonical content of a revision, whose SHA-256 is the identifier."""

    identifier: str
    payload: str


class EvidenceRecord(Output):
    """A record, and its position in the chain; null for one that has no link."""

    position: int | None
    record: dict[str, Any]


class EvidenceLink(Output):
    """A link of the chain."""

    position: int
    kind: RecordKind
    digest: str
    chained_at: str
    previous: str
    hash: str


class PublishedCheckpoint(Output):
    """A checkpoint as it is published."""

    format: str
    number: int
    created_at: str
    boundary: int
    size: int
    root: str
    previous: str
    hash: str


class EvidenceInclusion(Output):
    """The place of the newest covered link in the tree of the checkpoint."""

    position: int
    index: int
    path: list[str]


class EvidenceSince(Output):
    """The first checkpoint that covered that link."""

    number: int
    created_at: str
    hash: str


class EvidenceDocument(Output):
    """Everything that proves the history of a post."""

    format: str = Field(json_schema_extra={"const": EVIDENCE_FORMAT})
    blog: str
    post: EvidencePost
    payloads: list[EvidencePayload]
    records: list[EvidenceRecord]
    chain: list[EvidenceLink]
    checkpoint: PublishedCheckpoint | None
    inclusion: EvidenceInclusion | None
    since: EvidenceSince | None

    @classmethod
    def of(cls, post: Post, evidence: PostEvidence, context: AnswerContext) -> "EvidenceDocument":
        """Return the document about a post."""
        urls = context.urls
        described = EvidencePost.from_attributes(
            post,
            url=urls.post_url(post.slug),
            label=label_of(post, has_responsible_party=context.has_responsible_party),
        )
        blog = urls.absolute(urls.index_path())
        return cls.from_attributes(evidence, format=EVIDENCE_FORMAT, blog=blog, post=described)
