"""The permanent ids of posts in feeds: tag URIs (RFC 4151)."""

from datetime import UTC, datetime
from itertools import count
from urllib.parse import urlsplit

from blog_engine.models import Post


def feed_id(origin: str, *, published: datetime, post_id: int) -> str:
    """Return the id of a post that was first published at `published` on the site at `origin`.

    Only the host name of the origin counts, and only the day (UTC) of the time.
    """
    return f"tag:{urlsplit(origin).hostname},{published.astimezone(UTC).date().isoformat()}:post:{post_id}"


def free_feed_id(origin: str, *, published: datetime, post_id: int) -> str:
    """Return the id of a post, with a number behind it where an adopted post of another id has it already."""
    wanted = feed_id(origin, published=published, post_id=post_id)
    choices = (wanted if number == 1 else f"{wanted}-{number}" for number in count(1))
    return next(one for one in choices if not is_taken(one, post_id=post_id))


def is_taken(feed_id: str, *, post_id: int | None) -> bool:
    """Whether another post has this id."""
    found = Post.objects.filter(feed_id=feed_id)
    return (found if post_id is None else found.exclude(pk=post_id)).exists()
