"""Parts of every page: the head with its image and languages, and on lists the pagination."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.templatetags.static import static
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs, page_path, public_path
from blog_engine.conf import get_settings
from blog_engine.conf.languages import name_of_language
from blog_engine.content.embeds import DIAGRAM_MARK, EMBED_MARK
from blog_engine.content.figures import SHARED_TYPES
from blog_engine.content.options import ImageOrigin
from blog_engine.content.urls import is_safe_link
from blog_engine.enums import FeedFormat
from blog_engine.images.social import SOCIAL_SIZE, picture_of_post
from blog_engine.models import Image, Post, Translation
from blog_engine.queries.translations import languages_of
from blog_engine.reader.cards import Card
from blog_engine.reader.structured_data import breadcrumb_list, json_ld, list_page
from blog_engine.rendering.images import image_origin, shared_path
from blog_engine.rules.label import image_notice

INDEXED = "index, follow, max-image-preview:large"
FOLLOWED = "noindex, follow"
HIDDEN = "noindex, nofollow"


_LARGE: Final = (300, 157)
"""The smallest image that networks show on a large card."""
_LANGUAGE_AND_REGION: Final = re.compile("([A-Za-z]{2,3})-([A-Za-z]{2})")


class PageKind(StrEnum):
    """The kind of a page, which templates of a host may ask for."""

    INDEX = "index"
    POST = "post"
    CATEGORY = "category"
    TAG = "tag"
    AUTHOR = "author"
    SERIES = "series"
    ARCHIVE = "archive"
    DIRECTORY = "directory"
    SUBSCRIBE = "subscribe"
    SEARCH = "search"
    PREVIEW = "preview"
    POLICY = "policy"
    HISTORY = "history"
    NOT_FOUND = "not_found"
    GONE = "gone"
    RATE_LIMITED = "rate_limited"
    PREVIEW_EXPIRED = "preview_expired"


@dataclass(frozen=True, slots=True)
class Crumb:
    """One entry of the breadcrumbs."""

    name: str
    path: str


@dataclass(frozen=True, slots=True)
class Alternate:
    """A version of the page in a language."""

    language: str
    """The language tag, or ``x-default``."""
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The head of a page."""

    kind: PageKind
    title: str
    """The title with the setting ``title_suffix``."""
    description: str
    canonical: str
    """The absolute canonical URL."""
    robots: str
    og_type: str = "website"
    social_image: str | None = None
    """The absolute URL of the image of shared links."""
    social_image_size: tuple[int, int] | None = None
    """Its width and height in pixels, where known."""
    social_image_type: str = ""
    """Its media type, where known."""
    social_image_alt: str = ""
    """What it shows; empty if that is not known."""
    published_at: datetime | None = None
    modified_at: datetime | None = None
    author_urls: tuple[str, ...] = ()
    """The absolute URLs of the authors of an article."""
    tags: tuple[str, ...] = ()
    """The names of the tags of an article."""
    crumbs: tuple[Crumb, ...] = ()
    feeds_of: str = ""
    """The path of the list whose feeds the head announces; empty for the feeds of the blog."""
    language: str = ""
    """The tag of the language of the content; empty for that of the blog."""
    alternates: tuple[Alternate, ...] = ()
    """All versions of the page, this one too, if there are several."""
    ai_disclosure: str = ""
    """What machines learn about the part of AI in the text; empty if it is not known."""
    creators: tuple[str, ...] = ()
    """The handles of the authors in the fediverse."""
    markdown_path: str = ""
    """The path of the page as Markdown; empty if it has none."""
    main_entity: dict[str, Any] = field(default_factory=dict)
    """The page's object in the structured data."""
    more_entities: tuple[dict[str, Any], ...] = ()
    """The objects after the breadcrumbs in the structured data."""
    urls: BlogURLs

    def __hash__(self) -> int:
        # Enough to find a remembered part; objects of the structured data have no hash.
        return hash((self.canonical, self.title))

    @property
    def shared_title(self) -> str:
        """The title without the setting ``title_suffix``, beside which networks show the name of the site."""
        return self.title.removesuffix(get_settings().title_suffix)

    @property
    def shared_card(self) -> str:
        """The card of shared links: large where the image is, as far as its size is known."""
        width, height = self.social_image_size or _LARGE
        is_large = bool(self.social_image) and width >= _LARGE[0] and height >= _LARGE[1]
        return "summary_large_image" if is_large else "summary"

    @property
    def atom_path(self) -> str:
        """The Atom feed that the page announces."""
        return self.urls.feed_path(FeedFormat.ATOM, of=self.feeds_of)

    @property
    def json_feed_path(self) -> str:
        """The JSON Feed that the page announces."""
        return self.urls.feed_path(FeedFormat.JSON, of=self.feeds_of)

    @property
    def path(self) -> str:
        """The path of the canonical URL; empty if that is on another site."""
        origin = self.urls.origin
        return urlsplit(self.canonical).path if self.canonical.startswith(f"{origin}/") else ""

    def locale(self) -> str:
        """The language of the content as Open Graph writes it, such as ``de_AT``; empty without a region."""
        found = _LANGUAGE_AND_REGION.fullmatch(self.language or get_settings().language)
        return f"{found[1].lower()}_{found[2].upper()}" if found else ""

    @property
    def structured_data(self) -> str:
        """The JSON-LD graph, escaped for a ``script`` element."""
        steps = [(crumb.name, self.urls.absolute(crumb.path)) for crumb in self.crumbs]
        breadcrumbs = [breadcrumb_list(steps)] if steps else []
        return json_ld([self.main_entity, *breadcrumbs, *self.more_entities])


