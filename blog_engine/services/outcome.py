"""What a write did."""

from dataclasses import dataclass, field
from typing import Literal

from django.dispatch import Signal

from blog_engine.enums import ApprovalKind, EntryType, Label
from blog_engine.models import Post
from blog_engine.queries.findings import Finding, WriteContext


@dataclass(frozen=True, slots=True)
class Recorded:
    """The audit records a write made; ``None`` where it made none (service.md section 2, write envelope)."""

    revision: Literal["new", "same"] | None = None
    publication: EntryType | None = None
    approval: ApprovalKind | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """What a transaction left: the post, read inside it, what it recorded, and what only the write knows.

    ``post.pk`` is ``None`` when the post is gone. ``signal`` is sent once the write is committed.
    """

    post: Post
    signal: Signal | None
    records: Recorded = field(default_factory=Recorded)
    context: WriteContext = field(default_factory=WriteContext)
    created: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """The post as the write left it, read inside the same transaction, and what was recorded."""

    post: Post
    created: bool
    records: Recorded
    label: Label
    findings: list[Finding]


@dataclass(frozen=True, slots=True)
class Adopted(Written):
    """What an adoption did, or with ``dry_run`` would do; ``redirects`` counts the old slugs it wrote."""

    baseline: Literal["new", "replaced"] | None
    redirects: int
    dry_run: bool
