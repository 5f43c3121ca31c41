"""Lists of published posts: the index, list pages and the sidebar."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from django.db.models import Count, F, QuerySet

from blog_engine.blog_urls import BlogURLs, page_path
from blog_engine.conf import get_settings
from blog_engine.enums import ListKind
from blog_engine.models import Author, Category, Post, PostTag, Series, Tag, when_public

STANDARD_ORDER: Final = ("-listed_at", "-id")
_NEWEST_POSTS: Final = 6

Subject: TypeAlias = Author | Category | Series | Tag
"""A record with a page that lists its posts."""

SUBJECTS: Final[dict[ListKind, type[Subject]]] = {
    ListKind.CATEGORY: Category,
    ListKind.TAG: Tag,
    ListKind.AUTHOR: Author,
    ListKind.SERIES: Series,
}
_ON_CARDS: Final = (
    *("slug", "title", "description", "excerpt", "author_name", "published_at", "modified_at"),
    *("reading_time_minutes", "cover_alt", "author__slug", "category__name", "category__slug"),
    *("author__avatar_file", "author__avatar__sha256", "author__avatar__filename"),
    *("author__avatar__width", "author__avatar__height", "author__avatar__is_animated"),
    *("cover_image__sha256", "cover_image__filename", "cover_image__width", "cover_image__height"),
    "cover_image__is_animated",
)


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list; ``total`` counts the posts of all ``page_count`` pages."""

    posts: tuple[Post, ...]
    total: int
    page_count: int


@dataclass(frozen=True, slots=True)
class IndexListing:
    """One page of the index: the featured post, and the page of the other posts."""

    featured: Post | None
    ordinary: Listing

    @property
    def published(self) -> int:
        """The number of public posts."""
        return self.ordinary.total + (self.featured is not None)


def public_posts() -> QuerySet[Post]:
    """Return the published posts in the standard order."""
    return Post.objects.filter(when_public()).order_by(*STANDARD_ORDER)


def on_cards(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Load what a card shows with the posts, in one query."""
    return posts.select_related("author__avatar", "category", "cover_image").only(*_ON_CARDS)


def subject_at(kind: ListKind, slug: str) -> Subject | None:
    """Return the record of a list page, or ``None``; one query."""
    return SUBJECTS[kind]._default_manager.filter(slug=slug).first()


def posts_of(kind: ListKind, subject: Subject) -> QuerySet[Post]:
    """Return the public posts of a record, of a series in reading order."""
    match kind:
        case ListKind.SERIES:
            return in_reading_order(public_posts().filter(series=subject.pk))
        case ListKind.TAG:
            return public_posts().filter(taggings__tag=subject.pk)
        case ListKind.CATEGORY:
            return public_posts().filter(category=subject.pk)
        case ListKind.AUTHOR:
            return public_posts().filter(author=subject.pk)


def public_titles(ids: Sequence[int]) -> Sequence[tuple[str, str]]:
    """Return slug and title of public posts, in the order of ``ids``; one query."""
    found = {
        pk: (slug, title) for pk, slug, title in public_posts().filter(pk__in=ids).values_list("pk", "slug", "title")
    }
    return [found[pk] for pk in ids if pk in found]


def in_reading_order(posts: QuerySet[Post]) -> QuerySet[Post]:
    """Order the posts of a series by position, then those without one by id."""
    return posts.order_by(F("series_position").asc(nulls_last=True), "id")


def listing(posts: QuerySet[Post], number: int, *, per_page: int) -> Listing | None:
    """Return a page of cards, or ``None`` when it does not exist; two queries."""
    total = posts.count()
    count = page_count(total, per_page=per_page)
    if number > count:
        return None
    start = (number - 1) * per_page
    return Listing(tuple(on_cards(posts)[start : start + per_page]), total, count)


def found_posts(ids: Sequence[int]) -> Sequence[Post]:
    """Return public posts as search results, in the order of ``ids``; one query."""
    posts = {post.pk: post for post in on_cards(public_posts().filter(pk__in=ids)).only(*_ON_CARDS, "search_text")}
    return [posts[pk] for pk in ids if pk in posts]


def page_count(total: int, *, per_page: int) -> int:
    """Return the number of pages of a list; an empty list also has one."""
    return max(1, -(-total // per_page))


def index_listing(number: int, *, per_page: int) -> IndexListing | None:
    """Return a page of the index, or ``None`` when it does not exist; three queries."""
    featured = on_cards(public_posts()).filter(featured=True).first()
    others = public_posts().exclude(pk=featured.pk) if featured else public_posts()
    ordinary = listing(others, number, per_page=per_page)
    return IndexListing(featured, ordinary) if ordinary else None


def newest_posts() -> Sequence[Post]:
    """Return the newest published posts, for error pages and empty results; one query."""
    return tuple(on_cards(public_posts())[:_NEWEST_POSTS])


_TAGS_IN_SIDEBAR: Final = 20


class PostCount(NamedTuple):
    """A category or tag with the number of its public posts, at least one."""

    name: str
    slug: str
    posts: int


def public_categories() -> Sequence[PostCount]:
    """Return the categories of public posts by position, then name; one query."""
    filed = Post.objects.filter(when_public(), category__isnull=False)
    totals = filed.order_by("category__position", "category__name").values("category__name", "category__slug")
    rows = totals.annotate(posts=Count("pk")).values_list("category__name", "category__slug", "posts")
    return [PostCount(*row) for row in rows]


def frequent_tags() -> Sequence[PostCount]:
    """Return the 20 tags with the most public posts, then by name and id; one query."""
    given = PostTag.objects.filter(when_public("post__"))
    totals = given.order_by().values("tag__name", "tag__slug", "tag_id").annotate(posts=Count("pk"))
    rows = totals.order_by("-posts", "tag__name", "tag_id").values_list("tag__name", "tag__slug", "posts")
    return [PostCount(*row) for row in rows[:_TAGS_IN_SIDEBAR]]


@dataclass(frozen=True, slots=True)
class ListPage:
    """The path of a page; ``is_primary`` when search engines can index it."""

    path: str
    is_primary: bool


def sitemap_list_pages(urls: BlogURLs) -> Iterator[ListPage]:
    """Return every page of the index and of the lists, primary lists first."""
    settings = get_settings()
    index = index_listing(1, per_page=settings.posts_per_page)
    yield from _pages(urls.index_path(), index.ordinary.page_count if index else 1, is_primary=True)
    for kind in sorted(SUBJECTS, key=lambda kind: kind is not settings.primary_list):
        for path, total in _lists(kind, urls=urls):
            count = page_count(total, per_page=settings.posts_per_page)
            yield from _pages(path, count, is_primary=kind is settings.primary_list)


def _lists(kind: ListKind, *, urls: BlogURLs) -> Iterator[tuple[str, int]]:
    public = Count("posts", filter=when_public("posts__"))
    counted = SUBJECTS[kind]._default_manager.order_by("id").annotate(total=public).values_list("slug", "total")
    return ((urls.list_path(kind, slug), total) for slug, total in counted)


def _pages(path: str, count: int, *, is_primary: bool) -> Iterator[ListPage]:
    return (ListPage(page_path(path, number), is_primary) for number in range(1, count + 1))
