"""The directories: all categories, tags, authors and series that have public posts."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from blog_engine.blog_urls import page_path
from blog_engine.conf import get_settings
from blog_engine.content.names import first_letter, initials_of
from blog_engine.enums import ListKind
from blog_engine.models import Author
from blog_engine.queries.listings import DIRECTORY_ROWS, ListedRecord, Subject, details_of, listed_records
from blog_engine.queries.pagination import page_count
from blog_engine.reader.browse import DIRECTORY_NAMES, browse_links, browse_page
from blog_engine.reader.cards import avatar_url, own_description
from blog_engine.reader.page import (
    Crumb,
    Page,
    PageKind,
    heading_of_page,
    page_links,
    page_number,
    title_of_page,
)
from blog_engine.reader.view import PAGE_QUERY, ReaderView, queries_of

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
    ListKind.CATEGORY: _("All categories of %(site)s."),
    ListKind.TAG: _("All tags of %(site)s."),
    ListKind.AUTHOR: _("Everyone who writes for %(site)s."),
    ListKind.SERIES: _("All series of %(site)s."),
}


def _grouped(entries: Sequence[DirectoryEntry], *, by_letter: bool) -> tuple[DirectoryGroup, ...]:
    if not entries:
        return ()
    if not by_letter:
        return (DirectoryGroup("", tuple(entries)),)
    letters = groupby(entries, key=lambda entry: first_letter(entry.name, language=get_language() or ""))
    return tuple(DirectoryGroup(letter, tuple(group)) for letter, group in letters)
