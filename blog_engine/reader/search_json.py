"""Suggestions while a reader types: the best few posts as JSON (service.md 4.3, reader.md 6)."""

from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from blog_engine.access.responses import JSON, refuse
from blog_engine.addresses import Addresses
from blog_engine.content.text import compact_json
from blog_engine.errors import RateLimited
from blog_engine.queries.listings import found_posts
from blog_engine.queries.search import public_matches
from blog_engine.reader.cards import card_of
from blog_engine.reader.conditional import revalidated
from blog_engine.reader.search_limit import count_search
from blog_engine.reader.view import ReaderView

MOST_SUGGESTIONS: Final = 8


class SearchJsonView(ReaderView):
    """The best posts for ``q``, without pages; the error envelope past the limit (decisions.md 7.11)."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        return suggestions(request, here=self.here, now=self.now)


def suggestions(request: HttpRequest, *, here: Addresses, now: datetime) -> HttpResponseBase:
    """At most eight posts, each with title, absolute URL and description, or 304; 429 past the limit."""
    try:
        count_search(request)
    except RateLimited as refusal:
        return without_index(refuse(refusal))
    best = public_matches(request.GET.get("q", "")).ids[:MOST_SUGGESTIONS]
    cards = (card_of(post, here=here, now=now) for post in found_posts(best))
    found = [{"title": card.title, "url": card.url, "description": card.description} for card in cards]
    return without_index(revalidated(request, HttpResponse(compact_json(found), content_type=JSON)))


def without_index(response: HttpResponseBase) -> HttpResponseBase:
    """The answer, marked so that no search engine lists it (reader.md 1.5)."""
    response.headers["X-Robots-Tag"] = "noindex"
    return response
