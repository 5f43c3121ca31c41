"""Base of the pages about one post: its state in a sentence, and what the signed-in user can do with it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.admin.base import DeskView, Permission, may
from blog_engine.admin.words import REVIEW_REASONS, shown_moment, status_name
from blog_engine.conf import get_settings
from blog_engine.enums import PostStatus
from blog_engine.errors import NotFound
from blog_engine.http.zones import planned_moment, zone_of
from blog_engine.models import Post, Proposal
from blog_engine.queries.posts import read_post
from blog_engine.queries.previews import PREVIEWABLE
from blog_engine.queries.proposals import waiting_for
from blog_engine.rules.isolation import isolated


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
    share_url: str = ""
    """The path that leads to the preview of the stored text; empty if the post has none."""
    share_lasts: str = ""
    """How long that link works, in words."""
    turn: str = ""
    """Whose turn the review is, if somebody in particular is asked, or the post was sent back."""


def state_of(post: Post, request: HttpRequest, url: Callable[..., str], *, current: str = "") -> PostState:
    """Return the state of a post; ``url`` makes the path of a page of posts, ``current`` is the name of this one."""

    def action(name: str, label: str, *, is_post: bool = False) -> PostAction:
        return PostAction(name, label, url(name, post.pk), is_current=name == current, is_post=is_post)

    is_shared = post.status in PREVIEWABLE
    return PostState(
        status=post.status,
        name=status_name(post.status),
        sentence=_sentence(post, zone_of(request)),
        waits=str(REVIEW_REASONS[post.review_reason]) if post.review_reason else "",
        pages=tuple(action(name, label) for name, label in _pages(request)),
        actions=tuple(
            action(name, label, is_post=name == "request_review" and post.review_requested_at is not None)
            for name, label in _actions(post, request)
        ),
        share_url=url("share", post.pk) if is_shared else "",
        share_lasts=_in_words(get_settings().preview_expires_in) if is_shared else "",
        # The page of the review says it with the time and the words of who asked.
        turn="" if current == "review" else _turn(post),
    )


def _in_words(length: timedelta) -> str:
    start = datetime(2026, 1, 1)  # noqa: DTZ001 - a length has no time zone
    return timesince(start, start + length)


def _turn(post: Post) -> str:
    by = post.review_requested_by or post.review_returned_by
    names = isolated({"name": by or "", "person": post.review_asked_name})
    if post.review_requested_at is not None:
        return _("%(name)s asked %(person)s for a review.") % names if post.review_asked_name else ""
    if post.review_returned_at is not None:
        return _("%(name)s sent it back on %(time)s.") % {**names, "time": shown_moment(post.review_returned_at)}
    return ""


def _sentence(post: Post, zone: str) -> str:
    if post.status == PostStatus.PUBLISHED:
        if post.published_at is None:
            return _("Readers can see this post.")
        return _("Readers can see this post. It was published on %(time)s.") % {"time": shown_moment(post.published_at)}
    if post.status == PostStatus.SCHEDULED:
        return _("Readers see this post from %(time)s.") % {"time": planned_moment(post.publish_at, zone)}
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
        yield "request_review", _("Take back the request for a review") if is_asked else _("Ask for a review…")
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


class PostPage(DeskView):
    """A page about the post that the path names; 404 if there is none."""

    page_name = ""
    """The name of the route, which the navigation marks."""

    @cached_property
    def record(self) -> Post:
        """The post as it is stored."""
        post = self.find(self.kwargs["post_id"])
        if post is None:
            raise Http404
        return post

    def find(self, post_id: int) -> Post | None:
        """Read the post with all that belongs to it; pages that need less read less."""
        try:
            return read_post(post_id)
        except NotFound:
            return None

    def read_again(self) -> None:
        """Forget the post, because it was changed."""
        del self.record

    def post_page(self, template: str, *, title: str, **context: Any) -> HttpResponse:
        """Return a page with the state of the post at its head."""
        post = self.record
        shown = {
            "post": post,
            "post_id": post.pk,
            "post_title": post.title,
            "state": self.state_for_head(),
            **context,
        }
        if "waiting_proposals" not in shown:
            shown["waiting_proposals"] = self.waiting_proposals()
        return self.page(template, title=title, **shown)

    def state_for_head(self) -> PostState:
        """Return the state of the post, with the pages about it and what the user can do."""
        return state_of(self.record, self.request, self.url, current=self.page_name)

    def waiting_proposals(self) -> list[Proposal]:
        """Return the undecided proposals of the post, which the head names; one query."""
        return waiting_for(self.record.pk)
