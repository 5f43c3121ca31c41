"""The part of the history of a public post that readers may see (public-history.setting)."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from django.db.models import BooleanField, CharField, Count, F, IntegerField, Q, QuerySet, TextField, Value
from django.utils import timezone

from blog_engine.enums import EntryType, PostStatus
from blog_engine.models import (
    Approval,
    Post,
    Publication,
    Revision,
    StatusChange,
    WithheldVersion,
    before_end,
    when_public,
)
from blog_engine.queries.posts import fact_checks, reviewed

EVENTS_PER_PAGE: Final = 30
_MOST_REVIEWS: Final = 200
"""The most reviews that a page names."""
_VERSION, _WITHDRAWAL = 0, 1
_EVENT: Final = (
    *("event", "record", "created_at", "occurred_at", "type", "event_note", "event_description"),
    *("identifier", "writer", "by_ai"),
)
_SHOWN: Final = (
    *("slug", "title", "language", "provenance", "status", "body_format", "published_at", "canonical_url"),
    *("images_verified", "current_revision_identifier", "public_revision__identifier"),
)


@dataclass(frozen=True, slots=True)
class PublicEvent:
    """A version that was made public, or a withdrawal of the post."""

    record: int
    """The id of the publication or change of status."""
    occurred_at: datetime
    type: EntryType | None
    """``None`` for a withdrawal."""
    note: str
    """What a correction corrects."""
    description: str
    identifier: str
    """The revision; empty for a withdrawal."""
    writer: str | None
    made_by_ai: bool | None


@dataclass(frozen=True, slots=True)
class PublicReview:
    """A person's reading of a version, as it was recorded."""

    identifier: str
    name: str
    facts_checked: bool
    at: datetime
    kind: str
    """Whether it was sent to this blog, imported or declared."""
    actor_kind: str | None
    """Who recorded it: a person, a token or the system; ``None`` where that was not recorded."""
    is_signed: bool
    """Whether a passkey signed it."""


@dataclass(frozen=True, slots=True)
class PublicHistory:
    """A page of what readers may see of the history of a post; the events are the newest first."""

    post: Post
    events: tuple[PublicEvent, ...]
    has_older: bool
    versions: Mapping[EntryType, int]
    """The number of publications of each type."""
    check: PublicReview | None
    """The last review of the present version with facts checked."""
    reviews: Mapping[str, tuple[PublicReview, ...]]
    """Those of the versions of the page, by identifier."""
    withheld: Mapping[str, WithheldVersion]
    """The versions that are withheld, by identifier; never the present one."""
    before: Mapping[int, str]
    """The version that was public before, by the id of the publication of the page."""

    @property
    def present(self) -> str:
        """The identifier of the version that readers see."""
        return identifier_of(self.post)

    @property
    def total(self) -> int:
        """The number of publications."""
        return sum(self.versions.values())


def public_post(slug: str) -> Post | None:
    """Return the public post with a slug, as far as its history shows it, or ``None``; one query."""
    posts = Post.objects.select_related("public_revision").only(*_SHOWN).order_by()
    found = posts.annotate(is_reviewed=reviewed())  # type: ignore[no-redef]  # Post declares it for readers
    return found.filter(when_public(), before_end(timezone.now()), slug=slug).first()


def identifier_of(post: Post) -> str:
    """Return the identifier of the revision that readers see."""
    return post.public_revision.identifier if post.public_revision else ""


def public_history(post: Post, *, number: int, now: datetime) -> PublicHistory:
    """Return a page of the history of a post at ``now``; seven queries."""
    start = (number - 1) * EVENTS_PER_PAGE
    rows = _events(post, now=now)[start : start + EVENTS_PER_PAGE + 1]
    found = [_event(*row) for row in rows]
    events, versions = tuple(found[:EVENTS_PER_PAGE]), _numbers(post, now=now)
    publications = [event for event in found if event.type is not None]
    # By their ids, which is the order in which they were public: times are the word of a clock.
    chain = sorted(((event.record, event.identifier) for event in publications), reverse=True)
    older = _publications(post, now=now).filter(pk__lt=chain[-1][0]) if chain else None
    last = older.order_by("-pk").values_list("revision__identifier", flat=True).first() if older is not None else None
    before = {record: other for (record, _), (_, other) in pairwise([*chain, (0, last or "")])}
    identifiers = {event.identifier for event in events} | {identifier_of(post)}
    return PublicHistory(
        post=post,
        events=events,
        has_older=len(found) > EVENTS_PER_PAGE,
        versions=versions,
        check=_check(post),
        reviews=_reviews(post, identifiers),
        withheld=withheld_versions(post),
        before=before,
    )


def _publications(post: Post, *, now: datetime) -> QuerySet[Publication]:
    return Publication.objects.filter(post=post.pk, occurred_at__lte=now)


def _numbers(post: Post, *, now: datetime) -> dict[EntryType, int]:
    rows = _publications(post, now=now).order_by().values_list("entry_type").annotate(number=Count("pk"))
    return {EntryType(name): number for name, number in rows}


