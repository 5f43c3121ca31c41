"""The state of a post in a sentence, and what the signed-in user can do with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.admin.base import Permission, may
from blog_engine.admin.post_words import REVIEW_REASONS, STATES
from blog_engine.enums import PostStatus, ReviewReason
from blog_engine.models import Post
from blog_engine.rules.dates import date_and_time


@dataclass(frozen=True, slots=True)
class PostAction:
    """A link to a page, or with ``is_post`` a button that sends a form without fields."""

    name: str
    label: str
    url: str
    is_current: bool = False
    is_post: bool = False


@dataclass(frozen=True, slots=True)
class PostState:
    """The head of a page about a post."""

    status: str
    """The value of ``PostStatus``, for the colour."""
    name: str
    sentence: str
    waits: str
    """Why the post waits for a review; empty if it does not."""
    pages: tuple[PostAction, ...]
    actions: tuple[PostAction, ...]


def shown_moment(moment: datetime | None) -> str:
    """Return a time in the words of the language, in the site's time zone."""
    if moment is None:
        return _("an unknown time")
    return date_and_time(moment)


def status_name(status: str) -> str:
    """Return the name of a status; of another word that word."""
    return str(STATES[PostStatus(status)]) if status in set(PostStatus) else status


def reason_name(reason: str) -> str:
    """Return the reason for which a post waits for a review."""
    return str(REVIEW_REASONS[ReviewReason(reason)])


def state_of(post: Post, request: HttpRequest, url: Callable[..., str], *, current: str = "") -> PostState:
    """Return the state of a post; ``url`` makes the path of a page of posts, ``current`` is the name of this one."""

    def action(name: str, label: str, *, is_post: bool = False) -> PostAction:
        return PostAction(name, label, url(name, post.pk), is_current=name == current, is_post=is_post)

    return PostState(
        status=post.status,
        name=status_name(post.status),
        sentence=_sentence(post),
        waits=reason_name(post.review_reason) if post.review_reason else "",
        pages=tuple(action(name, label) for name, label in _pages(request)),
        actions=tuple(action(name, label, is_post=name == "request_review") for name, label in _actions(post, request)),
    )


def _sentence(post: Post) -> str:
    if post.status == PostStatus.PUBLISHED:
        if post.published_at is None:
            return _("Readers can see this post.")
        return _("Readers can see this post. It was published on %(time)s.") % {"time": shown_moment(post.published_at)}
    if post.status == PostStatus.SCHEDULED:
        return _("Readers see this post from %(time)s.") % {"time": shown_moment(post.publish_at)}
    if post.status == PostStatus.ARCHIVED:
        return _("This post was removed. Readers cannot see it.")
    if post.public_revision_id:
        return _("This post was public and is withdrawn. Readers cannot see it.")
    return _("Readers cannot see this post yet.")


def _pages(request: HttpRequest) -> Iterator[tuple[str, str]]:
    if may(request, Permission.WRITE, Permission.PUBLISH):
        yield "change", pgettext("page of a post", "Write")
    if may(request, Permission.APPROVE):
        yield "review", pgettext("page of a post", "Review")
    yield "history", pgettext("page of a post", "History")
    yield "views", pgettext("page of a post", "Page views")


def _actions(post: Post, request: HttpRequest) -> Iterator[tuple[str, str]]:
    is_asked = post.review_requested_at is not None
    if may(request, Permission.WRITE) and post.status != PostStatus.ARCHIVED:
        yield "request_review", _("Take back the request for a review") if is_asked else _("Ask for a review")
    if not may(request, Permission.PUBLISH):
        return
    if post.status in (PostStatus.DRAFT, PostStatus.ARCHIVED):
        yield "publish", _("Publish again…") if post.public_revision_id else _("Publish…")
        yield "schedule", _("Schedule…")
    if post.status == PostStatus.SCHEDULED:
        yield "publish", _("Publish now…")
        yield "schedule", _("Reschedule…")
        yield "cancel", _("Cancel the schedule…")
    if post.status == PostStatus.PUBLISHED:
        yield "withdraw", _("Withdraw…")
    if post.status == PostStatus.ARCHIVED:
        yield "withdraw", _("Move back to the drafts…")
    yield "delete", _("Change where its URL leads…") if post.status == PostStatus.ARCHIVED else _("Remove…")
