"""What a finding is, and what its checks are given."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from blog_engine.content.faq import FaqPair
from blog_engine.models import Post


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of advice; findings never block a write (service.md section 2)."""

    code: str
    rule: str | None
    message: str
    location: str | None


@dataclass(frozen=True, slots=True)
class WriteContext:
    """What only the write itself knows (records.md section 14, context findings)."""

    author_defaulted: bool = False
    facts_unchecked: bool = False
    slug_moved: bool = False
    unrecorded: tuple[str, ...] = ()
    """Fields that were sent for a publication, of a write that recorded none."""
    undated: tuple[str, ...] = ()
    """Times that an adoption dropped for lack of evidence."""
    published_now: bool = False
    """Whether ``publish_at`` was sent and had come already."""
    target_missing: bool = False
    """Whether nothing answers readers where ``redirect_to`` leads."""


@dataclass(frozen=True)
class Subject:
    """One post under inspection, read by ``queries.posts.read_post``."""

    post: Post
    write: WriteContext
    has_responsible_party: bool
    now: datetime

    @cached_property
    def faq(self) -> list[FaqPair]:
        """The FAQ in its order."""
        return [FaqPair(question=row.question, answer=row.answer) for row in self.post.faqs.all()]


Found = Finding | Iterable[Finding] | None

Check = Callable[[Subject], Found]
"""A check looks at one subject and gives its finding, several, or none; it reads, and writes nothing."""


def each(found: Found) -> Iterable[Finding]:
    """What a check gave, as any number of findings."""
    if found is None:
        return ()
    return (found,) if isinstance(found, Finding) else found
