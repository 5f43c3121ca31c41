"""What every page has: head, collection and pagination."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final

from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs, page_path, public_path
from blog_engine.conf import get_settings
from blog_engine.enums import FeedFormat
from blog_engine.reader.cards import Card
from blog_engine.reader.http import is_safe_link
from blog_engine.reader.structured_data import breadcrumb_list, json_ld, list_page

INDEXED = "index, follow"
FOLLOWED = "noindex, follow"
HIDDEN = "noindex, nofollow"


class PageKind(StrEnum):
    """The kinds of page; templates of a host may tell them apart by it."""

    INDEX = "index"
    POST = "post"
    CATEGORY = "category"
    TAG = "tag"
    AUTHOR = "author"
    SERIES = "series"
    SEARCH = "search"
    PREVIEW = "preview"
    POLICY = "policy"
    NOT_FOUND = "not_found"
    GONE = "gone"
    RATE_LIMITED = "rate_limited"
    PREVIEW_EXPIRED = "preview_expired"


@dataclass(frozen=True, slots=True)
class Crumb:
    """One step from the index to a page."""

    name: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The head of a page. ``title`` carries the suffix; ``canonical`` and ``social_image`` are absolute.

    ``feeds_of`` is the path of the list whose feeds the head announces, empty for those of the whole blog.
    ``main_entity`` is the page's object in the structured data; ``more_entities`` follow the breadcrumbs.
    """

    kind: PageKind
    title: str
    description: str
    canonical: str
    robots: str
    og_type: str = "website"
    social_image: str | None = None
    published_at: datetime | None = None
    modified_at: datetime | None = None
    crumbs: tuple[Crumb, ...] = ()
    feeds_of: str = ""
    main_entity: dict[str, Any] = field(default_factory=dict)
    more_entities: tuple[dict[str, Any], ...] = ()
    urls: BlogURLs

    @property
    def atom_path(self) -> str:
        """The Atom feed that the page announces."""
        return self.urls.feed_path(FeedFormat.ATOM, of=self.feeds_of)

    @property
    def json_feed_path(self) -> str:
        """The JSON Feed that the page announces."""
        return self.urls.feed_path(FeedFormat.JSON, of=self.feeds_of)

    @property
    def structured_data(self) -> str:
        """The JSON-LD graph, safe inside a ``script`` element (reader.md 14)."""
        steps = [(crumb.name, self.urls.absolute(crumb.path)) for crumb in self.crumbs]
        return json_ld([self.main_entity, breadcrumb_list(steps), *self.more_entities])


def index_crumb(urls: BlogURLs) -> Crumb:
    """The first step to every page."""
    return Crumb(get_settings().blog_title, urls.index_path())


def full_title(title: str) -> str:
    """A title with the suffix of the site."""
    return title + get_settings().title_suffix


def default_social_image(urls: BlogURLs) -> str | None:
    """The configured image of shared links, absolute; ``None`` when there is none that may be linked."""
    url = get_settings().default_social_image_url
    if not url:
        return None
    if "://" not in url and not url.startswith("//"):
        url = urls.absolute(public_path(f"/{url.lstrip('/')}"))
    return url if is_safe_link(url) else None


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
    """The head of the index, a list, a search or a dead end; ``title`` is without the suffix of the site.

    ``url`` is the canonical address, absolute.
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


def numbered(title: str, number: int) -> str:
    """The title of one page of several; the first has the plain one."""
    return title if number == 1 else _("%(title)s — Page %(number)d") % {"title": title, "number": number}


_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_AROUND: Final = 2


@dataclass(frozen=True, slots=True)
class PageLink:
    """One entry of the page navigation; ``follows_gap`` means that pages before it are left out."""

    number: int
    path: str
    is_current: bool
    follows_gap: bool = False


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The page navigation of a list of several pages; iterating gives the numbered links."""

    links: tuple[PageLink, ...]
    """The first page, the last page, the current page and two pages on either side of it."""
    previous: PageLink | None
    next: PageLink | None

    def __iter__(self) -> Iterator[PageLink]:
        return iter(self.links)


def page_number(sent: Sequence[str]) -> int | None:
    """The page that the values of ``page`` in the query string ask for; ``None`` when there can be no such page."""
    if not sent:
        return 1
    if len(sent) > 1 or not _NUMBER.fullmatch(sent[0]):
        return None
    return int(sent[0])


def page_links(path: str, *, current: int, count: int) -> PageLinks | None:
    """Return at most seven numbered links, however many pages there are, or ``None`` for a single page.

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
