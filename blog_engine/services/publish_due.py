"""Releasing scheduled posts whose time has come."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TypeVar

from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal, Unavailable
from blog_engine.inputs.posts import PublishPost
from blog_engine.models import Post
from blog_engine.queries.database import is_database_available, refusal_of_database
from blog_engine.queries.proposals import due_proposals
from blog_engine.services._derive import derive
from blog_engine.services._edit import begin_edit
from blog_engine.services._gates import pass_gates
from blog_engine.services._prepared import Prepared, until_prepared
from blog_engine.services._store import store_and_record
from blog_engine.services._transaction import lock_post, write_transaction
from blog_engine.services.expiry import expire_post, expired_posts
from blog_engine.services.outcome import Stored, finish_write
from blog_engine.services.proposals import apply_due_proposal
from blog_engine.services.write_log import logged_write, note_nothing

E = TypeVar("E", bound=Exception)

logger = logging.getLogger("blog_engine")


@dataclass(frozen=True, slots=True)
class DueRelease:
    """The result for one due post: it was released, refused, or it failed, for example in the host's hook."""

    slug: str
    refusal: Refusal | None = None
    failure: Exception | None = None
    is_expiry: bool = False
    """Whether it was withdrawn instead, because its end has come."""
    proposal: int | None = None
    """The id of the proposal that was due; ``None`` for the post itself."""

    @property
    def verb(self) -> str:
        """The verb of its line in the log."""
        if self.is_expiry:
            return "Withdrew"
        return "Published" if self.proposal is None else "Applied"

    @property
    def name(self) -> str:
        """The slug, and which proposal it is about."""
        if self.is_expiry:
            return f"{self.slug} (expired)"
        return self.slug if self.proposal is None else f"{self.slug} (proposal {self.proposal})"


@dataclass(frozen=True, slots=True)
class DuePosts:
    """The result of one run by slug, and for proposals with their ids, such as ``my-post (proposal 3)``."""

    released: list[str] = field(default_factory=list)
    expired: list[str] = field(default_factory=list)
    """The posts that were withdrawn because their end has come."""
    applied: list[str] = field(default_factory=list)
    """The proposals that were applied."""
    refused: dict[str, Refusal] = field(default_factory=dict)
    failed: dict[str, Exception] = field(default_factory=dict)


def publish_due(*, now: datetime) -> DuePosts:
    """Release every scheduled post and apply every scheduled proposal whose time has come, and return what happened.

    Raises the error of a database that cannot be reached; posts that were released before stay released.
    """
    done = DuePosts()
    for release in due_releases(now=now):
        if release.refusal is not None:
            done.refused[release.name] = release.refusal
        elif release.failure is not None:
            done.failed[release.name] = release.failure
        elif release.is_expiry:
            done.expired.append(release.slug)
        else:
            (done.released if release.proposal is None else done.applied).append(release.name)
    return done


def due_releases(*, now: datetime) -> Iterator[DueRelease]:
    """Release one due post after the other, each in its own transaction, and yield what happened to it; then proposals.

    The stored content is released without an actor. What the gates refuse stays scheduled; so does what fails for
    another reason, which is logged. Runs may overlap: a post that another run holds is left to that run. Raises the
    error of a database that cannot be reached, because no other post could be released then.
    """
    due = Post.objects.filter(status=PostStatus.SCHEDULED.value, publish_at__lte=now).order_by("publish_at", "id")
    for post_id, slug in list(due.values_list("pk", "slug")):
        write = partial(_release_due, post_id, now=now)
        yield from _attempt(partial(_release, write, now=now), DueRelease(slug), f"post {post_id}")
    for post_id, slug in expired_posts(now=now):
        expiry = partial(expire_post, post_id, now=now)
        yield from _attempt(expiry, DueRelease(slug, is_expiry=True), f"post {post_id}")
    for proposal_id, slug in due_proposals(now=now):
        write, due_proposal = partial(apply_due_proposal, proposal_id, now=now), DueRelease(slug, proposal=proposal_id)
        yield from _attempt(partial(_release, write, now=now), due_proposal, f"proposal {proposal_id}")


def _attempt(release: Callable[[], bool], due: DueRelease, what: str) -> Iterator[DueRelease]:
    """Yield what happened to something due; nothing if it was not due any more."""
    try:
        is_done = release()
    except Exception as fault:
        # The host's hook runs here: its bug must not stop the posts behind this one, run after run.
        yield _not_released(due, what, fault)
        return
    if is_done:
        yield due


def _release(write: Callable[[Prepared], Stored | None], *, now: datetime) -> bool:
    """Run the write of something due, and return whether it was still due."""
    with logged_write("publish_due", actor=None, refusal_of=refusal_of_database):
        stored = until_prepared(write)
        if stored is None:
            note_nothing()
            return False
        finish_write(stored, actor=None, now=now)
        return True


def _release_due(post_id: int, prepared: Prepared, *, now: datetime) -> Stored | None:
    with write_transaction():
        post = _lock_due(post_id, now=now)
        if post is None:
            return None
        edit = begin_edit(post, PublishPost(id=str(post_id)), prepared, actor=None, now=now)
        post.publish_at = None
        derive(edit)
        # What holds for a schedule holds for its release: a schedule names no change.
        pass_gates(edit, PostStatus.SCHEDULED)
        return store_and_record(edit, PostStatus.PUBLISHED)


def _not_released(due: DueRelease, what: str, fault: Exception) -> DueRelease:
    refusal = refusal_of_database(fault)
    if isinstance(refusal, Unavailable) and not is_database_available():
        raise fault
    if refusal is not None:
        return replace(due, refusal=_without_frames(refusal))
    logger.error("The scheduled %s could not be released.", what, exc_info=fault)
    return replace(due, failure=_without_frames(fault))


def _without_frames(fault: E) -> E:
    """Return the exception without its traceback, whose frames hold the whole post: many posts may be due."""
    fault.__cause__ = fault.__context__ = None
    return fault.with_traceback(None)


def _lock_due(post_id: int, *, now: datetime) -> Post | None:
    """Lock a post that is scheduled and due; ``None`` when it is not, or not any more, or another run holds it."""
    post = lock_post(post_id, skip_locked=True)
    if post is None or post.status != PostStatus.SCHEDULED or post.publish_at is None or post.publish_at > now:
        return None
    return post
