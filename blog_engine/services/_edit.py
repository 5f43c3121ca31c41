"""The post that a write is about: found, allowed, prepared for, locked, and edited in memory."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils.timezone import get_default_timezone, get_default_timezone_name, is_naive

from blog_engine.actor import ON_SCHEDULE, Actor, Call, RecordedActor, Scope
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.enums import PostStatus
from blog_engine.errors import IdentityConflict, NotFound, PostIsPublic, ValidationFailed
from blog_engine.findings import FoundWhenStored
from blog_engine.images.fetched import fetch_digests
from blog_engine.images.files import ImageFiles
from blog_engine.inputs.posts import (
    ContentFields,
    PostFields,
    PublishPost,
    SavePost,
    UpdatePost,
)
from blog_engine.models import Baseline, Faq, Post, PostTag, Publication, Revision
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter
from blog_engine.queries.post_names import no_such_post
from blog_engine.queries.posts import PostByKey, faq_rows, taggings_of
from blog_engine.rendering.bodies import body_source_digest
from blog_engine.rendering.options import rendering_key
from blog_engine.rules.dates import with_whole_minutes
from blog_engine.rules.review_place import ReviewPlace, to_change_in_place, to_publish
from blog_engine.rules.revision import content_of, revision_payload
from blog_engine.services._prepared import PostImages, Prepared, edit_body, parse_answers, with_edited_body
from blog_engine.services._taxonomy import MadeRecords
from blog_engine.services._transaction import lock_post, lock_translations
from blog_engine.services._versions import require_expected
from blog_engine.services.counts import List, lists_of
from blog_engine.services.images import gather
from blog_engine.services.passkeys import SignedAnswer
from blog_engine.services.write_log import note_post
from blog_engine.services.writing_images import writing_images


@contextmanager
def editing(data: PostFields, call: Call, *, prepared: Prepared, releases: bool = False) -> Iterator["Edit"]:
    """Edit the post that ``data`` names, or a new one, in one transaction.

    Images are fetched and the body is rendered first. Then the transaction begins, the post is locked, and what the
    actor may do with it is checked again. ``releases`` makes the write publish the post; otherwise it keeps its state.
    Raises ``ScopeRequired``, ``NotFound``, ``RevisionMismatch``, ``IdentityConflict``, ``PostIsPublic``,
    ``ImageNotPermitted`` or ``ValidationFailed``; then nothing is written.
    """
    if releases:
        call.actor.require(Scope.PUBLISH, instead=to_publish(call.base_url))
    if prepared.images is None:
        # A write that is refused must not make the blog fetch or render anything.
        post = find_target(data)
        _admit(post, data, call, releases=releases)
        (refuse_long_past if releases else refuse_past)(site_time(data.publish_at), now=call.now)
        gather_images(edit_body(data, post, prepared), post, prepared=prepared)
    with writing_images() as files:
        if data.translation_of is not None:
            lock_translations(data.translation_of, find_target(data))
        post = find_target(data, lock=True)
        _admit(post, data, call, releases=releases)
        yield begin_edit(
            post,
            with_edited_body(data, post, prepared),
            prepared,
            actor=call.actor,
            now=call.now,
            base_url=call.base_url,
            files=files,
        )


def find_target(data: PostFields, *, source: "QuerySet[Baseline] | None" = None, lock: bool = False) -> Post | None:
    """Return the post that a write is about, or ``None`` for a new one.

    ``source`` are the baselines of an adopted article, whose post comes before the one of ``external_id`` or ``slug``.
    Raises ``NotFound`` for an unknown ``id``, and ``IdentityConflict`` (``posts.upsert.target``).
    """
    if isinstance(data, UpdatePost | PublishPost):
        return find_post(data.id, lock=lock)
    while (post_id := _id_of_target(data, source)) is not None:
        found = lock_post(post_id) if lock else _POSTS.first(post_id)
        # Another writer may have moved or deleted it before the lock was ours: then it is not the one meant.
        if not lock or (found is not None and _id_of_target(data, source) == post_id):
            return found
    return None


def find_post(key: str, *, lock: bool = False) -> Post:
    """Return the post with this id or slug; raises ``NotFound``."""
    post = lock_post(key) if lock else _POSTS.first(key)
    if post is None:
        raise NotFound(hint=no_such_post(key))
    return post


_POSTS: Final = PostByKey(Post.objects.order_by)


def _id_of_target(data: ContentFields, source: "QuerySet[Baseline] | None") -> int | None:
    adopted = None if source is None else source.all().values_list("post_id", flat=True).first()
    if adopted is not None:
        return adopted
    sent = {name: value for name, value in (("external_id", data.external_id), ("slug", data.slug)) if value}
    if not sent:
        return None
    ids = _ids_of(*sent).all(**sent)
    if len(ids) > 1:
        raise IdentityConflict(
            ["slug", "external_id"], hint="They belong to two different posts: send only the one of the post you mean."
        )
    return next(iter(ids), None)


@cache
def _ids_of(*names: str) -> CompiledValues[int]:
    """Return the query for the ids of the posts with one of these unique values."""
    named = Q(*(Q(**{name: Parameter(name)}) for name in names), _connector=Q.OR)
    return CompiledValues(lambda: Post.objects.filter(named).order_by().values_list("pk"), int)


_NEED_PUBLISH = (PostStatus.SCHEDULED, PostStatus.PUBLISHED)


def _admit(post: Post | None, data: PostFields, call: Call, *, releases: bool) -> None:
    """Raise a refusal unless the actor may write to the post in its present state, and it is the expected one.

    ``publish`` is required for scheduled and public posts and for an approval, ``write`` for anything else. A release
    needs no more than the scope that was checked before. Raises ``ScopeRequired``, ``PostIsPublic`` or
    ``RevisionMismatch``.
    """
    if post is not None:
        note_post(post.pk)
    if not releases:
        if post is not None and post.status in _NEED_PUBLISH:
            may_propose = Scope.WRITE in call.actor.scopes
            call.actor.require(Scope.PUBLISH, instead=to_change_in_place(call.base_url) if may_propose else "")
        else:
            call.actor.require(Scope.WRITE)
        if data.approval is not None:
            call.actor.require(Scope.PUBLISH, instead=ReviewPlace(post, base_url=call.base_url).hand_over())
        if isinstance(data, SavePost) and post is not None and post.status == PostStatus.PUBLISHED:
            raise PostIsPublic
    require_expected(post, data)


def gather_images(data: ContentFields, post: Post | None, *, prepared: Prepared) -> None:
    """Gather the images that a write brings, and render its body unless the stored rendering fits.

    Raises ``ImageNotPermitted`` for the cover and the social image, and ``ValidationFailed(["body"])``. An external
    image of the body that cannot be fetched has no digest (``images.bodies.unverified``).
    """
    cover, social = (gather(sent) if sent else None for sent in (data.cover_image, data.social_image))
    prepared.images = PostImages(cover, social, _prepare_body(data, post, prepared))
    parse_answers(data.faq or ())


def _prepare_body(data: ContentFields, post: Post | None, prepared: Prepared) -> Mapping[str, str]:
    """Render the body of the write, and return the digests of the external images of a changed one."""
    settings = get_settings()
    body = data.body if data.body is not None else post.body if post else ""
    body_format = data.body_format or (post.body_format if post else settings.default_body_format)
    language = data.language if data.language is not None else post.language if post else ""
    is_refused = data.body_format is not None and data.body_format not in settings.body_formats
    if is_refused or len(body.encode()) > settings.max_body_bytes:
        return {}
    is_sent = data.body is not None or data.body_format is not None
    is_stored = post is not None and post.body_image_source_digest == body_source_digest(body, body_format)
    if post is not None and is_stored and post.rendered_with == rendering_key(language):
        if is_sent:
            prepared.check(body, body_format)
        return {}
    external = (prepared.render_new if is_sent else prepared.render)(body, body_format, language).external_images
    return fetch_digests(external) if external and not is_stored else {}


@dataclass(frozen=True, slots=True)
class Before:
    """The post as it was when the write began; all ``None`` for a new one."""

    status: PostStatus | None = None
    publish_at: datetime | None = None
    slug: str | None = None
    provenance: str | None = None
    public_identifier: str | None = None
    lists: Counter[List] = field(default_factory=Counter)
    """The lists that the post was in, except those of its tags."""


@dataclass
class Edit:
    """A locked post with the changes of one write, before anything is stored."""

    post: Post
    """``post.faq`` is the FAQ as it will be."""
    data: PostFields
    prepared: Prepared
    actor: Actor | None
    """``None`` for a scheduled release."""
    now: datetime
    base_url: str = ""
    """The origin of the request; empty without one."""
    files: ImageFiles = field(default_factory=ImageFiles)
    before: Before = field(default_factory=Before)
    stored: dict[str, Any] = field(default_factory=dict)
    """The columns as the row has them, so that a write touches only those that it changes; empty for a new post."""
    stored_faq: list[Faq] = field(default_factory=list)
    publications: list[Publication] = field(default_factory=list)
    """The publications of the post with the identifiers of their revisions, in insertion order."""
    revisions: dict[str, Revision | None] = field(default_factory=dict)
    """The revisions that were looked up, by identifier."""
    signed: SignedAnswer | None = None
    """What a passkey answered to the challenge of the inline approval."""
    proposal: int | None = None
    """The id of the proposal that the edit makes, if it is one."""
    author_defaulted: bool = False
    repeated: list[str] = field(default_factory=list)
    """The fields whose records repeat the last ones of the actor."""
    made: MadeRecords = field(default_factory=MadeRecords)
    """The records that the write made because it names them."""
    tags: list[int] | None = None
    """The ids of the tags to set; ``None`` keeps the stored ones."""
    changed: list[str] = field(default_factory=list)
    """Names of the fields that the write changed, once the post is stored."""
    found: FoundWhenStored | None = None
    """The findings that follow from its row and FAQ alone, once the post is stored."""
    words_changed: bool = False
    """Whether the write stored other words to search for."""
    listing_changed: bool = False
    """Whether the post comes into the lists, leaves them or gets another place there."""
    images: PostImages = field(init=False)
    faq: list[FaqPair] = field(init=False)
    """The FAQ as it is stored."""
    faq_in_texts: list[FaqPair] = field(init=False)
    """The FAQ that the derived texts were made with."""

    def __post_init__(self) -> None:
        self.images = self.prepared.images or PostImages()
        self.faq = [FaqPair(question=row.question, answer=row.answer) for row in self.stored_faq]
        # Copies: the hook may change the list of the post.
        self.post.faq, self.faq_in_texts = list(self.faq), list(self.faq)

    @property
    def payload(self) -> str:
        """The revision payload of the content as it is now."""
        return revision_payload(content_of(self.post, faq=self.post.faq))

    @cached_property
    def taggings(self) -> list[PostTag]:
        """The stored taggings with their tags, in the order sent; one query, and none for a new post."""
        return [] if self.is_new else taggings_of(self.post.pk)

    @property
    def stored_tags(self) -> dict[str, int]:
        """The ids of the stored tags by their keys."""
        return {tagging.tag.key: tagging.tag_id for tagging in self.taggings}

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
    def recorded_actor(self) -> RecordedActor:
        """The actor as records name it."""
        return self.actor.recorded if self.actor else ON_SCHEDULE

    @property
    def review_place(self) -> ReviewPlace:
        """The place at which a person signs the content, once it is stored."""
        return ReviewPlace(self.post, self.proposal, self.base_url)

    @property
    def changes_public_content(self) -> bool:
        """Whether the post has a public revision and its content differs from it."""
        public = self.before.public_identifier
        return public is not None and public != self.post.current_revision_identifier

    @property
    def keeps_public_content(self) -> bool:
        """Whether the post is public, and stays so with the same content."""
        return self.was_public and not self.changes_public_content

    @property
    def publish_at(self) -> datetime | None:
        """The time that was sent, read in the site's time zone where it has none."""
        time = site_time(self.data.publish_at)
        return None if time is None else time.astimezone(UTC)

    @property
    def is_past(self) -> bool:
        """Whether ``publish_at`` was sent and has come: such a release is not scheduled."""
        return self.publish_at is not None and self.publish_at <= self.now

    def sent(self, *names: str) -> list[str]:
        """Return those of the names that the caller sent, in this order."""
        return [name for name in names if name in self.data.model_fields_set]


