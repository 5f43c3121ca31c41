"""The records of the model of a blog: posts, and the answer to one call."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

PAST = "2001-01-01T00:00:00Z"
FUTURE = "2999-01-01T00:00:00Z"

Content: TypeAlias = tuple[str, str, tuple[int, str] | None]
"""Title, body, and the cover with its text."""

Answer: TypeAlias = tuple[int, str | None, list[str]]
"""Status, code of a refusal, its details."""


class Refused(Exception):
    """The model refuses the call."""

    def __init__(self, status: int, code: str, details: list[str] | None = None) -> None:
        self.answer: Answer = (status, code, details or [])


@dataclass
class Baseline:
    """What is known of an adopted article, and its earlier approval."""

    source: tuple[str, str]
    first: str | None = None
    declared_first: str | None = None
    last: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    """The rest, as it was sent."""


@dataclass
class Life:
    """A post: its status and all its records."""

    slug: str
    external_id: str | None = None
    status: str = "draft"
    title: str = ""
    body: str = ""
    cover: int | None = None
    cover_alt: str = ""
    publish_at: str | None = None
    provenance: str = "unknown"
    evidence: str | None = None
    tags: list[str] = field(default_factory=list)
    featured: bool = False
    public: Content | None = None
    revisions: list[Content] = field(default_factory=list)
    publications: list[tuple[str, Content, str | None]] = field(default_factory=list)
    approvals: list[tuple[Content, str, bool]] = field(default_factory=list)
    """Content, kind, and whether the facts were checked."""
    declarations: list[str] = field(default_factory=list)
    """The names of those who declared."""
    baseline: Baseline | None = None
    number: int | None = None
    """The id, once known."""

    @property
    def content(self) -> Content:
        return self.title, self.body, (self.cover, self.cover_alt) if self.cover else None

    @property
    def path(self) -> str:
        return path_of(self.slug)

    def is_checked(self, content: Content | None) -> bool:
        """Return whether this content is approved with its facts checked."""
        return any(checked and approved == content for approved, _, checked in self.approvals)

    def revise(self, content: Content) -> str:
        """Record a revision; return whether it is new."""
        if content in self.revisions:
            return "same"
        self.revisions.append(content)
        return "new"


def path_of(slug: str) -> str:
    """Return the path of a post."""
    return f"/blog/{slug}"


def records(**made: Any) -> dict[str, Any]:
    """Return the records of an answer."""
    return {"revision": None, "publication": None, "approval": None} | made
