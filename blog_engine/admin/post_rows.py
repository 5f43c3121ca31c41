"""Rows of the list of posts: the state of a post in words, its findings, its dates and the next step."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.http import HttpRequest
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext, pgettext

from blog_engine.admin.base import DeskAdmin, Permission, may
from blog_engine.admin.words import REVIEW_REASONS, SHORT_LABELS, SHORT_REVIEW_REASONS, STATES
from blog_engine.conf import get_settings
from blog_engine.enums import PostStatus, Provenance
from blog_engine.findings import Finding, known_findings_of_posts
from blog_engine.models import Post
from blog_engine.rules.label import label_of

logger = logging.getLogger("blog_engine")

FINDINGS_ANCHOR = "#findings-title"
"""Where the form of a post shows its findings."""


@dataclass(frozen=True, slots=True)
class RowStep:
    """The next step for a post."""

    text: str
    url: str | None = None
    """The page to do it on, if the user may."""
    is_post: bool = False
    """Whether a form without fields does it at once."""


@dataclass(frozen=True, slots=True)
class PostRow:
    """A row of the list."""

    post: Post
    url: str
    state: str
    review: str
    """Why it waits for a review in a word, or that it was sent back, or nothing."""
    review_sentence: str
    """The same in full."""
    label: str
    findings: int | None
    """``None`` if a check failed."""
    findings_url: str
    dates: tuple[tuple[str, datetime], ...]
    """Moments in the life of the post."""
    step: RowStep


@dataclass(frozen=True)
class RowMaker:
    """Makes the rows of one request."""

    request: HttpRequest
    admin: DeskAdmin
    now: datetime
    has_responsible_party: bool

    def rows(self, posts: Sequence[Post]) -> list[PostRow]:
        """Return the rows of these posts, which ``posts_to_check`` read; at most one query."""
        found = known_findings_of_posts(posts, has_responsible_party=self.has_responsible_party, now=self.now)
        return [self._row(post, found.get(post.pk)) for post in posts]

    def _row(self, post: Post, found: Sequence[Finding] | None) -> PostRow:
        url = self.admin.url_of("change", post.pk)
        number = None if found is None else len(found)
        review, sentence = _review(post)
        return PostRow(
            post=post,
            url=url,
            state=str(STATES[post.status]),
            review=review,
            review_sentence=sentence,
            label=str(SHORT_LABELS[label_of(post, has_responsible_party=self.has_responsible_party)]),
            findings=number,
            findings_url=f"{url}{FINDINGS_ANCHOR}",
            dates=tuple(_dates(post)),
            step=self._step(post, findings=number or 0),
        )

    def _step(self, post: Post, *, findings: int) -> RowStep:
        if post.review_reason:
            return self._linked(gettext("Review"), "review", post, Permission.APPROVE) or RowStep(
                gettext("Waits for a reviewer")
            )
        match PostStatus(post.status):
            case PostStatus.SCHEDULED:
                return self._step_of_scheduled(post)
            case PostStatus.PUBLISHED:
                return self._step_of_public(post, findings)
            case PostStatus.ARCHIVED:
                return RowStep(pgettext("next step", "None"))
        return self._step_of_draft(post)

    def _step_of_draft(self, post: Post) -> RowStep:
        must_wait = get_settings().require_approval and post.provenance != Provenance.HUMAN_WRITTEN
        publish = self._linked(gettext("Publish"), "publish", post, Permission.PUBLISH)
        if publish and (post.is_reviewed or not must_wait):
            return publish
        if may(self.request, Permission.WRITE):
            return RowStep(gettext("Ask for a review"), self.admin.url_of("request_review", post.pk), is_post=True)
        return publish or RowStep(gettext("Publish"))

    def _step_of_scheduled(self, post: Post) -> RowStep:
        if post.publish_at is not None and post.publish_at <= self.now:
            return RowStep(gettext("Goes public within minutes"))
        change = self._linked(gettext("Change the time"), "schedule", post, Permission.PUBLISH)
        return change or RowStep(gettext("Goes public by itself"))

    def _step_of_public(self, post: Post, findings: int) -> RowStep:
        if findings:
            text = ngettext("Fix %(number)s finding", "Fix %(number)s findings", findings) % {"number": findings}
            fix = self._linked(text, "change", post, Permission.PUBLISH)
            return RowStep(fix.text, f"{fix.url}{FINDINGS_ANCHOR}") if fix else RowStep(text)
        return RowStep(pgettext("next step", "None"))

    def _linked(self, text: str, page: str, post: Post, permission: Permission) -> RowStep | None:
        return RowStep(text, self.admin.url_of(page, post.pk)) if may(self.request, permission) else None


def _review(post: Post) -> tuple[str, str]:
    """Return why a post waits for a review, or that it was sent back, in a word and in full."""
    if post.review_reason:
        return str(SHORT_REVIEW_REASONS[post.review_reason]), str(REVIEW_REASONS[post.review_reason])
    if post.review_returned_at is not None:
        return pgettext("posts", "Sent back"), pgettext("posts", "Sent back")
    return "", ""


def _dates(post: Post) -> Iterator[tuple[str, datetime]]:
    """Yield at most two moments, the more telling one first; two of one day are one."""
    created, saved = (pgettext("admin", "Created"), post.created_at), (gettext("Saved"), post.updated_at)
    if post.status == PostStatus.SCHEDULED and post.publish_at:
        yield from ((gettext("Planned for"), post.publish_at), saved)
    elif post.status == PostStatus.PUBLISHED and post.published_at:
        yield (gettext("Published"), post.published_at)
        if _day(post.published_at) != _day(post.updated_at):
            yield saved
    else:
        yield saved if post.updated_at > post.created_at else created
        if _day(post.created_at) != _day(post.updated_at):
            yield created


def _day(moment: datetime) -> date:
    return localtime(moment).date()
