"""Posts for the API, the scheduler and the surface report."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from django.db.models import Count, Exists, Min, Model, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django_filters import CharFilter, FilterSet

from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.content.text import fold
from blog_engine.enums import PostStatus
from blog_engine.errors import NotFound
from blog_engine.inputs.posts import ListPosts
from blog_engine.models import (
    Approval,
    Author,
    Baseline,
    Category,
    ConnectionDeclaration,
    Faq,
    Post,
    PostTag,
    Publication,
    Series,
    Tag,
    when_public,
)
from blog_engine.queries.records import Listed, Place, page_of
from blog_engine.queries.search import matches

NO_SUCH_POST: Final = "No post has that id or slug. List the posts to find it."
"""The nearest slug is not suggested, because finding it would read all of them."""

_LONGEST_ID = 18
"""A longer number cannot be an id, and some databases refuse to compare with one."""
_NOT_ON_CARDS = (
    "body",
    "body_html",
    "body_facts",
    "outline",
    "body_image_manifest",
    "indexed_title",
    "indexed_description",
    "indexed_faq",
    "indexed_body",
    "public_revision__payload",
)


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


def cards(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Load what a card shows with the posts, in two queries."""
    return with_review(_with_relations(posts)).defer(*_NOT_ON_CARDS)


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
    checked = Approval.objects.filter(post=OuterRef("pk"), facts_checked=True)
    return posts.select_related("public_revision").annotate(  # type: ignore[no-redef]  # Post declares them for readers
        is_reviewed=Exists(checked.filter(revision__identifier=OuterRef("current_revision_identifier"))),
        is_approved=Exists(checked.filter(revision=OuterRef("public_revision"))),
    )


def hidden_posts() -> list[str]:
    """Return the slugs of posts that are hidden by ``route_segments``; one query."""
    taken = Post.objects.filter(slug__in=get_settings().route_segments.values())
    return list(taken.order_by("slug").values_list("slug", flat=True))


_NEWEST_FIRST = ("-created_at", "-id")

_ID = re.compile("[1-9][0-9]*")


class PostFilter(FilterSet):  # type: ignore[misc]  # django-filter has no types
    """The filters of ``ListPosts``; leading and trailing spaces count."""

    status = CharFilter()
    category = CharFilter(method="of_category", strip=False)
    tag = CharFilter(method="with_tag", strip=False)
    author = CharFilter(method="by_author", strip=False)
    series = CharFilter(method="of_series", strip=False)

    def of_category(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(category__in=_with_key(Category, value))

    def by_author(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(author__in=_with_key(Author, value))

    def of_series(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(series__in=_with_key(Series, value))

    def with_tag(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        # One tag can match by slug and another by name: a join would list a post with both twice.
        tags = Tag.objects.filter(_slug_or_id(value) | Q(key=fold(value)))
        return posts.filter(Exists(PostTag.objects.filter(post=OuterRef("pk"), tag__in=tags)))


def listed_posts(data: ListPosts) -> Listed[Post]:
    """Return a page of cards, newest first, or the best first for a search ``q``."""
    posts = filtered_posts(data)
    if data.q is None:
        return page_of(cards(posts), data)
    ids = matches(posts, data.q, then_by=_NEWEST_FIRST).ids
    start = (data.page - 1) * data.per_page
    wanted = ids[start : start + data.per_page]
    found = {post.pk: post for post in cards(Post.objects.filter(pk__in=wanted))}
    return Listed(
        [found[pk] for pk in wanted if pk in found], Place(page=data.page, per_page=data.per_page, total=len(ids))
    )


def filtered_posts(data: ListPosts) -> QuerySet[Post]:
    """Return the posts that pass the filters, except ``q``, newest first."""
    sent = {name: getattr(data, name) for name in PostFilter.base_filters if getattr(data, name) is not None}
    filters = PostFilter(sent, queryset=Post.objects.order_by(*_NEWEST_FIRST))
    if not filters.is_valid():
        # django-filter would return the unfiltered posts.
        raise ValueError(f"ListPosts accepted what PostFilter refuses: {filters.errors}")
    posts: QuerySet[Post] = filters.qs
    return posts


def _with_key(model: type[Model], value: str) -> QuerySet[Model]:
    return model._default_manager.filter(_slug_or_id(value) | Q(name=value))


def _slug_or_id(value: str) -> Q:
    return Q(slug=value) | Q(pk=int(value)) if _ID.fullmatch(value) else Q(slug=value)


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
