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