def _events(post: Post, *, now: datetime) -> QuerySet[Any, Any]:
    no_text, no_name = Value(None, TextField()), Value(None, CharField())
    versions = _publications(post, now=now).annotate(
        event=Value(_VERSION, IntegerField()),
        record=F("id"),
        type=F("entry_type"),
        event_note=F("note"),
        event_description=F("description"),
        identifier=F("revision__identifier"),
        writer=F("revision__actor"),
        by_ai=F("revision__made_by_ai"),
    )
    withdrawals = StatusChange.objects.filter(_IS_WITHDRAWAL, post=post.pk, occurred_at__lte=now).annotate(
        event=Value(_WITHDRAWAL, IntegerField()),
        record=F("id"),
        type=F("to_status"),
        event_note=no_text,
        event_description=no_text,
        identifier=no_name,
        writer=no_name,
        by_ai=Value(None, BooleanField()),
    )
    first, second = (rows.order_by().values_list(*_EVENT) for rows in (versions, withdrawals))
    return first.union(second, all=True).order_by("-created_at", "-event", "-record")


_IS_WITHDRAWAL: Final = Q(from_status=PostStatus.PUBLISHED.value) & ~Q(to_status=PostStatus.PUBLISHED.value)


def withdrawals() -> QuerySet[StatusChange]:
    """Return the changes of status by which readers lost a post."""
    return StatusChange.objects.filter(_IS_WITHDRAWAL)


def _event(event: int, record: int, created_at: datetime, occurred_at: datetime, type: str, *rest: Any) -> PublicEvent:
    note, description, identifier, writer, by_ai = rest
    return PublicEvent(
        record=record,
        occurred_at=occurred_at,
        type=EntryType(type) if event == _VERSION else None,
        note=note or "",
        description=description or "",
        identifier=identifier or "",
        writer=writer,
        made_by_ai=None if by_ai is None else bool(by_ai),
    )


def _check(post: Post) -> PublicReview | None:
    rows = fact_checks().filter(post=post.pk, revision__identifier=identifier_of(post))
    found = (
        rows.select_related("revision", "signature").defer("revision__payload").order_by("-approved_at", "-pk").first()
    )
    return _review(found) if found else None


def _reviews(post: Post, identifiers: Iterable[str]) -> dict[str, tuple[PublicReview, ...]]:
    rows = Approval.objects.filter(post=post.pk, revision__identifier__in=sorted(identifiers))
    newest = rows.select_related("revision", "signature").defer("revision__payload").order_by("-pk")[:_MOST_REVIEWS]
    found = defaultdict[str, list[PublicReview]](list)
    for approval in newest:
        found[approval.revision.identifier].insert(0, _review(approval))
    return {identifier: tuple(reviews) for identifier, reviews in found.items()}


def _review(approval: Approval) -> PublicReview:
    return PublicReview(
        identifier=approval.revision.identifier,
        name=approval.reviewer_name,
        facts_checked=approval.facts_checked,
        at=approval.approved_at,
        kind=approval.kind,
        actor_kind=approval.actor_kind,
        is_signed=approval.is_signed,
    )


def withheld_versions(post: Post) -> dict[str, WithheldVersion]:
    """Return the versions of a post that are withheld, by identifier; one query.

    The version that readers see is none of them, whatever was recorded of its content before.
    """
    last = {act.identifier: act for act in WithheldVersion.objects.filter(post=post.pk).order_by("pk")}
    present = identifier_of(post) if post.status == PostStatus.PUBLISHED else ""
    return {name: act for name, act in last.items() if act.is_withheld and name != present}


def last_withholding(post_id: int, identifier: str) -> WithheldVersion | None:
    """Return the last act by which a version was withheld or shown again, or ``None``; one query."""
    return WithheldVersion.objects.filter(post=post_id, identifier=identifier).order_by("-pk").first()


@dataclass(frozen=True, slots=True)
class PublicVersion:
    """The text of a version that was public."""

    identifier: str
    published_at: datetime
    content: Mapping[str, Any]


def public_versions(post: Post, *identifiers: str, now: datetime) -> list[PublicVersion]:
    """Return versions of a post that were public and are not withheld, in the order of ``identifiers``; two queries.

    What is not there for readers is left out.
    """
    withheld = withheld_versions(post)
    rows = _publications(post, now=now).filter(revision__identifier__in=identifiers).select_related("revision")
    found = {row.revision.identifier: row for row in rows.order_by("-pk")}
    return [
        PublicVersion(name, found[name].occurred_at, json.loads(found[name].revision.payload))
        for name in identifiers
        if name in found and name not in withheld
    ]


def moments_of_change(post: Post, old: str, new: str, *, now: datetime) -> tuple[datetime, datetime] | None:
    """Return when two versions were made public, the last time that the second followed the first; one query.

    ``None`` if it never did.
    """
    rows = _publications(post, now=now).order_by("-pk").values_list("revision__identifier", "occurred_at")
    changes = ((before, after) for after, before in pairwise(rows) if (before[0], after[0]) == (old, new))
    return next(((before[1], after[1]) for before, after in changes), None)


def was_public(post_id: int, identifier: str) -> bool:
    """Return whether a publication made this revision public; one query."""
    return Publication.objects.filter(post=post_id, revision__identifier=identifier).exists()


def public_revisions(post: Post, *, now: datetime) -> QuerySet[Revision]:
    """Return the revisions that were made public, without those that are withheld; two queries once it is read."""
    released = _publications(post, now=now).values("revision")
    return Revision.objects.filter(pk__in=released).exclude(identifier__in=list(withheld_versions(post))).order_by("pk")
