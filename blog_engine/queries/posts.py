"""Posts for the API, the scheduler and the surface report."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from django.db.models import Count, Exists, Min, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.enums import PostStatus
from blog_engine.errors import NotFound
from blog_engine.models import (
    Approval,
    Baseline,
    ConnectionDeclaration,
    Faq,
    Post,
    PostTag,
    Publication,
    when_public,
)

NO_SUCH_POST: Final = "No post has that id or slug. List the posts to find it."
"""The nearest slug is not suggested, because finding it would read all of them."""

_LONGEST_ID = 18
"""A longer number cannot be an id, and some databases refuse to compare with one."""


def post_id_expression(key: str) -> Combinable:
    """Return the subquery for the id of the post with this id, or else with this slug."""
    by_slug = Subquery(Post.objects.order_by().filter(slug=key).values("pk")[:1])
    if not (key.isascii() and key.isdigit() and len(key) <= _LONGEST_ID):
        return by_slug
    return Coalesce(Subquery(Post.objects.order_by().filter(pk=int(key)).values("pk")[:1]), by_slug)


def post_id_of(key: str) -> int:
    """Return the id of the post with this id or else slug; raises ``NotFound``."""
    post_id = Post.objects.filter(pk=post_id_expression(key)).values_list("pk", flat=True).first()
    if post_id is None:
        raise NotFound(hint=NO_SUCH_POST)
    return post_id


def read_post(post_id: int) -> Post:
    """Return a post with its relations; raises ``NotFound``. Three queries."""
    whole = with_review(_with_relations(Post.objects.filter(pk=post_id))).select_related("cover_image", "social_image")
    post = whole.prefetch_related("faqs").defer("public_revision__payload").first()
    if post is None:
        raise NotFound(hint=NO_SUCH_POST)
    return post


def tag_names(post: Post) -> list[str]:
    """Return the names of the loaded tags of a post in the order sent."""
    return [tagging.tag.name for tagging in post.taggings.all()]


def _with_relations(posts: QuerySet[Post]) -> QuerySet[Post]:
    taggings = Prefetch("taggings", PostTag.objects.select_related("tag").order_by("id"))
    return posts.select_related("author", "category", "series").prefetch_related(taggings)


def with_review(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Annotate what the label and ``approved`` need, without a further query per post.

    ``is_reviewed``: a facts-checked approval of exactly the current content exists.
    ``is_approved``: one exists for the public revision.
    """
    return posts.select_related("public_revision").annotate(  # type: ignore[no-redef]  # Post declares them for readers
        is_reviewed=reviewed(), is_approved=Exists(_checks().filter(revision=OuterRef("public_revision")))
    )


def reviewed() -> Exists:
    """Return the expression for ``is_reviewed`` of a post."""
    return Exists(_checks().filter(revision__identifier=OuterRef("current_revision_identifier")))


def _checks() -> QuerySet[Approval]:
    return Approval.objects.filter(post=OuterRef("pk"), facts_checked=True)


def hidden_posts() -> list[str]:
    """Return the slugs of posts that are hidden by ``route_segments``; one query."""
    taken = Post.objects.filter(slug__in=get_settings().route_segments.values())
    return list(taken.order_by("slug").values_list("slug", flat=True))


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The number of scheduled and of due posts, and when the first one was due."""

    number: int
    due: int
    earliest_due: datetime | None


def scheduled_posts(*, due_before: datetime) -> Scheduled:
    """Count the scheduled posts, and those that were due before a moment; one query."""
    is_due = Q(publish_at__lt=due_before)
    found = Post.objects.filter(status=PostStatus.SCHEDULED.value).aggregate(
        number=Count("pk"), due=Count("pk", filter=is_due), earliest_due=Min("publish_at", filter=is_due)
    )
    return Scheduled(**found)


R = TypeVar("R", Faq, Publication, Approval, ConnectionDeclaration)


@dataclass(frozen=True, slots=True)
class ReportedPost:
    """A published post and its records, in the order in which they were recorded.

    The post has its author, category, series, images and public revision loaded. ``declaration`` is the last one.
    """

    post: Post
    faq: tuple[FaqPair, ...]
    publications: tuple[Publication, ...]
    approvals: tuple[Approval, ...]
    baseline: Baseline | None
    declaration: ConnectionDeclaration | None


@dataclass(frozen=True, slots=True)
class ReportedPage:
    """A page of published posts by id, and the number of all of them."""

    posts: tuple[ReportedPost, ...]
    page: int
    per_page: int
    total: int

    @property
    def pages(self) -> int:
        """The number of pages, at least one."""
        return max(1, -(-self.total // self.per_page))


def reported_page(number: int, *, per_page: int) -> ReportedPage:
    """Return a page of all published posts, empty past the end. Seven queries."""
    found = _published().order_by("pk")
    start = (number - 1) * per_page
    return ReportedPage(_with_records(found[start : start + per_page]), number, per_page, found.count())


def reported_post(key: str) -> ReportedPage:
    """Return a page with the published post of this id or slug; raises ``NotFound``."""
    posts = _with_records(_published().filter(pk=post_id_of(key)))
    if not posts:
        raise NotFound(hint=f"{NO_SUCH_POST} Only published posts have a report.")
    return ReportedPage(posts, page=1, per_page=1, total=1)


def _published() -> QuerySet[Post]:
    relations = ("author__avatar", "category", "series", "cover_image", "social_image")
    posts = Post.objects.filter(when_public()).select_related(*relations)
    return with_review(posts)


def _with_records(found: Iterable[Post]) -> tuple[ReportedPost, ...]:
    posts = list(found)
    ids = [post.pk for post in posts]
    faqs = _by_post(Faq.objects.filter(post__in=ids).order_by("position"))
    publications = _by_post(Publication.objects.filter(post__in=ids).order_by("id"))
    approvals = _by_post(Approval.objects.filter(post__in=ids).order_by("id"))
    declarations = _by_post(ConnectionDeclaration.objects.filter(post__in=ids).order_by("id"))
    baselines = {baseline.post_id: baseline for baseline in Baseline.objects.filter(post__in=ids)}
    return tuple(
        ReportedPost(
            post=post,
            faq=tuple(FaqPair(question=entry.question, answer=entry.answer) for entry in faqs[post.pk]),
            publications=tuple(publications[post.pk]),
            approvals=tuple(approvals[post.pk]),
            baseline=baselines.get(post.pk),
            declaration=next(reversed(declarations[post.pk]), None),
        )
        for post in posts
    )


def _by_post(rows: Iterable[R]) -> defaultdict[int, list[R]]:
    found: defaultdict[int, list[R]] = defaultdict(list)
    for row in rows:
        found[row.post_id].append(row)
    return found
