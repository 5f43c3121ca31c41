"""Many published posts at once, for counting queries; written past the services on purpose."""

import hashlib
from datetime import timedelta

from django.db.models import QuerySet

from blog_engine.enums import PostStatus
from blog_engine.models import Faq, Post, PostTag, Revision
from tests.support.factories import NOW


def publish_crowd(count: int, *, like: Post, start: int = 0) -> None:
    """Insert published posts with the author, category, tags and FAQ of another one."""
    posts = QuerySet(Post).bulk_create(_copy(like, number=number) for number in range(start, start + count))
    revisions = [
        Revision(post=post, identifier=post.current_revision_identifier, payload="{}", created_at=NOW) for post in posts
    ]
    Revision.objects.bulk_create(revisions)
    for post, revision in zip(posts, revisions, strict=True):
        post.status, post.public_revision = PostStatus.PUBLISHED.value, revision
    QuerySet(Post).bulk_update(posts, ["status", "public_revision"], batch_size=200)
    tags = list(like.tags.all())
    PostTag.objects.bulk_create(PostTag(post=post, tag=tag) for post in posts for tag in tags)
    QuerySet(Faq).bulk_create(Faq(post=post, position=1, question="Q?", answer="A.") for post in posts)


def _copy(like: Post, *, number: int) -> Post:
    moment = NOW - timedelta(minutes=number + 1)
    return Post(
        slug=f"crowd-{number}",
        title=f"Crowd {number}",
        indexed_title=f"crowd {number}",
        body="Text.",
        body_html="<p>Text.</p>",
        rendered_with=like.rendered_with,
        author=like.author,
        author_name=like.author_name,
        category=like.category,
        series=like.series,
        cover_image=like.cover_image,
        published_at=moment,
        modified_at=moment,
        listed_at=moment,
        current_revision_identifier=hashlib.sha256(str(number).encode()).hexdigest(),
    )
