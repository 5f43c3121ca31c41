"""All categories, tags, authors and series that have public posts."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from blog_engine.content.names import sort_key
from blog_engine.enums import ListKind
from blog_engine.models import Author, ListCount
from blog_engine.queries.compiled import CompiledValues, among
from blog_engine.queries.listings import SUBJECTS, Subject
from blog_engine.queries.remembered import remembered

DIRECTORY_ROWS: Final = 200
"""The records on a page."""
MOST_RECORDS: Final = 5_000
"""The records of a kind that are listed: those with the most public posts."""


class ListedRecord(NamedTuple):
    """A category, tag, author or series with the number of its public posts, at least one."""

    id: int
    name: str
    slug: str
    posts: int


def listed_records(kind: ListKind, *, language: str) -> Sequence[ListedRecord]:
    """Return the records of a kind that have public posts, in alphabetical order; at most one query.

    Categories are in the order of the sidebar instead: by position, then name.
    """
    return remembered(("records", kind, language), lambda: _sorted(kind, language))


def details_of(kind: ListKind, ids: Sequence[int]) -> dict[int, Subject]:
    """Return the records with what a directory shows beside the name, by id; at most one query, none for tags."""
    if kind is ListKind.TAG or not ids:
        return {}
    if kind is ListKind.AUTHOR:
        authors = Author.objects.filter(among("pk", ids)).select_related("avatar")
        return {author.pk: author for author in authors}
    return {row.pk: row for row in SUBJECTS[kind]._default_manager.filter(among("pk", ids))}


def _sorted(kind: ListKind, language: str) -> Sequence[ListedRecord]:
    rows = _rows(kind).all()
    if kind is ListKind.CATEGORY:
        rows.sort(key=lambda row: (row[0], *sort_key(row[1].name, language=language), row[1].id))
    else:
        rows.sort(key=lambda row: (*sort_key(row[1].name, language=language), row[1].id))
    return tuple(record for _, record in rows)


@cache
def _rows(kind: ListKind) -> CompiledValues[tuple[int, ListedRecord]]:
    place = f"{kind}__position" if kind is ListKind.CATEGORY else "pk"

    def rows() -> QuerySet[Any, Any]:
        counts = ListCount.objects.filter(posts__gt=0, **{f"{kind}__isnull": False})
        columns = (place, f"{kind}__id", f"{kind}__name", f"{kind}__slug", "posts")
        return counts.order_by("-posts", f"{kind}_id").values_list(*columns)[:MOST_RECORDS]

    return CompiledValues(rows, lambda position, *columns: (position, ListedRecord(*columns)))
