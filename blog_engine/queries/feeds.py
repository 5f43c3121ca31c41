"""Entries of feeds and their ids (RFC 4151)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from itertools import count
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.db.models import BooleanField, DateTimeField, F, Model, OuterRef, QuerySet, Subquery, Value

from blog_engine.conf import get_settings
from blog_engine.content.corrections import DatedNote
from blog_engine.content.faq import FaqPair
from blog_engine.enums import EntryType, Label, ListKind, PolicyKind, Provenance
from blog_engine.models import (
    Approval,
    Author,
    Category,
    ConnectionDeclaration,
    Faq,
    PolicyPage,
    Post,
    PostTag,
    Publication,
    Redirect,
    Series,
    Translation,
)
from blog_engine.queries.compiled import CompiledModels, CompiledRows, CompiledValues, Parameter, among
from blog_engine.queries.listings import STANDARD_ORDER, posts_of, public_posts
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import reviewed
from blog_engine.queries.remembered import before_their_end, remembered, with_authors, with_categories
from blog_engine.queries.translations import translation_groups
from blog_engine.rendering.stored import rendered_bodies
from blog_engine.rules.dates import known_dates, long_date
from blog_engine.rules.label import label_of

_ANNOUNCED: Final = tuple(kind.value for kind in EntryType if kind is not EntryType.MAINTENANCE)
_IN_SUMMARIES: Final = (
    *("slug", "title", "description", "excerpt", "language", "author_name", "author", "category", "published_at"),
    *("coauthor_names", "coauthor_ids"),
    *(
        "modified_at",
        "expires_at",
        "updated_at",
        "status",
        "provenance",
        "images_verified",
        "current_revision_identifier",
        "feed_id",
    ),
    *("canonical_url", "translation_group"),
    *("cover_image__sha256", "cover_image__filename", "cover_image__content_type", "cover_image__byte_size"),
    *(
        "cover_image__credit",
        "cover_image__digital_source_type",
        "cover_image__shared_type",
        "cover_image__shared_bytes",
    ),
)
_IN_FULL: Final = (
    *("body_html", "rendered_with", "cover_alt"),
    *("cover_image__width", "cover_image__height", "cover_image__is_animated"),
)
_APPEND_ONLY: Final = (Approval, ConnectionDeclaration)
# A redirect is the only trace of a removed post among what a feed shows.
_EDITABLE: Final = (Author, Category, Series, PolicyPage, Redirect)


class FeedCategory(NamedTuple):
    """The category or a tag of an entry."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A post in a feed."""

    post: Post
    first_public: datetime
    """When the post first became public in this blog, whatever its publication date is; only known, and only needed,
    for a post without a permanent id."""
    tags: tuple[FeedCategory, ...]
    published: datetime | None
    updated: datetime
    summary: str
    """Plain text, which can be empty."""
    label: Label
    is_paid: bool
    html: str | None
    """The rendered body, or ``None`` unless the setting ``feed_content`` is ``full``."""
    corrections: tuple[DatedNote, ...]
    """In their order; only beside ``html``, as the FAQ."""
    faq: tuple[FaqPair, ...]
    versions: tuple[Translation, ...]
    """The public versions in all languages, the post itself first; empty for the only one."""
    changed_at: datetime
    """When the post or another of its translation group was last written."""


class _History(NamedTuple):
    """The history in a feed of a post without a permanent id or without a known date of change."""

    created: datetime
    first_public: datetime | None = None
    announced: datetime | None = None


