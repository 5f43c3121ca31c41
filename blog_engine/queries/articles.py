"""Posts with everything that their pages show."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.faq import FaqPair
from blog_engine.content.plain_text import MarkdownDocument, markdown_text
from blog_engine.enums import BodyFormat, EntryType, PolicyKind
from blog_engine.models import ConnectionDeclaration, Faq, Post, PostTag, Publication, Series, when_public
from blog_engine.queries.listings import in_reading_order, on_cards, public_posts
from blog_engine.queries.policies import find_policy_url
from blog_engine.queries.posts import with_review
from blog_engine.rules.dates import known_dates, long_date
from blog_engine.rules.label import ai_notice, label_of, paid_notice

_RELATED_POSTS = 3

_NOT_ON_THE_PAGE = (
    *("body_facts", "body_image_manifest", "public_revision__payload"),
    *("indexed_title", "indexed_description", "indexed_faq", "indexed_body"),
)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The slugs and titles of the public posts before and after a post in its series."""

    series: Series
    previous: tuple[str, str] | None
    next: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What an article shows from other rows than its own."""

    tags: tuple[tuple[str, str], ...]
    """Names and slugs."""
    faq: tuple[FaqPair, ...]
    corrections: tuple[Publication, ...]
    declaration: ConnectionDeclaration | None
    neighbours: Neighbours | None
    related: tuple[Post, ...]


def published_article(slug: str) -> Post | None:
    """Return the published post with a slug, or ``None``; one query."""
    return _articles().filter(when_public(), slug=slug).first()


def stored_article(post_id: int) -> Post | None:
    """Return the post with an id, whatever its status, or ``None``; one query."""
    return _articles().filter(pk=post_id).first()


def stored_article_at(slug: str) -> Post | None:
    """Return the post with a slug, whatever its status, or ``None``; one query."""
    return _articles().filter(slug=slug).first()


def canonical_url(post: Post, *, urls: BlogURLs) -> str:
    """Return the canonical URL stored with the post, or else the URL of the post."""
    return post.canonical_url or urls.post_url(post.slug)


def surroundings_of(post: Post, *, now: datetime) -> Surroundings:
    """Return the parts around an article at ``now``; five queries, two for a series."""
    taggings = PostTag.objects.filter(post=post).order_by("id")
    corrections = Publication.objects.filter(
        post=post, entry_type=EntryType.CORRECTION.value, occurred_at__lte=now
    ).order_by("occurred_at", "id")
    return Surroundings(
        tags=tuple(taggings.values_list("tag__name", "tag__slug")),
        faq=faq_of(post),
        corrections=tuple(corrections),
        declaration=latest_declaration(post),
        neighbours=_neighbours(post),
        related=tuple(_related(post)),
    )


def faq_of(post: Post) -> tuple[FaqPair, ...]:
    """Return the questions and answers of a post in order; one query."""
    rows = Faq.objects.filter(post=post).order_by("position").values_list("question", "answer")
    return tuple(FaqPair(question=question, answer=answer) for question, answer in rows)


def latest_declaration(post: Post) -> ConnectionDeclaration | None:
    """Return the last recorded declaration, whatever its date, or ``None``; one query."""
    return ConnectionDeclaration.objects.filter(post=post).order_by("-id").first()


def is_published(slug: str) -> bool:
    """Return whether a published post has this slug."""
    return Post.objects.filter(when_public(), slug=slug).exists()


def _articles() -> QuerySet[Post]:
    relations = ("author__avatar", "category", "series", "cover_image", "social_image")
    return with_review(Post.objects.select_related(*relations)).defer(*_NOT_ON_THE_PAGE)


def _neighbours(post: Post) -> Neighbours | None:
    if post.series is None:
        return None
    others = in_reading_order(public_posts().filter(series=post.series).exclude(pk=post.pk)).values_list(
        "slug", "title"
    )
    unplaced = Q(series_position__isnull=True)
    if post.series_position is None:
        before = Q(series_position__isnull=False) | Q(pk__lt=post.pk)
        after = unplaced & Q(pk__gt=post.pk)
    else:
        before = Q(series_position__lt=post.series_position)
        after = Q(series_position__gt=post.series_position) | unplaced
    return Neighbours(post.series, others.filter(before).last(), others.filter(after).first())


def _related(post: Post) -> QuerySet[Post]:
    others = on_cards(public_posts()).exclude(pk=post.pk)
    if post.category_id is not None:
        others = others.filter(category=post.category_id)
    return others[:_RELATED_POSTS]


def article_markdown(post: Post, *, urls: BlogURLs, now: datetime) -> str:
    """Return the post in Markdown with byline and notices; at most three queries."""
    has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    label = label_of(post, has_responsible_party=has_responsible_party)
    notices = (ai_notice(label), paid_notice(latest_declaration(post)))
    return markdown_text(
        MarkdownDocument(
            title=post.title,
            byline=tuple(_byline(post, now=now)),
            notices=tuple(notice for notice in notices if notice),
            body=post.body,
            body_format=BodyFormat(post.body_format),
            faq=faq_of(post),
            faq_heading=_("Frequently asked questions"),
            canonical_url=canonical_url(post, urls=urls),
        )
    )


def _byline(post: Post, *, now: datetime) -> Iterator[str]:
    dates = known_dates(post, now=now)
    yield post.author_name
    if dates.published:
        yield _("Published %(date)s") % {"date": long_date(dates.published)}
    if dates.updated:
        yield _("Updated %(date)s") % {"date": long_date(dates.updated)}
