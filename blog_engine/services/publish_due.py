"""Releasing scheduled posts whose time has come."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from blog_engine.enums import PostStatus
from blog_engine.errors import Refusal, Unavailable
from blog_engine.inputs.posts import PublishPost
from blog_engine.models import Post
from blog_engine.queries.database import engine_connection, is_database_available, refusal_of_database
from blog_engine.services._edit import begin_edit
from blog_engine.services._gates import pass_gates
from blog_engine.services._prepared import Prepared, renders_first
from blog_engine.services._store import store_and_record
from blog_engine.services._transaction import lock_post, write_transaction
from blog_engine.services.outcome import Stored, conclude
from blog_engine.services.rendering import derive
from blog_engine.services.write_log import logged_write, note_nothing

E = TypeVar("E", bound=Exception)

logger = logging.getLogger("blog_engine")


@dataclass(frozen=True, slots=True)
class DueRelease:
    """What happened to one due post: it was released, refused, or it failed, for example in the host's hook."""

    slug: str
    refusal: Refusal | None = None
    failure: Exception | None = None


@dataclass(frozen=True, slots=True)
class DuePosts:
    """What one run did, by slug."""

    released: list[str] = field(default_factory=list)
    refused: dict[str, Refusal] = field(default_factory=dict)
    failed: dict[str, Exception] = field(default_factory=dict)


def publish_due(*, now: datetime) -> DuePosts:
    """Release every scheduled post whose ``publish_at`` has come, and return what happened to each.

    Raises the error of a database that cannot be reached; posts that were released before stay released.
    """
    done = DuePosts()
    for release in due_releases(now=now):
        if release.refusal is not None:
            done.refused[release.slug] = release.refusal
        elif release.failure is not None:
            done.failed[release.slug] = release.failure
        else:
            done.released.append(release.slug)
    return done


def due_releases(*, now: datetime) -> Iterator[DueRelease]:
    """Release one due post after the other, each in its own transaction, and yield what happened to it.

    The stored content is released without an actor. A post that the gates refuse stays scheduled; so does one that
    fails for another reason, which is logged. Runs may overlap: a post that another run holds is left to that run.
    Raises the error of a database that cannot be reached, because no other post could be released then.
    """
    due = Post.objects.filter(status=PostStatus.SCHEDULED.value, publish_at__lte=now).order_by("publish_at", "id")
    for post_id, slug in list(due.values_list("pk", "slug")):
        try:
            release = DueRelease(slug) if _release(post_id, now=now) else None
        except Exception as fault:
            # The host's hook runs here: its bug must not stop the posts behind this one, run after run.
            release = _not_released(slug, post_id, fault)
        if release is not None:
            yield release


def _release(post_id: int, *, now: datetime) -> bool:
    """Release a post, and return whether it was still due."""
    with logged_write("publish_due", actor=None, refusal_of=refusal_of_database):
        stored = _release_due(post_id, now=now)
        if stored is None:
            note_nothing()
            return False
        conclude(stored, actor=None, now=now)
        return True


@renders_first
def _release_due(prepared: Prepared, post_id: int, *, now: datetime) -> Stored | None:
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


def _not_released(slug: str, post_id: int, fault: Exception) -> DueRelease:
    refusal = refusal_of_database(fault)
    if isinstance(refusal, Unavailable) and not is_database_available():
        raise fault
    if refusal is not None:
        return DueRelease(slug, refusal=_without_frames(refusal))
    logger.error("The scheduled post %d could not be released.", post_id, exc_info=fault)
    return DueRelease(slug, failure=_without_frames(fault))


def _without_frames(fault: E) -> E:
    """Return the exception without its traceback, whose frames hold the whole post: many posts may be due."""
    fault.__cause__ = fault.__context__ = None
    return fault.with_traceback(None)


def _lock_due(post_id: int, *, now: datetime) -> Post | None:
    """Lock a post that is scheduled and due; ``None`` when it is not, or not any more, or another run holds it."""
    skips = engine_connection().features.has_select_for_update_skip_locked
    post = lock_post(post_id, skip_locked=skips)
    if post is None or post.status != PostStatus.SCHEDULED or post.publish_at is None or post.publish_at > now:
        return None
    return post
