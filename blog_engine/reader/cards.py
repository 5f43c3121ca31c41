"""Posts as cards, and who signed them (reader.md 2)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.options import PictureSource
from blog_engine.enums import ListKind
from blog_engine.models import Author, Post
from blog_engine.queries.dates import KnownDates, known_dates
from blog_engine.queries.images import picture_of, thumbnail_path

_CARD_RATIO: Final = 16 / 9
"""Width to height of the pictures of cards, as in the stylesheet."""
ART_VARIANTS = 7
"""Compositions that can stand in for a missing cover; the stylesheet has one for each number."""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image of ours on a page: its size in pixels, and variants for browsers to choose from (may be none)."""

    path: str
    alt: str
    width: int
    height: int
    sources: tuple[PictureSource, ...]

    @property
    def crop(self) -> float:
        """How many times as wide as a card the picture is drawn, of which the card shows the middle; at least 1."""
        return max(1.0, self.width / self.height / _CARD_RATIO)


@dataclass(frozen=True, slots=True)
class Named:
    """Something with a page of its own."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Byline:
    """Who signed a post, when, and how long it is."""

    author: Named
    initials: str
    avatar_url: str | None
    dates: KnownDates
    reading_time_minutes: int


@dataclass(frozen=True, slots=True)
class Card:
    """A post in a list. ``art`` is the number of the composition in place of a cover, ``None`` without any."""

    title: str
    path: str
    url: str
    description: str
    category: Named | None
    byline: Byline
    cover: Picture | None
    art: int | None


def card_of(post: Post, *, urls: BlogURLs, now: datetime) -> Card:
    """The card of a published post."""
    return Card(
        title=post.title,
        path=urls.post_path(post.slug),
        url=urls.post_url(post.slug),
        description=post.summary,
        category=category_of(post, urls=urls),
        byline=byline_of(post, urls=urls, now=now),
        cover=cover_of(post, urls=urls),
        art=art_of(post),
    )


def byline_of(post: Post, *, urls: BlogURLs, now: datetime) -> Byline:
    """The byline of a post, with the author's name as it was when it was assigned."""
    return Byline(
        author=Named(post.author_name, urls.list_path(ListKind.AUTHOR, post.author.slug)),
        initials=initials_of(post.author_name),
        avatar_url=avatar_url(post.author, urls=urls),
        dates=known_dates(post, now=now),
        reading_time_minutes=post.reading_time_minutes,
    )


def category_of(post: Post, *, urls: BlogURLs) -> Named | None:
    """The post's category."""
    if post.category is None:
        return None
    return Named(post.category.name, urls.list_path(ListKind.CATEGORY, post.category.slug))


def cover_of(post: Post, *, urls: BlogURLs) -> Picture | None:
    """The post's cover."""
    if post.cover_image is None:
        return None
    image = picture_of(post.cover_image, urls=urls)
    return Picture(image.path, post.cover_alt, image.width, image.height, image.sources)


def art_of(post: Post) -> int | None:
    """Return the number of the post's composition, which stays the same, or ``None`` without ``card_art``."""
    return None if get_settings().card_art == "none" else post.pk % ART_VARIANTS


def initials_of(name: str) -> str:
    """What stands in for a missing avatar: the first two characters of the name."""
    return name[:2].upper()


def avatar_url(author: Author, *, urls: BlogURLs) -> str | None:
    """The author's picture, the smallest that there is; lists read it with the author."""
    if author.avatar:
        return thumbnail_path(author.avatar, urls=urls)
    return author.avatar_file.url if author.avatar_file else None
