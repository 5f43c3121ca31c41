"""List filters become a query (records.md 7)."""

import re

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django_filters import CharFilter, FilterSet

from blog_engine.content.text import fold
from blog_engine.inputs.posts import ListPosts
from blog_engine.models import Author, Category, Post, PostTag, Series, Tag
from blog_engine.queries.paging import Listed, Place, page_of
from blog_engine.queries.posts import cards
from blog_engine.queries.search import matches

NEWEST_FIRST = ("-created_at", "-id")

_ID = re.compile("[1-9][0-9]*")


class PostFilter(FilterSet):  # type: ignore[misc]  # django-filter has no types
    """The filters of ``ListPosts``; its texts are taken as they are, spaces included."""

    status = CharFilter()
    category = CharFilter(method="of_category", strip=False)
    tag = CharFilter(method="with_tag", strip=False)
    author = CharFilter(method="by_author", strip=False)
    series = CharFilter(method="of_series", strip=False)

    def of_category(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(category__in=_called(Category, value))

    def by_author(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(author__in=_called(Author, value))

    def of_series(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        return posts.filter(series__in=_called(Series, value))

    def with_tag(self, posts: QuerySet[Post], name: str, value: str) -> QuerySet[Post]:
        # Two tags may match, one by slug and one by name: a join would list a post that has both twice.
        tags = Tag.objects.filter(_slug_or_id(value) | Q(key=fold(value)))
        return posts.filter(Exists(PostTag.objects.filter(post=OuterRef("pk"), tag__in=tags)))


def listed_posts(data: ListPosts) -> Listed[Post]:
    """One page of a list, as cards: the newest first, with ``q`` the posts with all its words, the best first."""
    posts = filtered_posts(data)
    if data.q is None:
        return page_of(cards(posts), data)
    ids = matches(posts, data.q, then_by=NEWEST_FIRST).ids
    start = (data.page - 1) * data.per_page
    wanted = ids[start : start + data.per_page]
    found = {post.pk: post for post in cards(Post.objects.filter(pk__in=wanted))}
    return Listed(
        [found[pk] for pk in wanted if pk in found], Place(page=data.page, per_page=data.per_page, total=len(ids))
    )


def filtered_posts(data: ListPosts) -> QuerySet[Post]:
    """The posts that pass the filters but ``q``, the newest first; each comes once."""
    sent = {name: getattr(data, name) for name in PostFilter.base_filters if getattr(data, name) is not None}
    filters = PostFilter(sent, queryset=Post.objects.order_by(*NEWEST_FIRST))
    if not filters.is_valid():
        # The wider list that django-filter would give then is the answer to another question.
        raise ValueError(f"ListPosts let through what PostFilter refuses: {filters.errors}")
    posts: QuerySet[Post] = filters.qs
    return posts


def _called(model: type[Model], value: str) -> QuerySet[Model]:
    return model._default_manager.filter(_slug_or_id(value) | Q(name=value))


def _slug_or_id(value: str) -> Q:
    return Q(slug=value) | Q(pk=int(value)) if _ID.fullmatch(value) else Q(slug=value)
