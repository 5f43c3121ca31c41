"""Searches for posts by the names of their tags, authors, categories and series.

The names are read themselves rather than indexed with each post, so that a record can be renamed or merged without
writing to its posts.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

from django.db.models import IntegerField, Model, Q, QuerySet, Value

from blog_engine.content.search_query import SearchQuery, Term
from blog_engine.content.search_text import folded_words, is_spaceless
from blog_engine.models import Author, Category, Coauthor, Post, PostTag, Series, Tag
from blog_engine.queries.compiled import CompiledValues, among
from blog_engine.queries.remembered import remembered

SHORTEST_PREFIX: Final = 2
"""The fewest characters of an unfinished word."""

_MOST_NAMES: Final = 10_000
"""The names that a search looks at; those of further tags are not found."""


class _Name(NamedTuple):
    kind: int
    record_id: int
    words: str
    """The folded name."""


def _tagged(condition: Any) -> Q:
    return Q(pk__in=PostTag.objects.filter(condition).order_by().values("post"))


def _coauthored(condition: Any) -> Q:
    return Q(pk__in=Coauthor.objects.filter(condition).order_by().values("post"))


# Tags are last, because there are most of them.
_KINDS: Final[tuple[tuple[type[Model], Callable[[list[int]], Q]], ...]] = (
    (Author, lambda ids: Q(among("author", ids)) | _coauthored(among("author", ids))),
    (Category, lambda ids: Q(among("category", ids))),
    (Series, lambda ids: Q(among("series", ids))),
    (Tag, lambda ids: _tagged(among("tag", ids))),
)


@dataclass(frozen=True, slots=True)
class NamedPosts:
    """The posts whose records have some words of a query in their names."""

    conditions: tuple[Q, ...]
    """One for each of these words and phrases."""
    rest: SearchQuery
    """The query without them."""

    def among(self, posts: QuerySet[Post]) -> QuerySet[Post]:
        """Return those of the posts that meet each condition."""
        return posts.filter(*self.conditions)


def named_posts(query: SearchQuery) -> NamedPosts | None:
    """Return the posts that have words of a query in the names of their records; ``None`` if no name has any.

    One query, whose rows are kept while pages are read.
    """
    if not query.terms:
        return None
    names = remembered("searched names", _read_names)
    terms = {term: found for term in query.terms if (found := [name for name in names if _has(name, term)])}
    phrases = {phrase: found for phrase in query.phrases if (found := [one for one in names if phrase in one.words])}
    if not terms:
        return None
    rest = replace(
        query,
        terms=tuple(term for term in query.terms if term not in terms),
        phrases=tuple(phrase for phrase in query.phrases if phrase not in phrases),
        runs=tuple(run for run in query.runs if all(run != term.word for term in terms)),
    )
    return NamedPosts(tuple(map(_with_any, [*terms.values(), *phrases.values()])), rest)


def _has(name: _Name, term: Term) -> bool:
    if is_spaceless(term.word):
        return term.word in name.words
    is_start = term.is_last and len(term.word) >= SHORTEST_PREFIX
    return f" {term.word}{'' if is_start else ' '}" in name.words


def _with_any(names: Iterable[_Name]) -> Q:
    """Return the condition of posts that have one of these records."""
    ids: dict[int, list[int]] = {}
    for name in names:
        ids.setdefault(name.kind, []).append(name.record_id)
    return reduce(or_, (_KINDS[kind][1](some) for kind, some in ids.items()))


def _read_names() -> list[_Name]:
    return _NAMES.all()


def _names() -> QuerySet[Any]:
    first, *others = (
        model._default_manager.annotate(kind=Value(kind, IntegerField())).order_by().values_list("kind", "pk", "name")
        for kind, (model, _) in enumerate(_KINDS)
    )
    return first.union(*others, all=True).order_by("kind", "pk")[:_MOST_NAMES]


_NAMES: Final = CompiledValues(_names, lambda kind, record_id, name: _Name(kind, record_id, folded_words(name)))
