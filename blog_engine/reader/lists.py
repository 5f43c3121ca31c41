"""The index and the lists of categories, tags, series and authors."""

from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from blog_engine.blog_urls import BlogURLs, mount, page_path
from blog_engine.conf import get_settings
from blog_engine.content.names import initials_of
from blog_engine.content.urls import is_safe_link
from blog_engine.enums import ListKind
from blog_engine.models import Author
from blog_engine.queries.listings import Listing, Subject, index_listing, listing, subject_at
from blog_engine.reader.cards import Card, avatar_url, cards_of, own_description
from blog_engine.reader.page import (
    FOLLOWED,
    INDEXED,
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
from blog_engine.reader.structured_data import author_entity, profile_page
from blog_engine.reader.view import PAGE_QUERY, ReaderView, default_description, queries_of


class IndexView(ReaderView):
    """The index: public posts, newest first, and on the first page the featured post."""

    kept_queries = queries_of(PAGE_QUERY)

    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        # The articles of an imported blog may have had URLs such as ``/?p=17``.
        redirect = None if request.GET.keys() <= {"page"} else self.query_redirect()
        if redirect is not None:
            return redirect
        number = page_number(request.GET.getlist("page"))
        if number is None or self.has_unknown_format():
            return self.not_found()
        found = index_listing(number, per_page=get_settings().posts_per_page)
        if found is None:
            return self.not_found()
        cards = cards_of(found.ordinary.posts, urls=self.urls, now=self.now)
        featured = (
            next(iter(cards_of([found.featured], urls=self.urls, now=self.now)), None) if found.featured else None
        )
        return self.conditional_page(
            "index",
            self._head(number, cards=cards),
            heading=heading_of_page(get_settings().blog_title, number),
            featured=featured,
            cards=cards,
            published=found.published,
            sidebar=describe_sidebar(self.urls, now=self.now, current=self.urls.index_path()),
            pages=page_links(self.urls.index_path(), current=number, count=found.ordinary.page_count),
        )

    def _head(self, number: int, *, cards: tuple[Card, ...]) -> Page:
        settings = get_settings()
        description = (settings.blog_tagline or "").strip() or default_description()
        if number > 1:
            words = {"number": number, "site": settings.site_name}
            description = gettext("Page %(number)d of the blog of %(site)s.") % words
        return collection_page(
            PageKind.INDEX,
            title=title_of_page(settings.blog_title, number),
            description=description,
            url=self.urls.absolute(page_path(self.urls.index_path(), number)),
            robots=INDEXED,
            cards=cards,
            crumbs=(index_crumb(self.urls),),
            urls=self.urls,
        )


class _ListWords(NamedTuple):
    """The heading, title and description of one page of a list."""

    heading: str
    title: str
    """The title without the setting ``title_suffix``."""
    description: str


def _list_words(kind: ListKind, subject: Subject, *, number: int) -> _ListWords:
    """Return the words of one page of a list, in the active language."""
    words = {"name": subject.name, "site": get_settings().site_name, "number": number}
    heading = gettext("Tagged: %(name)s") % words if kind is ListKind.TAG else subject.name
    if number > 1:
        description = str(_PAGE_DESCRIPTIONS[kind] % words)
        return _ListWords(heading_of_page(heading, number), title_of_page(heading, number), description)
    return _ListWords(heading, heading, own_description(subject) or str(_DESCRIPTIONS[kind] % words))


_DESCRIPTIONS: Final = {
    ListKind.CATEGORY: _("Posts about %(name)s — %(site)s."),
    ListKind.TAG: _("Posts tagged %(name)s — %(site)s."),
    ListKind.AUTHOR: _("Posts by %(name)s — %(site)s."),
    ListKind.SERIES: _("Posts in %(name)s — %(site)s."),
}
_PAGE_DESCRIPTIONS: Final = {
    ListKind.CATEGORY: _("Page %(number)d of the posts about %(name)s — %(site)s."),
    ListKind.TAG: _("Page %(number)d of the posts tagged %(name)s — %(site)s."),
    ListKind.AUTHOR: _("Page %(number)d of the posts by %(name)s — %(site)s."),
    ListKind.SERIES: _("Page %(number)d of the posts in %(name)s — %(site)s."),
}


@dataclass(frozen=True, slots=True)
class Profile:
    """An author's picture or initials, and the profiles on other sites."""

    name: str
    initials: str
    avatar_url: str | None
    links: tuple[str, ...]
    """The ``profile_urls`` that are safe to link."""


def _describe_profile(author: Author, *, urls: BlogURLs) -> Profile:
    """Return the profile of an author; one query if the avatar is not loaded."""
    return Profile(
        name=author.name,
        initials=initials_of(author.name),
        avatar_url=avatar_url(author, urls=urls),
        links=tuple(url for url in author.profile_urls if is_safe_link(url)),
    )


class ListView(ReaderView):
    """One page of the list of a category, tag, author or series."""

    kept_queries = queries_of(PAGE_QUERY)

    def get(self, request: HttpRequest, *, kind: ListKind, slug: str, **kwargs: Any) -> HttpResponseBase:
        if self.has_unknown_format():
            return self.not_found()
        subject = subject_at(kind, slug)
        if subject is None:
            return self.fallback(f"{mount()}/{get_settings().route_segments.of(kind)}/{slug}")
        number = page_number(request.GET.getlist("page"))
        found = number and listing(kind, subject, number, per_page=get_settings().posts_per_page)
        if not number or not found:
            return self.not_found()
        return self._list_page(kind, subject, found, number=number)

    def _list_page(self, kind: ListKind, subject: Subject, found: Listing, *, number: int) -> HttpResponseBase:
        path = self.urls.list_path(kind, subject.slug)
        words = _list_words(kind, subject, number=number)
        cards = cards_of(found.posts, urls=self.urls, now=self.now)
        if kind is ListKind.SERIES:
            first = (number - 1) * get_settings().posts_per_page + 1
            cards = tuple(replace(card, part=part) for part, card in enumerate(cards, first))
        around: dict[str, Any] = (
            {"profile": _describe_profile(subject, urls=self.urls)}
            if isinstance(subject, Author)
            else {"sidebar": describe_sidebar(self.urls, now=self.now, current=path)}
        )
        return self.conditional_page(
            "list",
            self._head(kind, subject, words, cards=cards, number=number),
            heading=words.heading,
            description=words.description,
            own_description=own_description(subject) if number == 1 else "",
            cards=cards,
            total=found.total,
            pages=page_links(path, current=number, count=found.page_count),
            **around,
        )

    def _head(
        self, kind: ListKind, subject: Subject, words: _ListWords, *, cards: tuple[Card, ...], number: int
    ) -> Page:
        path = self.urls.list_path(kind, subject.slug)
        url = self.urls.absolute(page_path(path, number))
        page = collection_page(
            PageKind(kind),
            title=words.title,
            description=words.description,
            url=url,
            robots=INDEXED if kind is get_settings().primary_list else FOLLOWED,
            cards=cards,
            crumbs=(index_crumb(self.urls), Crumb(subject.name, path)),
            feeds_of=path,
            urls=self.urls,
        )
        if isinstance(subject, Author):
            who = author_entity(subject, name=subject.name, urls=self.urls)
            return replace(page, main_entity=profile_page(name=subject.name, url=url, author=who))
        return page
