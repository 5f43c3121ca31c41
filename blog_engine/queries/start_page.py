"""The own work of a person: the drafts, the posts that were sent back, and the reviews that wait."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import CharField, F, IntegerField, QuerySet, Value

from blog_engine.actor import USER_PREFIX
from blog_engine.enums import PostStatus, ReviewReason
from blog_engine.models import Post
from blog_engine.queries.conversation import posts_asked_of, posts_returned_to
from blog_engine.queries.people import by_person

MOST_OWN: Final = 5
"""The posts of each kind that the start page names."""
_DRAFT, _RETURNED, _ASKED, _REQUESTED = range(4)
_SAVED, _SENT_BACK, _WANTED = "updated_at", "review_returned_at", "review_requested_at"


class OwnPost(NamedTuple):
    """A post on the start page of a person."""

    id: int
    title: str
    status: str
    waits: str | None
    """Why it waits for a review."""
    person: str | None
    """Who sent it back, or asked for the review."""
    at: datetime
    """When it was saved last, sent back or asked for."""


@dataclass(frozen=True, slots=True)
class OwnWork:
    """The posts of the start page of a person, at most ``MOST_OWN`` of each kind."""

    drafts: Sequence[OwnPost] = ()
    """The last saved first, without those that were sent back."""
    returned: Sequence[OwnPost] = ()
    """Sent back to the person, the last one first."""
    waiting: Sequence[OwnPost] = ()
    """The reviews that were asked of the person, then those that were asked of anybody."""
    has_more: frozenset[str] = field(default_factory=frozenset)
    """Which of the three have further posts."""


def own_work(user_pk: Any, *, may_approve: bool) -> OwnWork:
    """Return what is a user's own; ``may_approve`` adds the reviews that were asked of anybody. One query."""
    me = f"{USER_PREFIX}{user_pk}"
    drafts = Post.objects.filter(status=PostStatus.DRAFT.value, review_returned_at=None).order_by("-updated_at", "-pk")
    parts = [_part(_DRAFT, drafts.filter(own), moment=_SAVED) for own in by_person(user_pk)]
    parts.append(_part(_RETURNED, posts_returned_to(me), moment=_SENT_BACK, person="review_returned_by"))
    parts.append(_part(_ASKED, posts_asked_of(user_pk), moment=_WANTED, person="review_requested_by"))
    if may_approve:
        asked = Post.objects.filter(review_reason=ReviewReason.REQUESTED.value, review_asked="")
        others = asked.exclude(review_requester=me).order_by("updated_at", "pk")
        parts.append(_part(_REQUESTED, others, moment=_WANTED, person="review_requested_by"))
    found: tuple[list[OwnPost], ...] = ([], [], [], [])
    first, *further = parts
    # Without an order, or Django 6.1 takes that of lists of posts.
    for kind, *values in first.union(*further, all=True).order_by():
        found[kind].append(OwnPost(*values))
    return _arranged(found)


def _part(kind: int, posts: QuerySet[Post], *, moment: str, person: str | None = None) -> QuerySet[Any]:
    """Return the columns of the first posts as a part of a union, in which SQLite takes no limit but in a subquery."""
    named = {
        "own_kind": Value(kind, IntegerField()),
        "own_person": F(person) if person else Value("", CharField()),
        "own_moment": F(moment),
    }
    first: QuerySet[Any] = Post.objects.filter(pk__in=posts.values("pk")[: MOST_OWN + 1]).order_by()
    columns = ("own_kind", "pk", "title", "status", "review_reason", "own_person", "own_moment")
    part: QuerySet[Any] = first.annotate(**named).values_list(*columns)
    return part


def _arranged(found: tuple[list[OwnPost], ...]) -> OwnWork:
    returned = _newest(found[_RETURNED])
    # The author of a post has often made it too.
    drafts = _newest(list({post.id: post for post in found[_DRAFT]}.values()))
    waiting = [*_newest(found[_ASKED])[::-1], *_newest(found[_REQUESTED])[::-1]]
    kinds = {"drafts": drafts, "returned": returned, "waiting": waiting}
    has_more = frozenset(name for name, posts in kinds.items() if len(posts) > MOST_OWN)
    return OwnWork(**{name: posts[:MOST_OWN] for name, posts in kinds.items()}, has_more=has_more)


def _newest(posts: list[OwnPost]) -> list[OwnPost]:
    return sorted(posts, key=lambda post: (post.at, post.id), reverse=True)