def feed_entries(kind: ListKind | None = None, subject_id: int = 0, *, now: datetime) -> tuple[FeedEntry, ...]:
    """Return the first ``feed_size`` public posts of a list in standard order; at most ten queries.

    Without a kind they are those of the blog. Bodies are loaded only when feeds show them. What few posts need is read
    apart: PostgreSQL takes longer to plan one statement for everything than to run several.
    """
    settings = get_settings()
    is_full = settings.feed_content == "full"
    found = _posts(kind, settings.feed_size, is_full).all(subject=subject_id)
    posts = with_categories(with_authors(before_their_end(found)))
    if not posts:
        return ()
    bodies = rendered_bodies(posts) if is_full else {}
    around = _around(posts, is_full=is_full, now=now)
    groups = translation_groups({post.translation_group for post in posts})
    dates = {post.pk: known_dates(post, now=now) for post in posts}
    histories = _histories([post for post in posts if not (post.feed_id and dates[post.pk].modified)], now=now)
    has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    if has_responsible_party:
        _add_reviews(posts)
    return tuple(
        FeedEntry(
            post=post,
            first_public=histories[post.pk].first_public or histories[post.pk].created,
            tags=tuple(around[post.pk].tags),
            published=dates[post.pk].published,
            updated=dates[post.pk].modified or _first_known_change(histories[post.pk], now=now),
            summary=post.description if post.description.strip() else post.excerpt,
            label=label_of(post, has_responsible_party=has_responsible_party),
            is_paid=around[post.pk].is_paid,
            html=bodies.get(post.pk),
            corrections=tuple(around[post.pk].corrections),
            faq=tuple(around[post.pk].faq),
            versions=group.versions_of(post.slug) if group else (),
            changed_at=max(post.updated_at, group.changed_at) if group else post.updated_at,
        )
        for post in posts
        for group in [groups.get(post.translation_group or "")]
    )


@cache
def _posts(kind: ListKind | None, size: int, is_full: bool) -> CompiledModels[Post]:
    columns = (*_IN_SUMMARIES, *(_IN_FULL if is_full else ()))

    def newest() -> QuerySet[Post]:
        posts = public_posts() if kind is None else posts_of(kind, Parameter("subject"))
        return posts.select_related("cover_image").only(*columns).order_by(*STANDARD_ORDER)[:size]

    return CompiledModels(newest)


@dataclass(slots=True)
class _Around:
    """Tags, payment, corrections and FAQ of a post in a feed."""

    tags: list[FeedCategory] = field(default_factory=list)
    is_paid: bool = False
    """Whether its last declaration names a payment."""
    corrections: list[DatedNote] = field(default_factory=list)
    faq: list[FaqPair] = field(default_factory=list)


_TAG, _DECLARATION, _CORRECTION, _PAIR = range(4)
"""The kinds of the rows of a union."""


@cache
def _rows_around(*, is_full: bool) -> CompiledValues[tuple[Any, ...]]:
    """Return the query for tags and declarations, and for corrections and FAQ, which full feeds show."""
    columns = ("post_id", "kind", "first", "second", "is_paid", "occurred_at", "place")

    def union() -> QuerySet[Any]:
        no_payment, no_date = Value(None, output_field=BooleanField()), Value(None, output_field=DateTimeField())
        nothing = {"is_paid": no_payment, "occurred_at": no_date}
        tags = PostTag.objects.annotate(
            kind=Value(_TAG), place=F("id"), first=F("tag__slug"), second=F("tag__name"), **nothing
        )
        declarations = ConnectionDeclaration.objects.annotate(
            kind=Value(_DECLARATION), place=F("id"), first=Value(""), second=Value(""), is_paid=F("third_party_paid")
        ).annotate(occurred_at=no_date)
        corrections = Publication.objects.filter(
            entry_type=EntryType.CORRECTION.value, occurred_at__lte=Parameter("now", DateTimeField())
        ).annotate(kind=Value(_CORRECTION), place=F("id"), first=F("note"), second=Value(""), is_paid=no_payment)
        faq = Faq.objects.annotate(
            kind=Value(_PAIR), place=F("position"), first=F("question"), second=F("answer"), **nothing
        )
        # A column of a union has the type of its first two: a boolean or a date must be among these.
        kinds: list[QuerySet[Any]] = [declarations, corrections, faq, tags] if is_full else [declarations, tags]
        first, *others = (rows.filter(among("post_id", "ids")).order_by().values_list(*columns) for rows in kinds)
        return first.union(*others, all=True).order_by("occurred_at", "place")

    return CompiledValues(union, lambda *row: row)


def _around(posts: Iterable[Post], *, is_full: bool, now: datetime) -> Mapping[int, _Around]:
    """Return the tags, payment, corrections and FAQ of each post; one query."""
    found: defaultdict[int, _Around] = defaultdict(_Around)
    rows = _rows_around(is_full=is_full).all(ids=[post.pk for post in posts], now=now)
    for post_id, kind, first, second, is_paid, occurred_at, _place in rows:
        around = found[post_id]
        if kind == _TAG:
            around.tags.append(FeedCategory(first, second))
        elif kind == _CORRECTION:
            around.corrections.append(DatedNote(long_date(occurred_at), first))
        elif kind == _PAIR:
            around.faq.append(FaqPair(first, second))
        else:
            around.is_paid = bool(is_paid)
    return found