def begin_edit(
    post: Post | None,
    data: PostFields,
    prepared: Prepared,
    *,
    actor: Actor | None,
    now: datetime,
    base_url: str = "",
    files: ImageFiles | None = None,
    faq: list[Faq] | None = None,
) -> Edit:
    """Begin the edit of a locked post, which is its next version, or of a new one.

    Reads its publications, and its FAQ unless that is in ``faq``.
    """
    if faq is None:
        faq = [] if post is None else faq_rows(post.pk)
    edited = post or Post(created_at=now, created_by=actor.user if actor else None)
    edit = Edit(edited, data, prepared, actor, now, base_url, files or ImageFiles(), stored_faq=faq)
    if post is not None:
        edit.stored = columns_of(post)
        edit.publications = _PUBLICATIONS.all(post=post.pk) if post.public_revision_id else []
        for entry in edit.publications:
            edit.revisions[entry.revision.identifier] = entry.revision
            if entry.revision_id == post.public_revision_id:
                post.public_revision = entry.revision
        edit.before = Before(
            status=PostStatus(post.status),
            publish_at=post.publish_at,
            slug=post.slug,
            provenance=post.provenance,
            public_identifier=post.public_revision.identifier if post.public_revision else None,
            lists=lists_of(post),
        )
        post.version += 1
    return edit


