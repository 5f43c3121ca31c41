"""Posts as the reader pages show them: one article with what stands around it, and lists of cards (reader.md 1.6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from blog_engine.addresses import Addresses
from blog_engine.content.faq import FaqPair
from blog_engine.models import ConnectionDeclaration, Faq, Post, PostTag, Publication
from blog_engine.queries.label import with_review
from blog_engine.vocabulary import EntryType, PostStatus

RELATED_POSTS = 3
NEWEST_POSTS = 6

_ON_CARDS = (
    *("slug", "title", "description", "excerpt", "author_name", "published_at", "modified_at"),
    *("reading_time_minutes", "cover_alt", "author__slug", "category__name", "category__slug"),
    *("author__avatar_file", "author__avatar__sha256", "author__avatar__filename"),
    *("cover_image__sha256", "cover_image__filename", "cover_image__width", "cover_image__height"),
)
_NOT_ON_THE_PAGE = (
    *("body_facts", "body_image_manifest", "public_revision__payload"),
    *("indexed_title", "indexed_description", "indexed_faq", "indexed_body"),
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an article shows besides its own row."""

    tags: tuple[str, ...]
    faq: tuple[FaqPair, ...]
    corrections: tuple[Publication, ...]
    declaration: ConnectionDeclaration | None
    related: tuple[Post, ...]


@dataclass(frozen=True, slots=True)
class IndexPage:
    """One page of the index: ``cards`` never holds the featured post, ``published`` counts it."""

    featured: Post | None
    cards: tuple[Post, ...]
    published: int
    page_count: int


def published_article(slug: str) -> Post | None:
    """The published post at a slug, ready for its label; one query."""
    return _articles().filter(slug=slug, status=PostStatus.PUBLISHED.value).first()


def stored_article(post_id: int) -> Post | None:
    """A post in any state, as a preview shows it; one query."""
    return _articles().filter(pk=post_id).first()


def stored_article_at(slug: str) -> Post | None:
    """A post in any state by its slug; one query."""
    return _articles().filter(slug=slug).first()


def canonical_url(post: Post, *, here: Addresses) -> str:
    """The address that search engines shall know: the author's choice, else the post's own."""
    return post.canonical_url or here.post_url(post.slug)


def surroundings_of(post: Post, *, now: datetime) -> Surroundings:
    """The parts around an article that readers may see at ``now``; five queries."""
    taggings = PostTag.objects.filter(post=post).order_by("id")
    corrections = Publication.objects.filter(
        post=post, entry_type=EntryType.CORRECTION.value, occurred_at__lte=now
    ).order_by("occurred_at", "id")
    return Surroundings(
        tags=tuple(taggings.values_list("tag__name", flat=True)),
        faq=faq_of(post),
        corrections=tuple(corrections),
        declaration=latest_declaration(post),
        related=tuple(_related(post)),
    )


def faq_of(post: Post) -> tuple[FaqPair, ...]:
    """The questions and answers in their order; one query."""
    rows = Faq.objects.filter(post=post).order_by("position").values_list("question", "answer")
    return tuple(FaqPair(question=question, answer=answer) for question, answer in rows)


def latest_declaration(post: Post) -> ConnectionDeclaration | None:
    """The declaration in force: the last one recorded, whatever date it names (reader.md 4.3)."""
    return ConnectionDeclaration.objects.filter(post=post).order_by("-id").first()


def index_page(number: int, *, per_page: int) -> IndexPage | None:
    """A page of the index, ``None`` when there is no such page; three queries (reader.md 1.4, 2)."""
    published = Post.objects.filter(status=PostStatus.PUBLISHED.value).count()
    featured = _listed().filter(featured=True).first()
    ordinary = published - (featured is not None)
    page_count = max(1, -(-ordinary // per_page))
    if number > page_count:
        return None
    others = _listed().exclude(pk=featured.pk) if featured else _listed()
    start = (number - 1) * per_page
    return IndexPage(featured, tuple(others[start : start + per_page]), published, page_count)


def newest_posts() -> Sequence[Post]:
    """The newest published posts, for pages that have nothing else to offer; one query."""
    return tuple(_listed()[:NEWEST_POSTS])


def is_published(slug: str) -> bool:
    """Whether a published post has this slug."""
    return Post.objects.filter(slug=slug, status=PostStatus.PUBLISHED.value).exists()


def _articles() -> QuerySet[Post]:
    relations = ("author__avatar", "category", "cover_image", "social_image")
    return with_review(Post.objects.select_related(*relations)).defer(*_NOT_ON_THE_PAGE)


def _listed() -> QuerySet[Post]:
    """Published posts in the standard order (reader.md 1.6)."""
    published = Post.objects.filter(status=PostStatus.PUBLISHED.value).order_by("-listed_at", "-id")
    return published.select_related("author__avatar", "category", "cover_image").only(*_ON_CARDS)


def _related(post: Post) -> QuerySet[Post]:
    others = _listed().exclude(pk=post.pk)
    if post.category_id is not None:
        others = others.filter(category=post.category_id)
    return others[:RELATED_POSTS]
