"""Withdrawing posts whose end has come."""

from datetime import datetime

from blog_engine import signals
from blog_engine.actor import ON_EXPIRY
from blog_engine.enums import EventType, PostStatus, RedirectSource
from blog_engine.errors import Refusal
from blog_engine.models import Post, when_public
from blog_engine.queries.database import refusal_of_database
from blog_engine.queries.posts import read_post
from blog_engine.services._transaction import lock_post, write_transaction
from blog_engine.services.deliveries import note_event
from blog_engine.services.outcome import Stored, finish_write
from blog_engine.services.posts import withdraw
from blog_engine.services.write_log import logged_write, note_nothing, note_post


def expired_posts(*, now: datetime) -> list[tuple[int, str]]:
    """Return the ids and slugs of the public posts whose end has come, the earliest first; one query."""
    ended = Post.objects.filter(when_public(), expires_at__lte=now).order_by("expires_at", "id")
    return list(ended.values_list("pk", "slug"))


def expire_posts(*, now: datetime) -> None:
    """Withdraw the public posts whose end has come, each in its own transaction.

    Raises an error of a database, and in the end the first refusal, such as ``SlugReserved`` when a redirect of
    another record has the path.
    """
    refused: Refusal | None = None
    for post_id, _slug in expired_posts(now=now):
        try:
            expire_post(post_id, now=now)
        except Refusal as refusal:
            refused = refused or refusal
    if refused is not None:
        raise refused


def expire_post(post_id: int, *, now: datetime) -> bool:
    """Withdraw a post whose end has come, and return whether it was still public (posts.expiry)."""
    with logged_write("expire_post", actor=None, refusal_of=refusal_of_database):
        with write_transaction():
            post = lock_post(post_id)
            if post is None or post.status != PostStatus.PUBLISHED or post.expires_at is None or post.expires_at > now:
                note_nothing()
                return False
            note_post(post.pk)
            gone = withdraw(post, to=PostStatus.DRAFT, source=RedirectSource.UNPUBLISH, actor=ON_EXPIRY, now=now)
            stored = Stored(read_post(post.pk), signals.post_unpublished, redirected=gone)
            note_event(EventType.WITHDRAWN, stored.post, now=now)
        finish_write(stored, actor=None, now=now)
        return True
