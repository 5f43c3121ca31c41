"""Releasing scheduled posts whose time has come."""

import logging
from dataclasses import dataclass, field
from datetime import datetime

from django.db import connection

from blog_engine.errors import Refusal
from blog_engine.inputs.posts import PublishPost
from blog_engine.models import Post
from blog_engine.services._derive import derive
from blog_engine.services._edit import begin_edit
from blog_engine.services._finish import finish
from blog_engine.services._gates import approval_is_given, pass_gates
from blog_engine.services._transaction import write_transaction
from blog_engine.services.outcome import Written
from blog_engine.vocabulary import PostStatus

logger = logging.getLogger("blog_engine")


@dataclass(frozen=True, slots=True)
class DuePosts:
    """What one run did: the releases, and by slug the refusals and the failures, such as a hook that crashed."""

    released: list[Written] = field(default_factory=list)
    refused: dict[str, Refusal] = field(default_factory=dict)
    failed: dict[str, Exception] = field(default_factory=dict)


def publish_due(*, now: datetime) -> DuePosts:
    """Release every scheduled post whose ``publish_at`` has come, each in its own transaction (records.md 5.5).

    The stored content is released without an actor; a post that the gates refuse stays scheduled and is
    reported (decisions.md 3.7, 9.6). One that fails for another reason is logged, reported and left scheduled,
    and does not keep the others waiting. Runs may overlap: a post another run holds is left to it.
    """
    done = DuePosts()
    due = Post.objects.filter(status=PostStatus.SCHEDULED.value, publish_at__lte=now).order_by("publish_at", "id")
    for post_id, slug in list(due.values_list("pk", "slug")):
        try:
            written = _release(post_id, now=now)
        except Refusal as refusal:
            done.refused[slug] = refusal
        except Exception as failure:
            # The host's hook runs here: its bug must not stop the posts behind this one, run after run.
            logger.exception("The scheduled post %s could not be released.", slug)
            done.failed[slug] = failure
        else:
            if written is not None:
                done.released.append(written)
    return done


def _release(post_id: int, *, now: datetime) -> Written | None:
    with write_transaction():
        post = _still_due(post_id, now=now)
        if post is None:
            return None
        edit = begin_edit(post, PublishPost(id=str(post_id)), actor=None, now=now)
        post.publish_at = None
        derive(edit)
        pass_gates(edit, approval_is_given)
        return finish(edit, status=PostStatus.PUBLISHED)


def _still_due(post_id: int, *, now: datetime) -> Post | None:
    """The locked post if it is still scheduled and due; ``None`` when it was cancelled, moved, released or is held."""
    posts = Post.objects.select_for_update(
        of=("self",), no_key=True, skip_locked=connection.features.has_select_for_update_skip_locked
    )
    return posts.filter(pk=post_id, status=PostStatus.SCHEDULED.value, publish_at__lte=now).first()
