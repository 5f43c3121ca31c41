"""Success statuses of post writes (service.md section 4.1)."""

from blog_engine.outputs.outcome import WriteEnvelope
from blog_engine.vocabulary import PostStatus


def of_save(written: WriteEnvelope) -> int:
    """202 for a post that now waits for its time, else 201 for a new one, else 200."""
    if written.post.status == PostStatus.SCHEDULED:
        return 202
    return 201 if written.created else 200


def of_release(written: WriteEnvelope) -> int:
    """202 for a post that now waits for its time, else 200."""
    return 202 if written.post.status == PostStatus.SCHEDULED else 200
