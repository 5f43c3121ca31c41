"""A feed, whatever its format (reader.md 7, decisions.md 3.13)."""

from dataclasses import dataclass
from datetime import UTC, datetime, time

from blog_engine.addresses import Addresses
from blog_engine.conf import get_settings
from blog_engine.content.syndication import syndicated_html
from blog_engine.models import Image
from blog_engine.queries.feeds import FeedEntry, feed_id
from blog_engine.queries.images import original_path
from blog_engine.queries.labels import PAID, ai_notice
from blog_engine.queries.listings import Subject
from blog_engine.queries.rendering import article_of
from blog_engine.vocabulary import FeedFormat, Label, ListKind


@dataclass(frozen=True, slots=True)
class Term:
    """A category or tag of an entry."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The cover of an entry: the absolute URL of the original, its media type and its size in bytes."""

    url: str
    content_type: str
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One post in a feed. ``html`` is its content where feeds carry it, else ``None``."""

    id: str
    url: str
    title: str
    author_name: str
    author_url: str
    published: datetime | None
    updated: datetime
    summary: str
    html: str | None
    label: Label
    ai_notice: str | None
    paid_notice: str | None
    category: Term | None
    tags: tuple[Term, ...]
    cover: Enclosure | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A feed: ``url`` is its own address, ``page_url`` that of the page it feeds."""

    url: str
    page_url: str
    title: str
    publisher: str
    language: str
    updated: datetime
    entries: tuple[Entry, ...]


def describe_feed(
    found: tuple[FeedEntry, ...],
    format: FeedFormat,
    *,
    about: tuple[ListKind, Subject] | None,
    here: Addresses,
    now: datetime,
) -> Feed:
    """The feed of a record, or of the whole blog where it is ``about`` none.

    An empty feed is as old as the day, so that it is the same document until tomorrow.
    """
    settings = get_settings()
    entries = tuple(_entry(one, here=here) for one in found)
    path = here.list_path(about[0], about[1].slug) if about else ""
    today = datetime.combine(now.astimezone(UTC).date(), time(tzinfo=UTC))
    return Feed(
        url=here.absolute(here.feed_path(format, of=path)),
        page_url=here.absolute(path or here.index_path()),
        title=about[1].name if about else settings.blog_title,
        publisher=settings.publisher.name,
        language=settings.language,
        updated=max((entry.updated for entry in entries), default=today),
        entries=entries,
    )


def timestamp(moment: datetime) -> str:
    """The moment in UTC to the second, as both formats write it."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _entry(found: FeedEntry, *, here: Addresses) -> Entry:
    post, url = found.post, here.post_url(found.post.slug)
    about_ai, paid = ai_notice(found.label), str(PAID) if found.is_paid else None
    is_full = get_settings().feed_content == "full"
    notices = tuple(notice for notice in (about_ai, paid) if notice)
    return Entry(
        id=post.feed_id or feed_id(here.origin, published=found.first_public, post_id=post.pk),
        url=url,
        title=post.title,
        author_name=post.author_name,
        author_url=here.absolute(here.list_path(ListKind.AUTHOR, post.author.slug)),
        published=found.published,
        updated=found.updated,
        summary=found.summary,
        html=syndicated_html(article_of(post).html, url=url, notices=notices) if is_full else None,
        label=found.label,
        ai_notice=about_ai,
        paid_notice=paid,
        category=Term(post.category.slug, post.category.name) if post.category else None,
        tags=tuple(Term(tag.slug, tag.name) for tag in found.tags),
        cover=_enclosure(post.cover_image, here=here) if post.cover_image else None,
    )


def _enclosure(image: Image, *, here: Addresses) -> Enclosure:
    return Enclosure(here.absolute(original_path(image, here=here)), image.content_type, image.byte_size)