def index_crumb(urls: BlogURLs) -> Crumb:
    """Return the first entry of all breadcrumbs."""
    return Crumb(get_settings().blog_title, urls.index_path())


def full_title(title: str) -> str:
    """Return the title with the setting ``title_suffix``."""
    return title + get_settings().title_suffix


def default_social_image(urls: BlogURLs) -> str | None:
    """Return the absolute URL of the default image, if one is configured and safe."""
    url = get_settings().default_social_image_url
    if not url:
        return None
    if "://" not in url and not url.startswith("//"):
        url = urls.absolute(public_path(f"/{url.lstrip('/')}"))
    return url if is_safe_link(url) else None


@dataclass(frozen=True, slots=True)
class SharedImage:
    """The image of shared links to a page."""

    url: str
    """Absolute."""
    alt: str = ""
    """What it shows; empty if that is not known."""
    size: tuple[int, int] | None = None
    """Width and height in pixels."""
    content_type: str = ""
    """The media type; empty if that is not known."""
    origin: ImageOrigin | None = None
    """Where it comes from; ``None`` if it is no stored image."""


def shared_image(post: Post, *, urls: BlogURLs, is_public: bool) -> SharedImage | None:
    """Return the social image of a post, else its cover, else the picture that is drawn for it.

    A post that is not public, or that nothing can be drawn for, has the default image, if there is one.
    """
    image = post.social_image or post.cover_image
    if image:
        origin = image_origin(image)
        return SharedImage(
            urls.absolute(shared_path(image, urls=urls)),
            _alt_of("" if post.social_image else post.cover_alt, origin),
            *_size_and_type(image),
            origin,
        )
    drawn = picture_of_post(post) if is_public else None
    if drawn:
        url = urls.absolute(urls.social_picture_path(post.slug, drawn.digest))
        alt = " — ".join(text for text in (drawn.title, drawn.author, drawn.site) if text)
        return SharedImage(url, alt, SOCIAL_SIZE, "image/png")
    default = default_social_image(urls)
    return SharedImage(default) if default else None


def _size_and_type(image: Image) -> tuple[tuple[int, int] | None, str]:
    """Return the size and the media type at the ``shared_path`` of an image, unknown until the copy is drawn."""
    if image.shared_type in SHARED_TYPES:
        return (image.shared_width, image.shared_height), SHARED_TYPES[image.shared_type]
    return ((image.width, image.height), image.content_type) if image.shared_type else (None, "")


def _alt_of(alt: str, origin: ImageOrigin) -> str:
    """Return a text alternative with the notice about AI, which the pages that show the image do not have."""
    notice = image_notice(origin.source_type)
    return f"{alt} ({notice})" if alt.strip() and notice else alt or notice


