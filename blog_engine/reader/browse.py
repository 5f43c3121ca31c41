"""The directories, the page about the feeds, and what the archive shares with them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs, page_path
from blog_engine.conf import get_settings
from blog_engine.content.collation import first_letter
from blog_engine.content.initials import initials_of
from blog_engine.enums import FeedFormat, ListKind
from blog_engine.models import Author
from blog_engine.queries.archive import older_posts_at_pages
from blog_engine.queries.listings import (
    DIRECTORY_ROWS,
    ListedRecord,
    Subject,
    details_of,
    listed_records,
    page_count,
    public_categories,
)
from blog_engine.queries.remembered import remembered
from blog_engine.reader.cards import avatar_url, own_description
from blog_engine.reader.page import (
    FOLLOWED,
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
from blog_engine.reader.post import public_article
from blog_engine.reader.view import PAGE_QUERY, ReaderView, queries_of

ARCHIVE_NAME: Final = pgettext_lazy("blog", "Archive")
DIRECTORY_NAMES: Final[dict[ListKind, str | Promise]] = {
    ListKind.CATEGORY: pgettext_lazy("blog", "Categories"),
    ListKind.TAG: pgettext_lazy("blog", "Tags"),
    ListKind.AUTHOR: pgettext_lazy("blog", "Authors"),
    ListKind.SERIES: pgettext_lazy("blog", "Series"),
}


class BrowseLink(NamedTuple):
    """The link to the archive or to a directory."""

    name: str | Promise
    path: str
    is_current: bool
    """Whether it leads to this page, or to the start of the pages that this one belongs to."""


def browse_links(urls: BlogURLs, *, current: str) -> tuple[BrowseLink, ...]:
    """Return the links to the archive and the directories; ``current`` is the path of one of them."""
    directories = ((name, urls.directory_path(kind)) for kind, name in DIRECTORY_NAMES.items())
    pages = [(ARCHIVE_NAME, urls.archive_path()), *directories]
    return tuple(BrowseLink(name, path, is_current=path == current) for name, path in pages)


def browse_page(
    kind: PageKind,
    *,
    title: str,
    description: str,
    path: str,
    entries: Iterable[tuple[str, str]],
    crumbs: Iterable[Crumb],
    urls: BlogURLs,
) -> Page:
    """Return the head of such a page at a path; ``entries`` are the names and paths of what it lists."""
    page = collection_page(
        kind,
        title=title,
        description=description,
        url=urls.absolute(path),
        robots=FOLLOWED,
        crumbs=(index_crumb(urls), *crumbs),
        urls=urls,
    )
    items = [
        {"@type": "ListItem", "position": position, "url": urls.absolute(path), "name": name}
        for position, (name, path) in enumerate(entries, start=1)
    ]
    return replace(page, main_entity=page.main_entity | {"mainEntity": {"@type": "ItemList", "itemListElement": items}})


_FEW: Final = 24
"""Up to so many tags are not grouped by letter."""


class DirectoryEntry(NamedTuple):
    """A category, tag, author or series."""

    name: str
    path: str
    posts: int
    description: str
    """The description or bio; empty for a tag."""
    initials: str
    """What is shown of an author without a picture; empty for others."""
    avatar_url: str | None
    """The picture of an author, if there is one."""


class DirectoryGroup(NamedTuple):
    """The entries under one letter."""

    letter: str
    """Empty where entries are not grouped."""
    entries: tuple[DirectoryEntry, ...]
    """The categories, tags, authors or series."""


class DirectoryView(ReaderView):
    """A page of all records of a kind that have public posts."""

    kept_queries = queries_of(PAGE_QUERY)

    def get(self, request: HttpRequest, *, kind: ListKind, **kwargs: Any) -> HttpResponseBase:
        number = page_number(request.GET.getlist("page"))
        if number is None or self.has_unknown_format():
            return self.not_found()
        records = listed_records(kind, language=get_language() or "")
        count = page_count(len(records), per_page=DIRECTORY_ROWS)
        if number > count:
            return self.not_found()
        entries = self._entries(kind, records[(number - 1) * DIRECTORY_ROWS : number * DIRECTORY_ROWS])
        path, heading = self.urls.directory_path(kind), str(DIRECTORY_NAMES[kind])
        description = str(_DESCRIPTIONS[kind] % {"site": get_settings().site_name})
        return self.conditional_page(
            "directory",
            self._head(heading, description, entries, path=path, number=number),
            list_kind=kind.value,
            heading=heading_of_page(heading, number),
            description=description,
            total=len(records),
            groups=_grouped(entries, by_letter=kind is ListKind.TAG and len(records) > _FEW),
            pages=page_links(path, current=number, count=count),
            browse=browse_links(self.urls, current=path),
        )

    def _entries(self, kind: ListKind, records: Sequence[ListedRecord]) -> tuple[DirectoryEntry, ...]:
        details = details_of(kind, [record.id for record in records])
        return tuple(self._entry(kind, record, details.get(record.id)) for record in records)

    def _entry(self, kind: ListKind, record: ListedRecord, details: Subject | None) -> DirectoryEntry:
        author = details if isinstance(details, Author) else None
        return DirectoryEntry(
            name=record.name,
            path=self.urls.list_path(kind, record.slug),
            posts=record.posts,
            description=own_description(details),
            initials=initials_of(record.name) if author else "",
            avatar_url=avatar_url(author, urls=self.urls) if author else None,
        )

    def _head(
        self, heading: str, description: str, entries: Sequence[DirectoryEntry], *, path: str, number: int
    ) -> Page:
        return browse_page(
            PageKind.DIRECTORY,
            title=title_of_page(heading, number),
            description=title_of_page(description, number),
            path=page_path(path, number),
            entries=[(entry.name, entry.path) for entry in entries],
            crumbs=[Crumb(heading, path)],
            urls=self.urls,
        )


_DESCRIPTIONS: Final = {
    ListKind.CATEGORY: gettext_lazy("All categories of %(site)s."),
    ListKind.TAG: gettext_lazy("All tags of %(site)s."),
    ListKind.AUTHOR: gettext_lazy("Everyone who writes for %(site)s."),
    ListKind.SERIES: gettext_lazy("All series of %(site)s."),
}


def _grouped(entries: Sequence[DirectoryEntry], *, by_letter: bool) -> tuple[DirectoryGroup, ...]:
    if not entries:
        return ()
    if not by_letter:
        return (DirectoryGroup("", tuple(entries)),)
    letters = groupby(entries, key=lambda entry: first_letter(entry.name, language=get_language() or ""))
    return tuple(DirectoryGroup(letter, tuple(group)) for letter, group in letters)


class FeedLinks(NamedTuple):
    """The feeds of the blog or of a category, as absolute URLs."""

    name: str
    atom_url: str
    """The URL of the Atom feed."""
    json_url: str
    """The URL of the JSON Feed."""


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
            category_feeds=tuple(
                _feeds(row.name, self.urls.list_path(ListKind.CATEGORY, row.slug), urls=self.urls) for row in categories
            ),
        )


def _feeds(name: str, list_path: str, *, urls: BlogURLs) -> FeedLinks:
    atom, json = (urls.absolute(urls.feed_path(format, of=list_path)) for format in FeedFormat)
    return FeedLinks(name, atom, json)
