"""The index page (reader.md 2)."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _

from blog_engine.addresses import page_path
from blog_engine.conf import get_settings
from blog_engine.queries.listings import index_listing
from blog_engine.reader.cards import Card, card_of
from blog_engine.reader.collection_page import collection_page, numbered
from blog_engine.reader.page import INDEXED, Page, PageKind, index_crumb
from blog_engine.reader.pagination import page_links, page_number
from blog_engine.reader.sidebar import describe_sidebar
from blog_engine.reader.view import ReaderView, blog_sentence


class IndexView(ReaderView):
    """All published posts, newest first, the featured one on top of every page."""

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        # A blog that was elsewhere before may have had its articles at queries of this path.
        moved = None if request.GET.keys() <= {"page"} else self.moved_by_query()
        if moved is not None:
            return moved
        number = page_number(request.GET.getlist("page"))
        if number is None or self.asks_for_other_format():
            return self.not_found()
        found = index_listing(number, per_page=get_settings().posts_per_page)
        if found is None:
            return self.not_found()
        cards = tuple(card_of(post, here=self.here, now=self.now) for post in found.ordinary.posts)
        featured = card_of(found.featured, here=self.here, now=self.now) if found.featured else None
        return self.revalidated_page(
            "index",
            self._head(number, cards=cards),
            featured=featured,
            cards=cards,
            published=found.published,
            sidebar=describe_sidebar(self.here, now=self.now, current=self.here.index_path()),
            pages=page_links(self.here.index_path(), current=number, count=found.ordinary.page_count),
        )

    def _head(self, number: int, *, cards: tuple[Card, ...]) -> Page:
        settings = get_settings()
        description = (settings.blog_tagline or "").strip() or blog_sentence()
        if number > 1:
            words = {"number": number, "site": settings.site_name}
            description = _("Page %(number)d of the blog of %(site)s.") % words
        return collection_page(
            PageKind.INDEX,
            title=numbered(settings.blog_title, number),
            description=description,
            url=self.here.absolute(page_path(self.here.index_path(), number)),
            robots=INDEXED,
            cards=cards,
            crumbs=(index_crumb(self.here),),
            here=self.here,
        )
