"""The feeds of the blog and of its records (reader.md 7, decisions.md 3.13)."""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from blog_engine.queries.feeds import feed_entries, last_change
from blog_engine.queries.listings import Subject, posts_of, public_posts, subject_at
from blog_engine.reader.atom import ATOM_TYPE, atom_document
from blog_engine.reader.conditional import public_for_an_hour
from blog_engine.reader.json_feed import JSON_FEED_TYPE, json_feed_document
from blog_engine.reader.syndication import Feed, describe_feed
from blog_engine.reader.view import ReaderView
from blog_engine.vocabulary import FeedFormat, ListKind

_FORMATS: Final[dict[FeedFormat, tuple[str, Callable[[Feed], bytes]]]] = {
    FeedFormat.ATOM: (ATOM_TYPE, atom_document),
    FeedFormat.JSON: (JSON_FEED_TYPE, json_feed_document),
}


class FeedView(ReaderView):
    """The newest public posts of the whole blog, or of one record; where there is none, what became of the address."""

    def get(
        self,
        request: HttpRequest,
        *,
        format: FeedFormat,
        kind: ListKind | None = None,
        slug: str = "",
        **kwargs: Any,
    ) -> HttpResponseBase:
        if kind is None:
            return self._feed(format, about=None)
        subject = subject_at(kind, slug)
        return self._feed(format, about=(kind, subject)) if subject else self.elsewhere()

    def _feed(self, format: FeedFormat, *, about: tuple[ListKind, Subject] | None) -> HttpResponseBase:
        entries = feed_entries(posts_of(*about) if about else public_posts(), now=self.now)
        feed = describe_feed(entries, format, about=about, here=self.here, now=self.now)
        content_type, write = _FORMATS[format]
        changed = last_change(entries)
        modified = min(max(feed.updated, changed) if changed else feed.updated, self.now)
        response = HttpResponse(write(feed), content_type=f"{content_type}; charset=utf-8")
        return public_for_an_hour(self.request, response, modified=modified)
