"""What a page says of itself in its head (reader.md 13)."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from blog_engine.addresses import Addresses, public_path
from blog_engine.conf import get_settings
from blog_engine.reader.links import is_safe_link
from blog_engine.reader.structured_data import breadcrumb_list, json_ld
from blog_engine.vocabulary import FeedFormat

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
    here: Addresses

    @property
    def atom_path(self) -> str:
        """The Atom feed that the page announces."""
        return self.here.feed_path(FeedFormat.ATOM, of=self.feeds_of)

    @property
    def json_feed_path(self) -> str:
        """The JSON Feed that the page announces."""
        return self.here.feed_path(FeedFormat.JSON, of=self.feeds_of)

    @property
    def structured_data(self) -> str:
        """The JSON-LD graph, safe inside a ``script`` element (reader.md 14)."""
        steps = [(crumb.name, self.here.absolute(crumb.path)) for crumb in self.crumbs]
        return json_ld([self.main_entity, breadcrumb_list(steps), *self.more_entities])


def index_crumb(here: Addresses) -> Crumb:
    """The first step to every page."""
    return Crumb(get_settings().blog_title, here.index_path())


def full_title(title: str) -> str:
    """A title with the suffix of the site."""
    return title + get_settings().title_suffix


def default_social_image(here: Addresses) -> str | None:
    """The configured image of shared links, absolute; ``None`` when there is none that may be linked."""
    url = get_settings().default_social_image_url
    if not url:
        return None
    if "://" not in url and not url.startswith("//"):
        url = here.absolute(public_path(f"/{url.lstrip('/')}"))
    return url if is_safe_link(url) else None
