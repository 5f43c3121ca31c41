"""Entries of feeds and their ids (RFC 4151)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Final
from urllib.parse import urlsplit

from django.db.models import Model, OuterRef, Prefetch, QuerySet, Subquery

from blog_engine.conf import get_settings
from blog_engine.enums import EntryType, Label, PolicyKind
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
    Tag,
)
from blog_engine.queries.listings import STANDARD_ORDER
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import with_review
from blog_engine.rules.dates import known_dates
from blog_engine.rules.label import label_of

_ANNOUNCED: Final = tuple(kind.value for kind in EntryType if kind is not EntryType.MAINTENANCE)
_IN_SUMMARIES: Final = (
    *("slug", "title", "description", "excerpt", "author_name", "author__slug", "published_at", "modified_at"),
    *("created_at", "updated_at", "status", "provenance", "images_verified", "current_revision_identifier"),
    *("public_revision__identifier", "feed_id", "category__name", "category__slug"),
    *("cover_image__sha256", "cover_image__filename", "cover_image__content_type", "cover_image__byte_size"),
)
_IN_FULL: Final = ("body_html", "outline", "rendered_with", "body", "body_format")
_APPEND_ONLY: Final = (Approval, ConnectionDeclaration)
# A redirect is the only trace of a removed post among what a feed shows.
_EDITABLE: Final = (Author, Category, Series, PolicyPage, Redirect)


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """A post in a feed."""

    post: Post
    first_public: datetime
    """When the post first became public in this blog, whatever its publication date is."""
    tags: tuple[Tag, ...]
    published: datetime | None
    updated: datetime
    summary: str
    """Plain text, which can be empty."""
    label: Label
    is_paid: bool


def feed_entries(posts: QuerySet[Post], *, now: datetime) -> tuple[FeedEntry, ...]:
    """Return the first ``feed_size`` public posts in standard order; three queries.

    Bodies are loaded only when feeds show them.
    """
    settings = get_settings()
    columns = (*_IN_SUMMARIES, *(_IN_FULL if settings.feed_content == "full" else ()))
    described = with_review(posts).select_related("author", "public_revision", "category", "cover_image").only(*columns)
    annotated = described.annotate(announced_at=_last_announced(now), is_paid=_is_paid(), first_public=_first_public())
    tags = Prefetch("taggings", PostTag.objects.select_related("tag").order_by("id"))
    found = list(annotated.prefetch_related(tags).order_by(*STANDARD_ORDER)[: settings.feed_size])
    has_responsible_party = bool(found) and find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    return tuple(
        FeedEntry(
            post=post,
            first_public=post.first_public or post.created_at,
            tags=tuple(tagging.tag for tagging in post.taggings.all()),
            published=known_dates(post, now=now).published,
            updated=_updated(post, announced_at=post.announced_at, now=now),
            summary=post.description if post.description.strip() else post.excerpt,
            label=label_of(post, has_responsible_party=has_responsible_party),
            is_paid=bool(post.is_paid),
        )
        for post in found
    )


def last_change(entries: Iterable[FeedEntry]) -> datetime | None:
    """Return when a row that feeds depend on last changed; one query.

    It misses changed settings, and a post that was moved from one category or tag to another.
    """
    around = {model.__name__: _latest(model, "created_at", by="id") for model in _APPEND_ONLY}
    around |= {model.__name__: _latest(model, "updated_at", by="updated_at") for model in _EDITABLE}
    moments = Post.objects.order_by().annotate(**around).values_list(*around)[:1]
    known = [moment for row in moments for moment in row if moment]
    return max([*known, *(entry.post.updated_at for entry in entries)], default=None)


def _last_announced(now: datetime) -> Subquery:
    announced = Publication.objects.filter(post=OuterRef("pk"), entry_type__in=_ANNOUNCED, occurred_at__lte=now)
    return Subquery(announced.order_by("-occurred_at").values("occurred_at")[:1])


def _first_public() -> Subquery:
    publications = Publication.objects.filter(post=OuterRef("pk"))
    return Subquery(publications.order_by("occurred_at", "id").values("occurred_at")[:1])


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
    found = Post.objects.filter(feed_id=feed_id)
    return (found if post_id is None else found.exclude(pk=post_id)).exists()