def _publications() -> QuerySet[Publication]:
    entries = Publication.objects.filter(post=Parameter("post")).select_related("revision").order_by("id")
    return entries.only("entry_type", "occurred_at", "note", "revision__identifier")


_PUBLICATIONS: Final[CompiledModels[Publication]] = CompiledModels(_publications)


def columns_of(post: Post) -> dict[str, Any]:
    """Return the columns of a post by the names of their fields."""
    return {column.name: getattr(post, column.attname) for column in post._meta.concrete_fields}


def changed_columns(post: Post, stored: Mapping[str, Any]) -> list[str]:
    """Return the names of the columns of a post that differ from those that are stored; all without any."""
    return [name for name, value in columns_of(post).items() if stored.get(name, ...) != value]


def refuse_expired(post: Post, *, at: datetime) -> None:
    """Raise ``ValidationFailed(["expires_at"])`` for a post that has expired at this moment."""
    if post.expires_at is not None and post.expires_at <= at:
        hint = f"That is not after {at.isoformat(timespec='seconds')}: send a later time, or null for no end."
        raise ValidationFailed(["expires_at"], hint=hint)


LONGEST_DELAY: Final = timedelta(hours=24)
"""A time that passed no longer ago is that of a publication that came late; an older one is a wrong date."""


def site_time(time: datetime | None) -> datetime | None:
    """Return a ``publish_at`` that was sent, in ``TIME_ZONE`` where it has no offset.

    Raises ``ValidationFailed`` for a local time that the clocks skip or show twice.
    """
    if time is None or not is_naive(time):
        return time
    zone = get_default_timezone()
    first, second = (time.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    readings = sorted(one.astimezone(UTC) for one in (first, second))
    # The clocks show neither reading of a time that they skip.
    is_shown = readings[0].astimezone(zone).replace(tzinfo=None) == time.replace(fold=0)
    what = "occurs twice" if is_shown else "does not exist"
    either = " or ".join(with_whole_minutes(one.astimezone(zone)).isoformat() for one in readings)
    raise ValidationFailed(
        ["publish_at"],
        hint=f"{time.isoformat()} {what} in {get_default_timezone_name()}, where the clocks change: send {either}.",
    )


def refuse_past(time: datetime | None, *, now: datetime) -> None:
    """Raise ``ValidationFailed`` for a time that has come, of a write that was not asked to publish."""
    if time is not None and time <= now:
        raise ValidationFailed(
            ["publish_at"],
            hint=f"This time has come: {_clock(now)} Leave publish_at out, or send a time in the future.",
        )


def refuse_long_past(time: datetime | None, *, now: datetime) -> None:
    """Raise ``ValidationFailed`` for a time that passed more than a day ago, of a write that publishes."""
    if time is not None and now - time > LONGEST_DELAY:
        raise ValidationFailed(
            ["publish_at"],
            hint=f"This time passed more than 24 hours ago: {_clock(now)} "
            "Leave publish_at out to publish now, or send a time in the future.",
        )


def _clock(now: datetime) -> str:
    there = now.astimezone(get_default_timezone()).isoformat(timespec="seconds")
    return f"it is {there}, and a time without offset is read in {get_default_timezone_name()}."