def collection_page(
    kind: PageKind,
    *,
    title: str,
    description: str,
    url: str,
    robots: str,
    urls: BlogURLs,
    cards: Sequence[Card] = (),
    crumbs: tuple[Crumb, ...] = (),
    feeds_of: str = "",
) -> Page:
    """Return the head of the index, a list, a search page or a dead end.

    ``title`` has no suffix, ``url`` is the absolute canonical URL, and ``feeds_of`` the path of a list with feeds.
    """
    name = full_title(title)
    entity = "Blog" if kind is PageKind.INDEX else "CollectionPage"
    return Page(
        kind=kind,
        title=name,
        description=description,
        canonical=url,
        robots=robots,
        social_image=default_social_image(urls),
        crumbs=crumbs,
        feeds_of=feeds_of,
        main_entity=list_page(entity, name=name, description=description, url=url, cards=cards),
        urls=urls,
    )


def title_of_page(title: str, number: int) -> str:
    """Return the title with the number of the page, from the second page on."""
    return title if number == 1 else _("%(title)s — Page %(number)d") % {"title": title, "number": number}


def heading_of_page(heading: str, number: int) -> str:
    """Return the ``h1`` of a list with the number of the page, from the second page on."""
    return heading if number == 1 else _("%(heading)s, page %(number)d") % {"heading": heading, "number": number}


_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_AROUND: Final = 2


@dataclass(frozen=True, slots=True)
class PageLink:
    """One numbered link of the pagination."""

    number: int
    path: str
    is_current: bool
    follows_gap: bool = False
    """Whether the links of pages before this one are left out."""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The pagination of a list. Iterating yields ``links``."""

    links: tuple[PageLink, ...]
    """The first page, the last page, the current page and two pages on either side of it."""
    previous: PageLink | None
    next: PageLink | None

    def __iter__(self) -> Iterator[PageLink]:
        return iter(self.links)


def page_number(sent: Sequence[str]) -> int | None:
    """Return the page number that ``page`` in the query string names, if valid."""
    if not sent:
        return 1
    if len(sent) > 1 or not _NUMBER.fullmatch(sent[0]):
        return None
    return int(sent[0])


def page_links(path: str, *, current: int, count: int) -> PageLinks | None:
    """Return at most seven numbered links, or ``None`` for a single page.

    ``path`` is the path of page 1, ``count`` the number of pages.
    """
    if count == 1:
        return None
    around = range(max(1, current - _AROUND), min(count, current + _AROUND) + 1)
    links = {
        number: PageLink(number, page_path(path, number), number == current, follows_gap=number - before > 1)
        for before, number in pairwise([0, *sorted({1, *around, count})])
    }
    return PageLinks(tuple(links.values()), previous=links.get(current - 1), next=links.get(current + 1))


class TranslationLink(NamedTuple):
    """A version of the article in another language."""

    name: str
    """What speakers of the language call it."""
    language: str
    path: str


def alternates_of(
    post: Post | Translation, translations: tuple[Translation, ...], *, urls: BlogURLs
) -> tuple[Alternate, ...]:
    """Return the page and its versions in other languages; those whose original is elsewhere are left out."""
    if not translations:
        return ()
    own = get_settings().language
    found = languages_of([post, *translations], default=own)
    alternates = [Alternate(language, urls.post_url(slug)) for language, slug in found.items()]
    default = next((one for one in alternates if one.language.lower() == own.lower()), None)
    return (*alternates, *([Alternate("x-default", default.url)] if default else []))


def translation_links(translations: tuple[Translation, ...], *, urls: BlogURLs) -> tuple[TranslationLink, ...]:
    """Return the links to the versions of an article in other languages, in the order of their names."""
    own = get_settings().language
    spoken = ((other.language or own, other.slug) for other in translations)
    links = (TranslationLink(name_of_language(tag), tag, urls.post_path(slug)) for tag, slug in spoken)
    return tuple(sorted(links))


_EMBEDS: Final = "blog_engine/embeds.js"


def scripts_of(html: str) -> tuple[str, ...]:
    """Return the URLs of the module scripts for a rendered body: that of embeds, those of the setting ``diagrams``."""
    diagrams = get_settings().diagrams
    paths = [path for language, path in diagrams.items() if DIAGRAM_MARK % language in html]
    if EMBED_MARK in html:
        paths.insert(0, _EMBEDS)
    return tuple(static(path) for path in dict.fromkeys(paths))
