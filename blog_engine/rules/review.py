"""The reason for which a post waits for a review."""

from collections.abc import Collection

from blog_engine.enums import PostStatus, Provenance, ReviewReason
from blog_engine.models import Post


def review_reason(post: Post, *, checked: Collection[str], made_by_ai: bool) -> ReviewReason | None:
    """Return the most urgent reason why a post waits for a review, or ``None`` (desk.queue).

    ``checked`` are the identifiers of its revisions with a facts-checked approval; ``made_by_ai`` says whether AI made
    its present content.
    """
    if post.status == PostStatus.ARCHIVED or post.current_revision_identifier in checked:
        return None
    if post.review_requested_at is not None:
        return ReviewReason.REQUESTED
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return None
    if post.status == PostStatus.SCHEDULED:
        return ReviewReason.SCHEDULED
    if checked:
        return ReviewReason.CHANGED
    is_by_ai = made_by_ai or post.provenance == Provenance.AI_ASSISTED
    return ReviewReason.AI_DRAFT if post.status == PostStatus.DRAFT and is_by_ai else None
