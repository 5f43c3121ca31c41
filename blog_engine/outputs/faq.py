"""A proposed FAQ (service.md section 2, records.md 13)."""

from pydantic import Field

from blog_engine.content.faq_extraction import FaqExtraction
from blog_engine.outputs.base import Output
from blog_engine.outputs.embedded import FaqObject
from blog_engine.vocabulary import FaqClass, FaqReason


class CutRange(Output):
    """A part of the submitted body by its UTF-8 bytes; ``end`` is exclusive."""

    start: int
    end: int


class FaqProposal(Output):
    """The FAQ that a body holds, and the body without it; nothing was changed."""

    pairs: list[FaqObject]
    cut: list[CutRange]
    body_after: str
    leftover: list[str]
    class_: FaqClass = Field(serialization_alias="class")
    reasons: list[FaqReason]
    source_body_sha256: str

    @classmethod
    def of(cls, found: FaqExtraction) -> "FaqProposal":
        return cls(
            pairs=[FaqObject(question=pair.question, answer=pair.answer) for pair in found.pairs],
            cut=[CutRange(start=start, end=end) for start, end in found.cut],
            body_after=found.body_after,
            leftover=list(found.leftover),
            class_=found.verdict,
            reasons=list(found.reasons),
            source_body_sha256=found.source_body_sha256,
        )
