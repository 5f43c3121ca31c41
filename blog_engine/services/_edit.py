"""A post in the middle of a write."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from blog_engine.actor import Actor
from blog_engine.content.faq import FaqPair
from blog_engine.content.revision import revision_payload
from blog_engine.inputs.parts import InlineApproval
from blog_engine.inputs.posts import PostFields
from blog_engine.models import Faq, Post
from blog_engine.queries.revision_content import content_of
from blog_engine.services._bodies import Bodies
from blog_engine.services._images import NO_IMAGES, PostImages
from blog_engine.vocabulary import PostStatus


@dataclass(frozen=True, slots=True)
class Before:
    """What the locked row said when the write began; of a new post, nothing."""

    status: PostStatus | None
    slug: str | None
    provenance: str | None
    public_identifier: str | None


@dataclass
class Edit:
    """The locked post with the changes of one write, which nothing has stored yet.

    ``post.faq`` is the FAQ as it will be; ``tags`` are the tag ids to set, ``None`` to keep the stored ones.
    ``faq`` is the FAQ as it is stored, and ``faq_in_texts`` the one that the derived texts were made with. ``stored``
    has the columns as the row has them, so that a write touches only those it changes. ``words_changed`` once a write
    stored other words to search for. ``base_url`` is the origin of the request, empty without one.
    """

    post: Post
    data: PostFields
    actor: Actor | None
    now: datetime
    before: Before
    bodies: Bodies
    images: PostImages = NO_IMAGES
    base_url: str = ""
    stored: dict[str, Any] = field(default_factory=dict)
    author_defaulted: bool = False
    tags: list[int] | None = None
    words_changed: bool = False
    faq: list[FaqPair] = field(init=False)
    faq_in_texts: list[FaqPair] = field(init=False)

    def __post_init__(self) -> None:
        # Copies: the hook may change the list of the post.
        self.faq, self.faq_in_texts = list(self.post.faq), list(self.post.faq)

    @property
    def payload(self) -> str:
        """The revision payload of the content as it is now."""
        return revision_payload(content_of(self.post, faq=self.post.faq))

    @property
    def is_new(self) -> bool:
        return self.before.status is None

    @property
    def was_public(self) -> bool:
        return self.before.status is PostStatus.PUBLISHED

    @property
    def actor_name(self) -> str | None:
        return self.actor.name if self.actor else None

    @property
    def approval(self) -> InlineApproval | None:
        return self.data.approval

    @property
    def changes_public_content(self) -> bool:
        """Whether the content differs from the public revision, which then exists."""
        public = self.before.public_identifier
        return public is not None and public != self.post.current_revision_identifier

    def sent(self, *names: str) -> Iterable[str]:
        """Those of the names that the caller sent, in this order."""
        return [name for name in names if name in self.data.model_fields_set]


def begin_edit(
    post: Post | None,
    data: PostFields,
    *,
    actor: Actor | None,
    now: datetime,
    bodies: Bodies | None = None,
    images: PostImages = NO_IMAGES,
    base_url: str = "",
) -> Edit:
    """Begin to write to a locked post, or to a new one; ``bodies`` and ``images`` are those prepared for this write."""
    prepared = bodies or Bodies()
    if post is None:
        fresh = Post(created_at=now)
        fresh.faq = []
        nothing = Before(status=None, slug=None, provenance=None, public_identifier=None)
        return Edit(fresh, data, actor, now, nothing, prepared, images, base_url)
    post.faq = [FaqPair(question=row.question, answer=row.answer) for row in Faq.objects.filter(post=post)]
    before = Before(
        status=PostStatus(post.status),
        slug=post.slug,
        provenance=post.provenance,
        public_identifier=post.public_revision.identifier if post.public_revision else None,
    )
    return Edit(post, data, actor, now, before, prepared, images, base_url, stored=columns_of(post))


def columns_of(post: Post) -> dict[str, Any]:
    """The columns of a post by the names of their fields."""
    return {column.name: getattr(post, column.attname) for column in post._meta.concrete_fields}