_MOMENTS: Final = {model.__name__: (model, "created_at", "id") for model in _APPEND_ONLY} | {
    model.__name__: (model, "updated_at", "updated_at") for model in _EDITABLE
}
_LAST_CHANGES: Final = CompiledValues(
    lambda: (
        Post.objects.order_by()
        .annotate(**{name: _latest(model, column, by=by) for name, (model, column, by) in _MOMENTS.items()})
        .values_list(*_MOMENTS)[:1]
    ),
    lambda *moments: moments,
)


def last_change(entries: Iterable[FeedEntry]) -> datetime | None:
    """Return when a row that feeds depend on last changed; at most one query.

    It misses changed settings, and a post that was moved from one category, tag or translation group to another.
    """
    moments = remembered("last change of what feeds depend on", _LAST_CHANGES.first) or ()
    known = [moment for moment in moments if moment]
    return max([*known, *(entry.changed_at for entry in entries)], default=None)


def _history() -> QuerySet[Any]:
    publications = Publication.objects.filter(post=OuterRef("pk"))
    announced = publications.filter(occurred_at__lte=Parameter("now", DateTimeField()), entry_type__in=_ANNOUNCED)
    return (
        Post.objects.filter(among("pk", "ids"))
        .order_by()
        .annotate(
            first_public=Subquery(publications.order_by("occurred_at", "id").values("occurred_at")[:1]),
            announced=Subquery(announced.order_by("-occurred_at").values("occurred_at")[:1]),
        )
        .values_list("pk", "created_at", "first_public", "announced")
    )


_HISTORY: Final = CompiledValues(_history, lambda pk, *moments: (pk, _History(*moments)))


def _histories(posts: Sequence[Post], *, now: datetime) -> Mapping[int, _History]:
    """Return the history of these posts, and a bare one for any other; at most one query."""
    found: defaultdict[int, _History] = defaultdict(lambda: _History(now))
    if posts:
        found.update(_HISTORY.all(ids=[post.pk for post in posts], now=now))
    return found


def _first_known_change(history: _History, *, now: datetime) -> datetime:
    """Return the date that a post without a known date of change shows as its last one."""
    return history.announced or min(history.created, now)


def _reviews() -> QuerySet[Post]:
    posts = Post.objects.select_related("public_revision").only("public_revision__identifier").order_by()
    return posts.annotate(is_reviewed=reviewed())  # type: ignore[no-redef]  # Post declares it for readers


_REVIEWS: Final = CompiledRows(_reviews)


def _add_reviews(posts: Iterable[Post]) -> None:
    """Add to posts what can clear their labels; at most one query."""
    labelled = [post for post in posts if post.provenance != Provenance.HUMAN_WRITTEN]
    found = _REVIEWS.by_id([post.pk for post in labelled])
    for post in labelled:
        post.is_reviewed = post.pk in found and found[post.pk].is_reviewed
        if post.is_reviewed:
            post.public_revision = found[post.pk].public_revision


def _latest(model: type[Model], column: str, *, by: str) -> Subquery:
    return Subquery(model._default_manager.order_by(f"-{by}").values(column)[:1])


def feed_id(origin: str, *, published: datetime, post_id: int) -> str:
    """Return the ``tag:`` URI of a post, from host name and UTC day (RFC 4151)."""
    return f"tag:{urlsplit(origin).hostname},{published.astimezone(UTC).date().isoformat()}:post:{post_id}"


def free_feed_id(origin: str, *, published: datetime, post_id: int) -> str:
    """Return the feed id of a post, numbered when an adopted post already has it."""
    wanted = feed_id(origin, published=published, post_id=post_id)
    choices = (wanted if number == 1 else f"{wanted}-{number}" for number in count(1))
    return next(choice for choice in choices if not is_feed_id_taken(choice, post_id=post_id))


def is_feed_id_taken(feed_id: str, *, post_id: int | None) -> bool:
    """Return whether another post has this feed id."""
    return _WITH_FEED_ID.first(feed_id=feed_id) not in {None, post_id}


_WITH_FEED_ID: Final = CompiledValues(
    lambda: Post.objects.filter(feed_id=Parameter("feed_id")).order_by().values_list("pk"), int
)
