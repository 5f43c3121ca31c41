"""The page that explains the feeds of the blog to people."""

from typing import Any, Final, NamedTuple
from urllib.parse import quote

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.enums import FeedFormat, ListKind
from blog_engine.queries.archive import older_posts_at_pages
from blog_engine.queries.listings import public_categories
from blog_engine.queries.remembered import remembered
from blog_engine.reader.browse import browse_page
from blog_engine.reader.page import Crumb, PageKind
from blog_engine.reader.post import public_article
from blog_engine.reader.view import ReaderView, queries_of


class FeedLinks(NamedTuple):
    """The feeds of the blog or of a category, as absolute URLs."""

    name: str
    atom_url: str
    """The URL of the Atom feed."""
    json_url: str
    """The URL of the JSON Feed."""


class FeedReader(NamedTuple):
    """A feed reader on the web, and its page that adds the feed of the blog."""

    name: str
    url: str


_READERS: Final = {
    "Feedly": "https://feedly.com/i/subscription/feed%2F",
    "Inoreader": "https://www.inoreader.com/?add_feed=",
    "NewsBlur": "https://www.newsblur.com/?url=",
}
"""Readers by name, each with the URL that ends in that of a feed."""


class SubscribeView(ReaderView):
    """The feeds of the blog, and the form of the host for e-mails."""

    kept_queries = queries_of("format=html")

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        article = public_article(self, "subscribe") if "subscribe" in older_posts_at_pages() else None
        if article is not None:
            return article
        if self.has_unknown_format():
            return self.not_found()
        settings, heading, path = get_settings(), _("Subscribe"), self.urls.subscribe_path()
        feeds = _feeds(settings.blog_title, "", urls=self.urls)
        categories = remembered("categories with posts", public_categories)
        page = browse_page(
            PageKind.SUBSCRIBE,
            title=heading,
            description=_("Follow %(site)s: its feeds, and how to use them.") % {"site": settings.site_name},
            path=path,
            entries=[(feeds.name, self.urls.feed_path(FeedFormat.ATOM))],
            crumbs=[Crumb(heading, path)],
            urls=self.urls,
        )
        return self.conditional_page(
            "subscribe",
            page,
            heading=heading,
            feeds=feeds,
            readers=tuple(FeedReader(name, url + quote(feeds.atom_url, safe="")) for name, url in _READERS.items()),
            category_feeds=tuple(
                _feeds(row.name, self.urls.list_path(ListKind.CATEGORY, row.slug), urls=self.urls) for row in categories
            ),
        )


def _feeds(name: str, list_path: str, *, urls: BlogURLs) -> FeedLinks:
    atom, json = (urls.absolute(urls.feed_path(format, of=list_path)) for format in FeedFormat)
    return FeedLinks(name, atom, json)
