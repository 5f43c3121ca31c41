"""Taking a post away from its readers."""

from datetime import datetime

from blog_engine.models import Post
from blog_engine.services._redirects import withdraw_address
from blog_engine.vocabulary import PostStatus, RedirectSource


def withdraw(post: Post, *, to: PostStatus, source: RedirectSource, target: str | None = None, now: datetime) -> None:
    """Give a locked post another status than public, and its address another target, or none (410).

    The address of a post that is not public is only written when the post is archived (records.md 5.1).
    """
    if post.status == PostStatus.PUBLISHED or to is PostStatus.ARCHIVED:
        withdraw_address(post, target=target, source=source, now=now)
    post.status = to.value
    post.publish_at = None
    post.updated_at = now
    post.store(update_fields=["status", "publish_at", "updated_at"])
