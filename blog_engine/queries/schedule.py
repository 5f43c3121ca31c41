"""Posts that wait for their time."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Q

from blog_engine.models import Post
from blog_engine.vocabulary import PostStatus


@dataclass(frozen=True, slots=True)
class Scheduled:
    """How many posts are scheduled, how many of them were due, and since when the first of those was."""

    number: int
    due: int
    earliest_due: datetime | None


def scheduled_posts(*, due_before: datetime) -> Scheduled:
    """The scheduled posts, and among them those whose time came before a moment; one query."""
    is_due = Q(publish_at__lt=due_before)
    found = Post.objects.filter(status=PostStatus.SCHEDULED.value).aggregate(
        number=Count("pk"), due=Count("pk", filter=is_due), earliest_due=Min("publish_at", filter=is_due)
    )
    return Scheduled(**found)
