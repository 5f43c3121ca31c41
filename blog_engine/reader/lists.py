"""The public posts of a category, tag, author or series (reader.md 3)."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from blog_engine.addresses import mount, page_path
from blog_engine.conf import get_settings
from blog_engine.models import Author
from blog_engine.queries.listings import Listing, Subject, listing, posts_of, subject_at
from blog_engine.reader.cards import Card, card_of
from blog_engine.reader.collection_page import collection_page
from blog_engine.reader.list_words import ListWords, words_of
from blog_engine.reader.page import FOLLOWED, INDEXED, Crumb, Page, PageKind, index_crumb
from blog_engine.reader.pagination import page_links, page_number
from blog_engine.reader.profile import describe_profile
from blog_engine.reader.sidebar import describe_sidebar
from blog_engine.reader.structured_data import author_entity, profile_page
from blog_engine.reader.view import ReaderView
from blog_engine.vocabulary import ListKind


class ListView(ReaderView):
    """One page of a list; where there is no such list, what became of the address."""

    def get(self, request: HttpRequest, *, kind: ListKind, slug: str, **kwargs: Any) -> HttpResponseBase:
        if self.asks_for_other_format():
            return self.not_found()
        subject = subject_at(kind, slug)
        if subject is None:
            return self.elsewhere(f"{mount()}/{get_settings().route_segments.of(kind)}/{slug}")
        number = page_number(request.GET.getlist("page"))
        found = number and listing(posts_of(kind, subject), number, per_page=get_settings().posts_per_page)
        if not number or not found:
            return self.not_found()
        return self._answer(kind, subject, found, number=number)

    def _answer(self, kind: ListKind, subject: Subject, found: Listing, *, number: int) -> HttpResponseBase:
        path = self.here.list_path(kind, subject.slug)
        words = words_of(kind, subject, number=number)
        cards = tuple(card_of(post, here=self.here, now=self.now) for post in found.posts)
        around: dict[str, Any] = (
            {"profile": describe_profile(subject, here=self.here)}
            if isinstance(subject, Author)
            else {"sidebar": describe_sidebar(self.here, now=self.now, current=path)}
        )
        return self.revalidated_page(
            "list",
            self._head(kind, subject, words, cards=cards, number=number),
            heading=words.heading,
            description=words.description,
            cards=cards,
            total=found.total,
            pages=page_links(path, current=number, count=found.page_count),
            **around,
        )

    def _head(
        self, kind: ListKind, subject: Subject, words: ListWords, *, cards: tuple[Card, ...], number: int
    ) -> Page:
        path = self.here.list_path(kind, subject.slug)
        url = self.here.absolute(page_path(path, number))
        page = collection_page(
            PageKind(kind),
            title=words.title,
            description=words.description,
            url=url,
            robots=INDEXED if kind is get_settings().primary_list else FOLLOWED,
            cards=cards,
            crumbs=(index_crumb(self.here), Crumb(subject.name, path)),
            feeds_of=path,
            here=self.here,
        )
        if isinstance(subject, Author):
            who = author_entity(subject, name=subject.name, here=self.here)
            return replace(page, main_entity=profile_page(name=subject.name, url=url, author=who))
        return page
