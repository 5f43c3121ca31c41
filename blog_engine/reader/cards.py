"""Cards, bylines and covers of posts, and the descriptions of lists."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from django.utils.formats import localize
from django.utils.translation import ngettext

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.figures import is_larger_than_shown
from blog_engine.content.names import initials_of
from blog_engine.content.options import PictureSource
from blog_engine.enums import ListKind, PolicyKind, Provenance
from blog_engine.models import Author, Post, Tag
from blog_engine.queries.listings import Subject
from blog_engine.queries.policies import find_policy_url
from blog_engine.rendering.images import image_origin, original_path, picture_of, thumbnail_path
from blog_engine.rules.dates import KnownDates, known_dates
from blog_engine.rules.label import Mark, image_note, image_notice, label_of, marks_of

_CARD_RATIO: Final = 16 / 9
"""The aspect ratio of the pictures of cards, as in the stylesheet."""

ART_VARIANTS = 7
"""The number of compositions shown in place of a missing cover; the stylesheet has one for each."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A stored image on a page."""

    path: str
    alt: str
    width: int
    """In pixels."""
    height: int
    """In pixels."""
    sources: tuple[PictureSource, ...]
    """The variants that browsers choose from; may be empty."""
    note: str = ""
    """Whom to credit, and what part AI has in it; empty if there is nothing to say."""
    ai_notice: str = ""
    """What part AI has in it; empty for none."""

    @property
    def crop(self) -> float:
        """The width, in card widths, at which a card shows the middle of the picture."""
        return max(1.0, self.width / self.height / _CARD_RATIO)


@dataclass(frozen=True, slots=True)
class Named:
    """A name and the path of its page."""

    name: str
    path: str


class PostLink(NamedTuple):
    """The link to a post."""

    title: str
    path: str
    language: str
    """The tag of a post in another language than the page; otherwise empty."""


class Corrected(NamedTuple):
    """The last correction of an article: its moment, and the link to its note."""

    occurred_at: datetime
    path: str


@dataclass(frozen=True, slots=True)
class Byline:
    """The author, dates and reading time of a post."""

    author: Named
    coauthors: tuple[Named, ...]
    """The further authors, in their order."""
    initials: str
    """What is shown when there is no avatar."""
    avatar_url: str | None
    dates: KnownDates
    reading_time_minutes: int
    corrected: Corrected | None = None
    """Only articles show it, not cards."""
    history_path: str = ""
    """The page about how the article was made; only public articles link to it."""

    @property
    def reading_time(self) -> str:
        """The reading time in words of the active language."""
        minutes = self.reading_time_minutes
        # As a template would translate it, in a quarter of the time: a page has a byline for each card.
        return ngettext("%(minutes)s min read", "%(minutes)s min read", minutes) % {"minutes": localize(minutes)}

    def __hash__(self) -> int:
        return hash((self.author.path, self.dates.published))


@dataclass(frozen=True, slots=True)
class Card:
    """A post in a list."""

    title: str
    path: str
    url: str
    """The absolute URL."""
    description: str
    category: Named | None
    byline: Byline
    marks: tuple[Mark, ...]
    """About AI and a payment; they follow the byline."""
    cover: Picture | None
    art: int | None
    """The number of the composition shown in place of a cover, if the setting ``card_art`` allows one."""
    language: str
    """The tag of a post in another language than the page; otherwise empty."""
    part: int | None = None
    """The place in the list of a series, from 1; ``None`` in other lists."""

    def __hash__(self) -> int:
        # Enough to find a remembered card; that of all fields takes longer than the rest of the search.
        return hash(self.url)


def cards_of(posts: Iterable[Post], *, urls: BlogURLs, now: datetime) -> tuple[Card, ...]:
    """Return the cards of published posts that ``queries.listings`` has read; at most one query."""
    found = tuple(posts)
    # Only an approval asks whether there is a responsible party.
    is_asked = any(post.is_reviewed and post.provenance != Provenance.HUMAN_WRITTEN for post in found)
    has_responsible_party = is_asked and find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    return tuple(_card(post, urls=urls, now=now, has_responsible_party=has_responsible_party) for post in found)


def _card(post: Post, *, urls: BlogURLs, now: datetime, has_responsible_party: bool) -> Card:
    label = label_of(post, has_responsible_party=has_responsible_party)
    return Card(
        title=post.title,
        path=urls.post_path(post.slug),
        url=urls.post_url(post.slug),
        description=post.summary,
        category=category_of(post, urls=urls),
        byline=byline_of(post, urls=urls, now=now),
        marks=marks_of(label, is_paid=bool(post.is_paid)),
        cover=cover_of(post, urls=urls),
        art=art_of(post),
        language=other_language(post),
    )


def other_language(post: Post) -> str:
    """Return the tag of a post in another language than the blog; otherwise an empty text."""
    return shown_language(post.language)


def shown_language(language: str) -> str:
    """Return the language of a post as its links name it: empty for that of the blog."""
    return "" if language.lower() == get_settings().language.lower() else language


def byline_of(post: Post, *, urls: BlogURLs, now: datetime) -> Byline:
    """Return the byline of a post, with the name stored with the post."""
    return Byline(
        author=Named(post.author_name, urls.list_path(ListKind.AUTHOR, post.author.slug)),
        coauthors=tuple(Named(one.name, urls.list_path(ListKind.AUTHOR, one.author.slug)) for one in post.coauthors),
        initials=initials_of(post.author_name),
        avatar_url=avatar_url(post.author, urls=urls),
        dates=known_dates(post, now=now),
        reading_time_minutes=post.reading_time_minutes,
    )


def category_of(post: Post, *, urls: BlogURLs) -> Named | None:
    """Return the name and path of the post's category, if any."""
    if post.category is None:
        return None
    return Named(post.category.name, urls.list_path(ListKind.CATEGORY, post.category.slug))


def cover_of(post: Post, *, urls: BlogURLs) -> Picture | None:
    """Return the post's cover, if any."""
    if post.cover_image is None:
        return None
    image, origin = picture_of(post.cover_image, urls=urls), image_origin(post.cover_image)
    return Picture(
        *(image.path, post.cover_alt, image.width, image.height, image.sources),
        note=image_note(origin),
        ai_notice=image_notice(origin.source_type),
    )


def cover_file_of(post: Post, *, urls: BlogURLs) -> str:
    """Return the path of the file of the cover, if it is larger than articles show it; otherwise an empty text."""
    image = post.cover_image
    return original_path(image, urls=urls) if image and is_larger_than_shown(image.width, image.height) else ""


def art_of(post: Post) -> int | None:
    """Return the number of the post's composition, or ``None`` without ``card_art``."""
    return None if get_settings().card_art == "none" else post.pk % ART_VARIANTS


def avatar_url(author: Author, *, urls: BlogURLs) -> str | None:
    """Return the URL of the author's picture in its smallest variant, if any."""
    if author.avatar:
        return thumbnail_path(author.avatar, urls=urls)
    return author.avatar_file.url if author.avatar_file else None


def own_description(subject: Subject | None) -> str:
    """Return the description or bio of a record with a list of posts; empty for a tag."""
    if subject is None or isinstance(subject, Tag):
        return ""
    return (subject.bio if isinstance(subject, Author) else subject.description).strip()
