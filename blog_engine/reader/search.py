"""The search page and its suggestions (``search.json``)."""

from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.blog_urls import BlogURLs, page_path
from blog_engine.conf import get_settings
from blog_engine.content.search_query import Piece, snippet
from blog_engine.content.text import compact_json
from blog_engine.errors import RateLimited, Unavailable
from blog_engine.http.rate_limit import client_key, count
from blog_engine.http.responses import JSON, never_stored, refuse
from blog_engine.queries.listings import newest_posts, posts_on_cards, searched_texts
from blog_engine.queries.pagination import page_count
from blog_engine.queries.search import MOST_SHOWN, SearchResult, is_searchable, public_matches
from blog_engine.reader.cards import Card, PostLink, cards_of, other_language
from blog_engine.reader.http import conditional_response, mark_noindex
from blog_engine.reader.page import (
    FOLLOWED,
    HIDDEN,
    Crumb,
    Page,
    PageKind,
    collection_page,
    heading_of_page,
    index_crumb,
    page_links,
    page_number,
    title_of_page,
)
from blog_engine.reader.sidebar import describe_sidebar
from blog_engine.reader.view import ReaderView

MAX_SUGGESTIONS: Final = 8
_SEARCHES: Final = "blog_engine.searches"


class Result(NamedTuple):
    """A post that was found, and the passage with the words that were searched for."""

    card: Card
    passage: tuple[Piece, ...]

    @property
    def marked(self) -> SafeString:
        """The passage as HTML, with the found words in ``<mark>``."""
        texts = ((escape(piece.text), piece.is_hit) for piece in self.passage)
        return SafeString("".join(f"<mark>{text}</mark>" if is_hit else text for text, is_hit in texts))


class SearchView(ReaderView):
    """The search page for ``q``; with ``format=json`` the suggestions."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if self.has_unknown_format("json"):
            return self.not_found()
        if "json" in request.GET.getlist("format"):
            return suggestions(request, urls=self.urls)
        try:
            _count_search(request)
        except RateLimited as refusal:
            return mark_noindex(self._too_many_searches(refusal))
        return mark_noindex(self._results())

    def _results(self) -> HttpResponseBase:
        words = _words(self.request)
        path = self._path(words)
        number = page_number(self.request.GET.getlist("page"))
        per_page = get_settings().posts_per_page
        found = public_matches(words, first=per_page if number == 1 else MOST_SHOWN)
        count = page_count(found.total, per_page=per_page)
        if not number or number > count:
            return self.not_found()
        ids = found.ids[(number - 1) * per_page : number * per_page]
        posts, texts = posts_on_cards(ids), searched_texts(ids)
        cards = cards_of(posts, urls=self.urls, now=self.now)
        shown = zip(posts, cards, strict=True)
        results = tuple(self._result(card, texts.get(post.pk, ""), found) for post, card in shown)
        sidebar = describe_sidebar(self.urls, now=self.now, current=self.urls.search_path())
        return self.conditional_page(
            "search",
            self._head(page_path(path, number), number=number, cards=cards),
            heading=heading_of_page(_("Search articles"), number),
            words=words,
            is_searchable=is_searchable(words),
            cards=cards,
            results=results,
            total=found.total,
            is_partial=found.is_partial,
            is_cut=found.is_cut,
            sidebar=sidebar,
            offered=() if cards else (sidebar and sidebar.popular) or self._newest(),
            pages=page_links(path, current=number, count=count),
        )

    def _result(self, card: Card, text: str, found: SearchResult) -> Result:
        passage = snippet(text, found.words) or snippet(card.description, found.words)
        return Result(card, passage or (Piece(card.description, is_hit=False),))

    def _newest(self) -> tuple[PostLink, ...]:
        return tuple(
            PostLink(post.title, self.urls.post_path(post.slug), other_language(post)) for post in newest_posts()
        )

    def _path(self, words: str) -> str:
        """Return the path of the first page, with the words if they can be searched for."""
        query = f"?{urlencode({'q': words})}" if is_searchable(words) else ""
        return self.urls.search_path() + query

    def _head(self, path: str, *, number: int, cards: tuple[Card, ...]) -> Page:
        return collection_page(
            PageKind.SEARCH,
            title=title_of_page(_("Search articles"), number),
            description=_description(),
            url=self.urls.absolute(path),
            robots=FOLLOWED,
            cards=cards,
            crumbs=(index_crumb(self.urls), Crumb(pgettext("blog", "Search"), self.urls.search_path())),
            urls=self.urls,
        )

    def _too_many_searches(self, refusal: RateLimited) -> HttpResponse:
        """Return the 429 page (``search.rate-limit``)."""
        title = _("Too many searches")
        page = collection_page(
            PageKind.RATE_LIMITED,
            title=title,
            description=_description(),
            url=self.urls.absolute(self.urls.search_path()),
            robots=HIDDEN,
            urls=self.urls,
        )
        response = self.page_response("error", page, status=refusal.status, title=title, cards=())
        response.headers["Retry-After"] = str(refusal.retry_after)
        return never_stored(response)


def _description() -> str:
    words = {"site": get_settings().site_name}
    return _("Search the titles, texts and frequently asked questions of %(site)s.") % words


def _words(request: HttpRequest) -> str:
    """Return the stripped query; empty if it has a NUL, which no page can show."""
    words = request.GET.get("q", "").strip()
    return "" if "\0" in words else words


class SearchJsonView(ReaderView):
    """The best results for ``q`` as JSON, or the error envelope past the rate limit."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        return suggestions(request, urls=self.urls)


def suggestions(request: HttpRequest, *, urls: BlogURLs) -> HttpResponseBase:
    """Return at most eight posts as JSON, or 304 or 429."""
    try:
        _count_search(request)
    except RateLimited as refusal:
        return mark_noindex(refuse(refusal))
    result = public_matches(request.GET.get("q", ""), first=MAX_SUGGESTIONS)
    best = () if result.is_partial else result.ids[:MAX_SUGGESTIONS]
    found = [
        {"title": post.title, "url": urls.post_url(post.slug), "description": post.summary}
        for post in posts_on_cards(best)
    ]
    return mark_noindex(conditional_response(request, HttpResponse(compact_json(found), content_type=JSON)))


def _count_search(request: HttpRequest) -> None:
    """Count a search; raise ``RateLimited`` past the setting ``search_rate_limit``.

    While the cache is unavailable nothing is counted and searching goes on (``access.rate.cache-gone``).
    """
    rate = get_settings().search_rate_limit
    try:
        usage = count(request, group=_SEARCHES, key=client_key(request), rate=rate)
    except Unavailable:
        return
    if usage is not None:
        usage.refuse_excess()
