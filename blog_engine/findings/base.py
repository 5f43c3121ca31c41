"""What a finding is, and the facts that it follows from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Final, NamedTuple, TypedDict

from django.db.models import Exists, QuerySet

from blog_engine.content.faq import FaqPair, body_has_faq_heading
from blog_engine.content.rendering import Rendered
from blog_engine.enums import BodyFormat
from blog_engine.models import ConnectionDeclaration, Post, when_public
from blog_engine.queries.compiled import CompiledValues, Parameter


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of advice; it never blocks a write (``findings.advisory``)."""

    code: str
    rule: str | None
    message: str
    location: str | None


@dataclass(frozen=True, slots=True)
class WriteContext:
    """What only the write itself knows (``findings.of-a-write``)."""

    author_defaulted: bool = False
    facts_unchecked: bool = False
    slug_moved: bool = False
    unrecorded: tuple[str, ...] = ()
    """Fields of a publication that were sent with a write that recorded none."""
    undated: tuple[str, ...] = ()
    """Times that an adoption dropped for lack of evidence."""
    published_now: bool = False
    """Whether ``publish_at`` was sent and had come already."""
    target_missing: bool = False
    """Whether readers find no page at the target of ``redirect_to``."""


class OtherRows(NamedTuple):
    """Facts about a post that other rows hold."""

    has_same_title: bool
    """Whether another published post has its title."""
    has_same_description: bool
    """Whether another published post is described in the same words."""
    is_declared: bool
    """Whether its connections are declared."""


@dataclass(frozen=True)
class Subject:
    """A post that is checked, read by ``queries.posts.read_post``."""

    post: Post
    write: WriteContext
    has_responsible_party: bool
    now: datetime

    @cached_property
    def faq(self) -> list[FaqPair]:
        """The FAQ in its order."""
        return [FaqPair(question=row.question, answer=row.answer) for row in self.post.faqs.all()]

    @cached_property
    def other_rows(self) -> OtherRows:
        """What other rows say of the post: one query for all checks."""
        post = self.post
        sent = {"post": post.pk, "title": post.title, "description_key": post.description_key}
        # The post can be gone meanwhile.
        return _OTHER_ROWS.first(**sent) or OtherRows(False, False, False)


def _other_rows() -> QuerySet[Post]:
    others = Post.objects.filter(when_public()).exclude(pk=Parameter("post")).order_by()
    described = others.filter(description_key=Parameter("description_key")).exclude(description_key="")
    declarations = ConnectionDeclaration.objects.filter(post_id=Parameter("post")).order_by()
    flags = Exists(others.filter(title=Parameter("title"))), Exists(described), Exists(declarations)
    return Post.objects.filter(pk=Parameter("post")).order_by().values_list(*flags)


_OTHER_ROWS: Final[CompiledValues[OtherRows]] = CompiledValues(_other_rows, OtherRows)


Found = Finding | Iterable[Finding] | None

Check = Callable[[Subject], Found]
"""A check returns the finding of a subject, several, or none; it writes nothing."""


def each(found: Found) -> Iterable[Finding]:
    """What a check gave, as any number of findings."""
    if found is None:
        return ()
    return (found,) if isinstance(found, Finding) else found


class HeadingFact(TypedDict):
    level: int
    text: str


class ImageFact(TypedDict):
    src: str
    alt: str


class BodyFacts(TypedDict):
    """Headings before the shift, images and links in document order, and the first three pieces of dropped HTML."""

    headings: list[HeadingFact]
    images: list[ImageFact]
    links: list[str]
    has_faq_heading: bool
    dropped_html: list[str]
    dropped_html_count: int
    is_hard_wrapped: bool


def facts_of(rendered: Rendered, body: str, body_format: str) -> dict[str, Any]:
    """Return the facts of a body as they are stored in ``Post.body_facts``."""
    facts = BodyFacts(
        headings=[HeadingFact(level=heading.level, text=heading.text) for heading in rendered.source_headings],
        images=[ImageFact(src=image.src, alt=image.alt) for image in rendered.images],
        links=list(rendered.links),
        has_faq_heading=body_format == BodyFormat.MARKDOWN and body_has_faq_heading(body),
        dropped_html=[_one_line(html) for html in rendered.dropped_html[:3]],
        dropped_html_count=len(rendered.dropped_html),
        is_hard_wrapped=rendered.is_hard_wrapped,
    )
    return dict(facts)


def stored_facts(stored: dict[str, Any]) -> BodyFacts:
    """Return the stored facts; a post without any has an empty body."""
    return BodyFacts(
        headings=stored.get("headings", []),
        images=stored.get("images", []),
        links=stored.get("links", []),
        has_faq_heading=stored.get("has_faq_heading", False),
        dropped_html=stored.get("dropped_html", []),
        dropped_html_count=stored.get("dropped_html_count", 0),
        is_hard_wrapped=stored.get("is_hard_wrapped", False),
    )


def _one_line(html: str) -> str:
    words = " ".join(html[:200].split())
    return words if len(words) <= 60 else f"{words[:59]}…"
