"""The conversations about posts, and whose turn it is."""

from collections.abc import Callable
from typing import Final

from django.db.models import BooleanField, Case, Q, QuerySet, Value, When

from blog_engine.content.passages import quoted_passages
from blog_engine.enums import BodyFormat, RemarkKind, ReviewReason
from blog_engine.models import Post, Remark

MOST_SHOWN: Final = 200
"""The entries of a conversation that are shown; open remarks come before others."""
MOST_OPEN: Final = 50
MOST_ENTRIES: Final = 1_000
_OPEN_REMARKS: Final = Q(kind=RemarkKind.REMARK.value, resolved_at__isnull=True)


def remarks_of(post_id: int) -> list[Remark]:
    """Return the conversation about a post, oldest first; one query.

    Of a long one the open remarks and the newest other entries, ``MOST_SHOWN`` in all.
    """
    is_open = Case(When(_OPEN_REMARKS, then=True), default=Value(False), output_field=BooleanField())
    shown = Remark.objects.filter(post=post_id).order_by(is_open.desc(), "-id")[:MOST_SHOWN]
    return sorted(shown, key=lambda remark: remark.pk)


def conversation_of(post: Post) -> list[Remark]:
    """Return ``remarks_of`` a post read with its body, each with ``in_text`` (reviews.passage.gone); one query."""
    return _with_places(remarks_of(post.pk), lambda: (post.body, post.body_format))


def conversation_with_id(post_id: int) -> list[Remark]:
    """Return the conversation about the post with this id, as ``conversation_of``; at most two queries."""
    posts = Post.objects.filter(pk=post_id).order_by().values_list("body", "body_format")
    return _with_places(remarks_of(post_id), posts.get)


def _with_places(remarks: list[Remark], read_text: Callable[[], tuple[str, str]]) -> list[Remark]:
    quoted, found = {remark.passage for remark in remarks if remark.is_open and remark.passage}, frozenset[str]()
    if quoted:
        body, body_format = read_text()
        found = quoted_passages(quoted, body, body_format=BodyFormat(body_format))
    for remark in remarks:
        remark.in_text = remark.passage in found if remark.is_open and remark.passage else None
    return remarks


def open_remarks_of(post_id: int) -> QuerySet[Remark]:
    """Return the remarks on a post that are not resolved."""
    return Remark.objects.filter(_OPEN_REMARKS, post=post_id)


def entry_of(post_id: int, remark_id: int) -> Remark | None:
    """Return an entry of the conversation about a post, if it has it; one query."""
    return Remark.objects.filter(post=post_id, pk=remark_id).order_by().first()


def last_entry_of(post_id: int) -> Remark | None:
    """Return the newest entry of the conversation about a post, if there is one; one query."""
    return Remark.objects.filter(post=post_id).order_by("-id").first()


def number_of_entries(post_id: int) -> int:
    """Return how many entries the conversation about a post has; one query."""
    return Remark.objects.filter(post=post_id).count()


def posts_returned_to(actor_id: str) -> QuerySet[Post]:
    """Return the posts that were sent back after this actor asked for a review, the last one first.

    ``actor_id`` is ``user:7`` or ``token:3``.
    """
    posts = Post.objects.filter(review_returned_at__isnull=False, review_requester=actor_id)
    return posts.order_by("-review_returned_at", "-pk")


def posts_asked_of(user_pk: object) -> QuerySet[Post]:
    """Return the posts for which this user is asked for a review, the oldest request first."""
    posts = Post.objects.filter(review_asked=str(user_pk), review_reason=ReviewReason.REQUESTED.value)
    return posts.exclude(review_asked="").order_by("review_requested_at", "pk")
