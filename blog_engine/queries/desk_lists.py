"""Counts and filter choices for the lists of the desk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.db.models import CharField, IntegerField, Model, Q, QuerySet, Value
from django.db.models.functions import Cast

from blog_engine.enums import Label, PolicyKind
from blog_engine.models import Author, Category, Post
from blog_engine.queries.checked import posts_with_label
from blog_engine.queries.compiled import among
from blog_engine.queries.policies import is_configured, published_policies
from blog_engine.queries.posts import tag_names_of

MOST_LISTED: Final = 10_000
"""The rows that one list turns the pages of; further ones are found with filters and the search."""
NEWEST: Final = ("-created_at", "-id")
MOST_NAMES: Final = 50
"""The authors and categories that a filter suggests."""


@dataclass(frozen=True, slots=True)
class DeskListPage:
    """A page of a list of the desk, with its number from 1."""

    number: int
    pages: int

    @property
    def previous_number(self) -> int | None:
        """The number of the page before, if there is one."""
        return self.number - 1 if self.number > 1 else None

    @property
    def next_number(self) -> int | None:
        """The number of the page after, if there is one."""
        return self.number + 1 if self.number < self.pages else None


class NamedRow(NamedTuple):
    """An author or a category to filter by."""

    id: int
    name: str
    slug: str


class ListContext(NamedTuple):
    """The context of the list of posts beside its rows."""

    authors: Sequence[NamedRow]
    """The first by name, and those that were asked for."""
    categories: Sequence[NamedRow]
    has_responsible_party: bool
    """Whether the blog says who is responsible, which notices of AI depend on."""


def listed_page(posts: QuerySet[Post], *, start: int, number: int) -> list[int]:
    """Return the ids of a page of a list; one query."""
    return list(posts.values_list("pk", flat=True)[start : start + number])


def number_listed(posts: QuerySet[Post]) -> int:
    """Return how many posts there are, or ``MOST_LISTED + 1`` if there are more; one query."""
    return posts.order_by()[: MOST_LISTED + 1].count()


def list_context(*, author: str = "", category: str = "") -> ListContext:
    """Return the names that filters suggest with the rows of the sent slug or name, and more; one query."""
    policies = published_policies().filter(kind=PolicyKind.RESPONSIBLE_PARTY.value)
    rows = _named(_names(Author, author), 0).union(
        _named(_names(Category, category), 1), _named(policies, 2, name="kind"), all=True
    )
    found: tuple[list[NamedRow], ...] = ([], [], [])
    for kind, pk, name, slug in rows.order_by():
        found[kind].append(NamedRow(pk, name, slug))
    authors, categories, pages = (sorted(several, key=lambda row: (row.name.casefold(), row.id)) for several in found)
    return ListContext(authors, categories, bool(pages) or is_configured(PolicyKind.RESPONSIBLE_PARTY))


def _names(model: type[Model], sent: str) -> QuerySet[Any]:
    rows = model._default_manager.order_by()
    first = Q(pk__in=model._default_manager.order_by("name", "pk").values("pk")[:MOST_NAMES])
    return rows.filter(first | Q(slug=sent) | Q(name=sent) if sent else first)


def _named(rows: QuerySet[Any], kind: int, *, name: str = "name") -> QuerySet[Any]:
    columns = {"row_kind": Value(kind, IntegerField()), "row_name": Cast(name, CharField())}
    named: QuerySet[Any] = rows.order_by().annotate(**columns, row_slug=Cast("slug", CharField()))
    return named.values_list("row_kind", "pk", "row_name", "row_slug")


class TaggedPost(NamedTuple):
    """A post as actions on several posts need it."""

    id: int
    title: str
    slug: str
    status: str
    version: int
    tags: Sequence[str]
    """The names in the order sent."""


def posts_with_tags(ids: Sequence[int]) -> list[TaggedPost]:
    """Return the posts with these ids, newest first; two queries."""
    tags = tag_names_of(ids)
    posts = Post.objects.filter(among("pk", ids)).order_by(*NEWEST)
    rows = posts.values_list("pk", "title", "slug", "status", "version")
    return [TaggedPost(*row, tags[row[0]]) for row in rows]


def newest_with_label(posts: QuerySet[Post], label: Label, *, has_responsible_party: bool) -> QuerySet[Post]:
    """Return those of the newest ``MOST_LISTED`` posts that have a label."""
    newest = Post.objects.filter(pk__in=posts.order_by(*NEWEST).values("pk")[:MOST_LISTED])
    return posts_with_label(newest, label, has_responsible_party=has_responsible_party)
