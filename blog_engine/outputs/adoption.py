"""The answer of an adoption (service.md section 2, records.md 12)."""

from typing import Literal

from blog_engine.outputs.base import Output
from blog_engine.outputs.context import AnswerContext
from blog_engine.outputs.outcome import FindingObject, RecordsMade
from blog_engine.outputs.posts import FullPost
from blog_engine.services import Adopted


class AdoptionRecords(RecordsMade):
    """Which audit records an adoption made, and how many redirects from former addresses it wrote."""

    baseline: Literal["new", "replaced"] | None
    redirects: int


class Adoption(Output):
    """An adopted article, or with ``dry_run`` what it would be."""

    post: FullPost
    created: bool
    records: AdoptionRecords
    findings: list[FindingObject]
    dry_run: bool

    @classmethod
    def of(cls, adopted: Adopted, context: AnswerContext) -> "Adoption":
        return cls(
            post=FullPost.of(adopted.post, context),
            created=adopted.created,
            records=AdoptionRecords(
                revision=adopted.records.revision,
                publication=adopted.records.publication,
                approval=adopted.records.approval,
                baseline=adopted.baseline,
                redirects=adopted.redirects,
            ),
            findings=[FindingObject.of(finding) for finding in adopted.findings],
            dry_run=adopted.dry_run,
        )
