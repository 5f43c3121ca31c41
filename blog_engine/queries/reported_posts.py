"""Published posts with all their records, as the surface report compares them with their pages (records.md 16)."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.db.models import QuerySet

from blog_engine.content.faq import FaqPair
from blog_engine.errors import NotFound
from blog_engine.models import Approval, Baseline, ConnectionDeclaration, Faq, Post, Publication
from blog_engine.queries.label import with_review
from blog_engine.queries.posts import NO_SUCH_POST, post_id_of
from blog_engine.vocabulary import PostStatus

R = TypeVar("R", Faq, Publication, Approval, ConnectionDeclaration)


@dataclass(frozen=True, slots=True)
class ReportedPost:
    """A published post and its records, each list in insertion order.

    The post has its author, category, series, images and public revision with payload, and is ready for its label;
    ``declaration`` is the one in force, the last recorded.
    """

    post: Post
    faq: tuple[FaqPair, ...]
    publications: tuple[Publication, ...]
    approvals: tuple[Approval, ...]
    baseline: Baseline | None
    declaration: ConnectionDeclaration | None


@dataclass(frozen=True, slots=True)
class ReportedPage:
    """A page of published posts by id, and how many there are in all."""

    posts: tuple[ReportedPost, ...]
    page: int
    per_page: int
    total: int

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-self.total // self.per_page))


def reported_page(number: int, *, per_page: int) -> ReportedPage:
    """One page of all published posts; without posts when it is past the end. Seven queries."""
    found = _published().order_by("pk")
    start = (number - 1) * per_page
    return ReportedPage(_with_records(found[start : start + per_page]), number, per_page, found.count())


def reported_post(key: str) -> ReportedPage:
    """The published post with this id or slug, alone on its page; raises ``NotFound``."""
    posts = _with_records(_published().filter(pk=post_id_of(key)))
    if not posts:
        raise NotFound(hint=f"{NO_SUCH_POST} Only published posts have pages to look at.")
    return ReportedPage(posts, page=1, per_page=1, total=1)


def _published() -> QuerySet[Post]:
    relations = ("author__avatar", "category", "series", "cover_image", "social_image")
    posts = Post.objects.filter(status=PostStatus.PUBLISHED.value).select_related(*relations)
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
