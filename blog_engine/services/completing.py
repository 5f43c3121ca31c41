"""Completing what a process of an earlier version wrote during an upgrade, as the next write would."""

from blog_engine.conf import get_settings
from blog_engine.models import Baseline, Post
from blog_engine.queries.earlier_versions import (
    posts_changed_before_published,
    posts_of_earlier_version,
    posts_without_body_images,
    posts_without_feed_id,
)
from blog_engine.queries.feeds import free_feed_id
from blog_engine.rules.dates import dates_of
from blog_engine.services._edit import columns_of
from blog_engine.services._history import settle_review
from blog_engine.services._prepared import Prepared, renders_first
from blog_engine.services._store import note_body_images
from blog_engine.services._transaction import write_transaction
from blog_engine.services.rendering import index_post


def complete_posts() -> int:
    """Complete what an earlier version left out of posts, and return the number of posts.

    That is their permanent feed id, the images in their bodies, why they wait for a review, their search words, and the
    rule that no post changed before it was published. Content and history stay as they are.
    """
    of_earlier_version = set(posts_of_earlier_version())
    without_images = set(posts_without_body_images())
    others = {*posts_without_feed_id(), *posts_changed_before_published()}
    posts = sorted(of_earlier_version | without_images | others)
    return sum(
        _complete(post, is_earlier=post in of_earlier_version, has_other_images=post in without_images)
        for post in posts
    )


@renders_first
def _complete(prepared: Prepared, post_id: int, *, is_earlier: bool, has_other_images: bool) -> bool:
    """Complete one post in a transaction of its own; return whether it lacked something."""
    with write_transaction():
        post = Post.objects.select_for_update(of=("self",), no_key=True).filter(pk=post_id).first()
        if post is None:
            return False
        stored = columns_of(post)
        is_reindexed = is_earlier and index_post(post, prepared)
        if is_earlier:
            settle_review(post)
        if post.modified_at and post.published_at and post.modified_at < post.published_at:
            baseline = Baseline.objects.filter(post=post).first()
            post.modified_at = dates_of(post.publications.order_by("pk"), baseline).modified_at
        _set_feed_id(post)
        post.store(update_fields=[name for name, value in columns_of(post).items() if stored[name] != value])
        if has_other_images:
            note_body_images(post, had_some=True)
        return is_reindexed or has_other_images or columns_of(post) != stored


def _set_feed_id(post: Post) -> None:
    origin = get_settings().public_base_url
    first = post.publications.order_by("occurred_at", "pk").first()
    if post.feed_id is None and origin and first is not None:
        post.feed_id = free_feed_id(origin, published=first.occurred_at, post_id=post.pk)
