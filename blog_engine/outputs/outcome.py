"""The envelope of every post write, and findings (service.md section 2)."""

from typing import Literal

from blog_engine.outputs.base import Output
from blog_engine.outputs.context import AnswerContext
from blog_engine.outputs.posts import FullPost
from blog_engine.queries.findings import Finding
from blog_engine.services import Recorded, Written
from blog_engine.vocabulary import ApprovalKind, EntryType, Label


class FindingObject(Output):
    """A piece of advice."""

    code: str
    rule: str | None
    message: str
    location: str | None

    @classmethod
    def of(cls, finding: Finding) -> "FindingObject":
        return cls(code=finding.code, rule=finding.rule, message=finding.message, location=finding.location)


class FindingList(Output):
    """The findings of a stored post."""

    findings: list[FindingObject]


class RecordsMade(Output):
    """Which audit records a write made."""

    revision: Literal["new", "same"] | None
    publication: EntryType | None
    approval: ApprovalKind | None

    @classmethod
    def of(cls, records: Recorded) -> "RecordsMade":
        return cls(revision=records.revision, publication=records.publication, approval=records.approval)


class WriteEnvelope(Output):
    """What a write left behind."""

    post: FullPost
    created: bool
    records: RecordsMade
    label: Label
    findings: list[FindingObject]

    @classmethod
    def of(cls, written: Written, context: AnswerContext) -> "WriteEnvelope":
        return cls(
            post=FullPost.of(written.post, context),
            created=written.created,
            records=RecordsMade.of(written.records),
            label=written.label,
            findings=[FindingObject.of(finding) for finding in written.findings],
        )
