"""The scope that depends on the state of a post (service.md section 3, decisions.md 9.5)."""

from datetime import datetime
from typing import TypeVar

from blog_engine.actor import Actor, Scope
from blog_engine.inputs.posts import PostFields
from blog_engine.models import Post
from blog_engine.services._schedule import is_past
from blog_engine.vocabulary import PostStatus

P = TypeVar("P", Post, Post | None)

_NEED_PUBLISH = (PostStatus.SCHEDULED, PostStatus.PUBLISHED)


def editable(post: P, data: PostFields, *, actor: Actor, now: datetime) -> P:
    """The post (``None``: a new one), once it is sure that the actor may write to it as it stands.

    Raises ``ScopeRequired``: ``publish`` for scheduled and public posts, for an approval and for a ``publish_at`` that
    has come; else ``write``.
    """
    actor.require(Scope.PUBLISH if post is not None and post.status in _NEED_PUBLISH else Scope.WRITE)
    if data.approval is not None or is_past(data, now=now):
        actor.require(Scope.PUBLISH)
    return post
