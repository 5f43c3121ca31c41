"""The post being written: found, locked, and kept or moved to its next status."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.timezone import is_naive, make_aware

from blog_engine.actor import Actor
from blog_engine.content.faq import FaqPair
from blog_engine.content.revision import revision_payload
from blog_engine.enums import PostStatus
from blog_engine.errors import IdentityConflict, NotFound, ValidationFailed
from blog_engine.inputs.posts import InlineApproval, PostFields, SavePost
from blog_engine.models import Faq, Post
from blog_engine.queries.history import content_of
from blog_engine.queries.posts import NO_SUCH_POST, post_id_of
from blog_engine.queries.records import row_of
from blog_engine.services._bodies import Bodies
from blog_engine.services._transaction import locked_post
from blog_engine.services.images import NO_IMAGES, PostImages


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


def find_post(key: str) -> Post:
    """The post with this id or slug as it is now, not locked; raises ``NotFound``."""
    return row_of(Post.objects.all(), post_id_of(key))


def lock_post(key: str) -> Post:
    """The post with this id or slug, locked; raises ``NotFound``."""
    post = locked_post(post_id_of(key))
    if post is None:
        raise NotFound(hint=NO_SUCH_POST)
    return post


def find_upsert_target(data: SavePost) -> Post | None:
    """What ``lock_upsert_target`` would lock now."""
    return find_selected(upsert_id(data))


def lock_upsert_target(data: SavePost) -> Post | None:
    """The post that ``external_id`` or ``slug`` selects, locked, or ``None`` for a new one (records.md 4).

    Raises ``IdentityConflict`` when they select two different posts.
    """
    return lock_selected(lambda: upsert_id(data))


def find_selected(post_id: int | None) -> Post | None:
    """The post with an id that was just selected, not locked; it may be gone again."""
    return None if post_id is None else Post.objects.filter(pk=post_id).first()


def lock_selected(select: Callable[[], int | None]) -> Post | None:
    """The post whose id ``select`` gives, locked, or ``None`` when it gives none."""
    while (found := select()) is not None:
        post = locked_post(found)
        # Another writer may have moved or deleted it before the lock was ours: then it is not the one meant.
        if post is not None and select() == found:
            return post
    return None


def upsert_id(data: SavePost) -> int | None:
    """The id of the post that ``external_id`` or ``slug`` selects now; raises ``IdentityConflict``."""
    by_external_id = _id_where(external_id=data.external_id)
    by_slug = _id_where(slug=data.slug)
    if by_external_id and by_slug and by_external_id != by_slug:
        raise IdentityConflict(
            ["slug", "external_id"], hint="They belong to two different posts: send only the one of the post you mean."
        )
    return by_external_id or by_slug


def _id_where(**identity: str | None) -> int | None:
    if not all(identity.values()):
        return None
    return Post.objects.filter(**identity).values_list("pk", flat=True).first()


def is_past(data: PostFields, *, now: datetime) -> bool:
    """Return whether `publish_at` was sent and has come: such a write publishes, whichever call it is."""
    time = _sent_time(data)
    return time is not None and time <= now


def keep_state(edit: Edit) -> PostStatus:
    """Take over a sent ``publish_at``, and give the status the post keeps.

    A scheduled post is moved, or becomes a draft when null was sent; a time that has come publishes. Elsewhere a
    future time raises ``ValidationFailed(["publish_at"])``: only publishing makes a schedule.
    """
    status = edit.before.status or PostStatus.DRAFT
    if not edit.sent("publish_at"):
        return status
    if is_past(edit.data, now=edit.now):
        return release_state(edit)
    time = _sent_time(edit.data)
    if status is PostStatus.SCHEDULED:
        edit.post.publish_at = time
        return PostStatus.DRAFT if time is None else PostStatus.SCHEDULED
    _refuse_future(edit, time)
    edit.post.publish_at = None
    return status


def release_state(edit: Edit) -> PostStatus:
    """The status that publishing gives: public now, scheduled for a sent future time, or draft when null cancels.

    A public post cannot be scheduled: ``ValidationFailed(["publish_at"])``.
    """
    time = _sent_time(edit.data)
    if edit.was_public:
        _refuse_future(edit, time)
        return PostStatus.PUBLISHED
    cancelled = edit.before.status is PostStatus.SCHEDULED and edit.sent("publish_at") and time is None
    is_future = time is not None and time > edit.now
    edit.post.publish_at = time if is_future else None
    if cancelled:
        return PostStatus.DRAFT
    return PostStatus.SCHEDULED if is_future else PostStatus.PUBLISHED


def _refuse_future(edit: Edit, time: datetime | None) -> None:
    if time is not None and time > edit.now:
        is_public = "The post is public already, so no time can be set: leave publish_at out."
        hint = is_public if edit.was_public else "Publish the post with this publish_at to schedule it."
        raise ValidationFailed(["publish_at"], hint=hint)


def _sent_time(data: PostFields) -> datetime | None:
    time = data.publish_at
    return make_aware(time) if time is not None and is_naive(time) else time


def taken_external_id() -> IdentityConflict:
    """The refusal of an external id that another post has."""
    return IdentityConflict(
        ["external_id"], hint="Send another external_id, or list the posts to find the one that has it."
    )


def taken_feed_id() -> IdentityConflict:
    """The refusal of a feed id that another post has."""
    return IdentityConflict(
        ["feed_id"], hint="Another post has that feed_id: send the id of this article, or leave feed_id out."
    )


def taken_slug(slug: str, *, from_title: bool) -> IdentityConflict:
    """The refusal of a slug that another post has; a caller who sent none learns that its title made it."""
    fault = f"The title makes the slug {slug}, which" if from_title else f"The slug {slug}"
    return IdentityConflict(["slug"], hint=f"{fault} is taken: send another slug, or update the post that has it.")


def taken_position() -> ValidationFailed:
    """The refusal of a place in a series that another post has."""
    return ValidationFailed(
        ["series_position"], hint="Another post of the series has that position: send another one, or null."
    )
