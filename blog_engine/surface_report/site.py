"""The subject of a report: the site with its fetched pages, and the articles in its scope."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, reduce
from urllib.parse import urljoin, urlsplit

from django.utils.encoding import iri_to_uri

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import BlogSettings
from blog_engine.enums import PolicyKind, ReportScope
from blog_engine.fetching import REDIRECTS
from blog_engine.queries.posts import ReportedPost
from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.observation import Observation, failed, not_verified
from blog_engine.surface_report.web import USER_AGENT, Application, Web

_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class FetchedPage:
    """The answer of a URL; ``status`` is ``None`` without an answer. Names of headers are lower-case."""

    url: str
    status: int | None
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_open(self) -> bool:
        """Whether it answered 200."""
        return self.status == 200

    @cached_property
    def text(self) -> str:
        """The body in the encoding that the header names, else as UTF-8; undecodable bytes are replaced."""
        named = _CHARSET.search(self.headers.get("content-type", ""))
        try:
            # Python also knows encodings of other things than text, such as ``idna``, and raises over the bytes.
            text = self.body.decode(named[1] if named else "utf-8", "replace")
        except (LookupError, ValueError):
            text = self.body.decode("utf-8", "replace")
        return text.removeprefix("\ufeff")

    @cached_property
    def html(self) -> HtmlPage:
        """The body as a document."""
        return HtmlPage(self.text)

    def unavailable(self, what: str) -> Observation:
        """Return the observation of a page that is not open (surface-report.closed)."""
        if self.status is None:
            return not_verified(f"{what} could not be fetched.")
        return failed(f"{what} answered {self.status}.")

    def target_of(self, href: str) -> str | None:
        """Return the absolute URL of a link on the page; ``None`` when no browser would request it over HTTP."""
        return _web_url(self.url, self.html.base, href)

    @property
    def redirect_target(self) -> str | None:
        """The absolute URL that a redirect leads to; ``None`` for any other answer, and without a usable target."""
        location = self.headers.get("location")
        return None if location is None or self.status not in REDIRECTS else _web_url(self.url, location)


@dataclass(frozen=True, slots=True)
class Site:
    """The site of one report: its settings and URLs, the moment, and the pages fetched so far.

    ``urls`` has an empty origin, and nothing can be opened, while ``public_base_url`` is not set.
    """

    settings: BlogSettings
    now: datetime
    urls: BlogURLs
    web: Web
    _pages: dict[str, FetchedPage] = field(default_factory=dict)

    @classmethod
    def configured(cls, settings: BlogSettings, *, now: datetime, over_network: bool) -> "Site":
        """Return the site at ``public_base_url``; ``over_network`` fetches its own pages as visitors do."""
        origin = settings.public_base_url
        web = Web(origin, application=None if over_network else Application(user_agent=USER_AGENT))
        return cls(settings=settings, now=now, urls=BlogURLs.on(origin or ""), web=web)

    @property
    def is_reachable(self) -> bool:
        """Whether the settings say where the site is."""
        return self.settings.public_base_url is not None

    def open(self, url: str) -> FetchedPage:
        """Return the page at an absolute URL or at a public path of the site; each is fetched once."""
        absolute = self.urls.absolute(url)
        if absolute not in self._pages:
            answer = self.web.get(absolute)
            if answer is None:
                # Not kept: asking again costs nothing, and a bound that was reached stays reached.
                return FetchedPage(absolute, None, {}, b"")
            self._pages[absolute] = FetchedPage(absolute, answer.status, answer.headers, answer.body)
        return self._pages[absolute]

    def open_post(self, record: ReportedPost) -> FetchedPage:
        """Return the page of a post."""
        return self.open(self.urls.post_url(record.post.slug))


@dataclass(frozen=True, slots=True)
class InspectedArticle:
    """A published post with its records, and the page that readers get of it."""

    record: ReportedPost
    page: FetchedPage

    @property
    def id(self) -> int:
        """The id of the post."""
        return self.record.post.pk


@dataclass(frozen=True, slots=True)
class Inspection:
    """Everything that the predicates of one report are given.

    ``posts`` are those of the selected page; ``articles`` are the same with their opened pages, and none in the scope
    ``site``. ``policies`` has the URLs of the policies that exist.
    """

    site: Site
    scope: ReportScope
    posts: tuple[ReportedPost, ...]
    articles: tuple[InspectedArticle, ...]
    reach: bool
    policies: Mapping[PolicyKind, str]


ArticlePredicate = Callable[[InspectedArticle, Inspection], Observation]
"""Judges one article; the inspection is for what is around it, such as the titles of the others."""

SitePredicate = Callable[[Inspection], Observation]
"""Judges the site as a whole."""


def same_url(one: str, other: str) -> bool:
    """Return whether two URLs are equal once encoded as servers do in ``Location``."""
    return iri_to_uri(one) == iri_to_uri(other)


def _web_url(*steps: str) -> str | None:
    """Return where relative URLs lead, each from the one before it; ``None`` for malformed ones and other schemes."""
    try:
        url = reduce(lambda base, href: urljoin(base, href.strip()), steps)
        parts = urlsplit(url)
        return url if parts.scheme in {"http", "https"} and parts.hostname else None
    except ValueError:
        return None
