"""Entries of feeds and their ids (RFC 4151)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import count
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.db.models import Case, DateTimeField, Model, OuterRef, Q, QuerySet, Subquery, When

from blog_engine.conf import get_settings
from blog_engine.enums import EntryType, Label, ListKind, PolicyKind
from blog_engine.models import (
    Approval,
    Author,
    Category,
    ConnectionDeclaration,
    PolicyPage,
    Post,
    PostTag,
    Publication,
    Redirect,
    Series,
)
from blog_engine.queries.compiled import CompiledModels, CompiledValues, Parameter, among
from blog_engine.queries.listings import STANDARD_ORDER, posts_of, public_posts
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import reviewed
from blog_engine.queries.remembered import remembered, with_authors
from blog_engine.queries.rendering import rendered_bodies
from blog_engine.rules.dates import known_dates
from blog_engine.rules.label import label_of

_ANNOUNCED: Final = tuple(kind.value for kind in EntryType if kind is not EntryType.MAINTENANCE)
_IN_SUMMARIES: Final = (
    *("slug", "title", "description", "excerpt", "author_name", "author", "published_at", "modified_at"),
    *("created_at", "updated_at", "status", "provenance", "images_verified", "current_revision_identifier"),
    *("public_revision__identifier", "feed_id", "category__name", "category__slug"),
    *("cover_image__sha256", "cover_image__filename", "cover_image__content_type", "cover_image__byte_size"),
)
_IN_FULL: Final = ("body_html", "rendered_with")
_APPEND_ONLY: Final = (Approval, ConnectionDeclaration)
# A redirect is the only trace of a removed post among what a feed shows.
_EDITABLE: Final = (Author, Category, Series, PolicyPage, Redirect)


class FeedTag(NamedTuple):
    """A tag of an entry."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A post in a feed."""

    post: Post
    first_public: datetime
    """When the post first became public in this blog, whatever its publication date is; read for the id of a post that
    has no permanent one."""
    tags: tuple[FeedTag, ...]
    published: datetime | None
    updated: datetime
    summary: str
    """Plain text, which can be empty."""
    label: Label
    is_paid: bool
    html: str | None
    """The rendered body, or ``None`` unless the setting ``feed_content`` is ``full``."""


def feed_entries(kind: ListKind | None = None, subject_id: int = 0, *, now: datetime) -> tuple[FeedEntry, ...]:
    """Return the first ``feed_size`` public posts of a list in standard order; at most five queries.

    Without a kind they are those of the blog. Bodies are loaded only when feeds show them.
    """
    settings = get_settings()
    is_full = settings.feed_content == "full"
    posts = with_authors(_posts(kind, settings.feed_size, is_full).all(subject=subject_id, now=now))
    bodies = rendered_bodies(posts) if is_full else {}
    tags: defaultdict[int, list[FeedTag]] = defaultdict(list)
    for post_id, tag in _TAGS.all(ids=[post.pk for post in posts]) if posts else ():
        tags[post_id].append(tag)
    has_responsible_party = bool(posts) and find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    return tuple(
        FeedEntry(
            post=post,
            first_public=post.first_public or post.created_at,  # type: ignore[attr-defined]  # annotated below
            tags=tuple(tags[post.pk]),
            published=known_dates(post, now=now).published,
            updated=_updated(post, announced_at=post.announced_at, now=now),  # type: ignore[attr-defined]  # as above
            summary=post.description if post.description.strip() else post.excerpt,
            label=label_of(post, has_responsible_party=has_responsible_party),
            is_paid=bool(post.is_paid),  # type: ignore[attr-defined]  # as above
            html=bodies.get(post.pk),
        )
        for post in posts
    )


@cache
def _posts(kind: ListKind | None, size: int, is_full: bool) -> CompiledModels[Post]:
    columns = (*_IN_SUMMARIES, *(_IN_FULL if is_full else ()))

    def newest() -> QuerySet[Post]:
        posts = public_posts() if kind is None else posts_of(kind, Parameter("subject"))
        described = posts.select_related("public_revision", "category", "cover_image").only(*columns)
        annotated = described.annotate(  # type: ignore[no-redef]  # Post declares ``is_reviewed`` for readers
            announced_at=_last_announced(),
            is_paid=_is_paid(),
            first_public=_first_public(),
            is_reviewed=reviewed(),
        )
        return annotated.order_by(*STANDARD_ORDER)[:size]

    return CompiledModels(newest)


_TAGS: Final = CompiledValues(
    lambda: (
        PostTag.objects.filter(among("post_id", "ids")).order_by("id").values_list("post_id", "tag__slug", "tag__name")
    ),
    lambda post_id, slug, name: (post_id, FeedTag(slug, name)),
)
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

    It misses changed settings, and a post that was moved from one category or tag to another.
    """
    moments = remembered("last change of what feeds depend on", _LAST_CHANGES.first) or ()
    known = [moment for moment in moments if moment]
    return max([*known, *(entry.post.updated_at for entry in entries)], default=None)


_NOW: Final = Parameter("now", DateTimeField())


def _last_announced() -> Case:
    """Return the expression for the date that ``_updated`` shows for a post without a known date of change."""
    announced = Publication.objects.filter(post=OuterRef("pk"), occurred_at__lte=_NOW, entry_type__in=_ANNOUNCED)
    last = Subquery(announced.order_by("-occurred_at").values("occurred_at")[:1])
    return Case(When(~Q(modified_at__lte=_NOW), then=last))


def _first_public() -> Case:
    """Return the expression for the date in the id of a post without a permanent one."""
    publications = Publication.objects.filter(post=OuterRef("pk"))
    first = Subquery(publications.order_by("occurred_at", "id").values("occurred_at")[:1])
    return Case(When(feed_id__isnull=True, then=first))


def _is_paid() -> Subquery:
    declared = ConnectionDeclaration.objects.filter(post=OuterRef("pk"))
    return Subquery(declared.order_by("-id").values("third_party_paid")[:1])


def _updated(post: Post, *, announced_at: datetime | None, now: datetime) -> datetime:
    """Return the first of these dates that is known and not in the future."""
    created = post.created_at if post.created_at <= now else None
    return known_dates(post, now=now).modified or announced_at or created or now


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
