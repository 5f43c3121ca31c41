"""The evidence of a post, which ``blog_engine.verify`` checks (proof.evidence)."""

from typing import Any, Final

from pydantic import Field

from blog_engine.enums import Label, PostStatus, RecordKind
from blog_engine.models import Post
from blog_engine.outputs.base import AnswerContext, Output
from blog_engine.queries.evidence import PostEvidence
from blog_engine.rules.label import label_of
from blog_engine.verify import EVIDENCE_FORMAT

EVIDENCE_COMMAND: Final = "manage.py blog_evidence POST="
"""What returns evidence of any size, followed by a post."""


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
