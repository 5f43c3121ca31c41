"""Full-text search of posts for the API and readers, the same on every database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final

from django.db import connections
from django.db.models import Case, F, IntegerField, Max, Q, QuerySet, Value, When
from django.db.models.functions import Length

from blog_engine.content.search_query import SearchQuery, Term, most_slips, parse_query, slips_between
from blog_engine.content.search_text import is_spaceless, pairs_of, stem, word_key
from blog_engine.content.text import has_long_mark_run
from blog_engine.models import Post, SearchEntry, SearchWord
from blog_engine.queries.listings import STANDARD_ORDER, public_posts

MOST_FOUND: Final = 10_000
"""The most results of a search; posts that rank lower are not counted."""

_SHORTEST: Final = 2
_LONGEST: Final = 100
_COLUMNS: Final = ("indexed_title", "indexed_description", "indexed_faq", "indexed_body")

_EXACT: Final = 10
_INFLECTED: Final = 8
_UNFINISHED: Final = 6
_MISSPELT: Final = 5
_COMPOUND: Final = 4

_SHORTEST_PREFIX: Final = 2
_SHORTEST_PART: Final = 4
_LEAST_BESIDE_PART: Final = 3
_MOST_FORMS: Final = 100
_MOST_CORRECTIONS: Final = 5
_MOST_COMPARED: Final = 3_000
_MOST_ENTRIES: Final = 20_000
"""A word in more entries is common: only its own forms are searched, and it does not select posts alone."""
_PHRASE_IN_TITLE: Final = 1_000
_EVEN: Final = 8
"""Added to each rank when only some words match: which words match counts more than where."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search."""

    ids: Sequence[int] = ()
    """The posts, best first."""
    words: frozenset[str] = frozenset()
    """The folded words to mark in them."""
    is_partial: bool = False
    """Whether no post has all words, and these have some of them."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The indexed forms of one word of a query."""

    term: Term
    forms: dict[str, int]
    """How well each form fits."""
    size: int
    """The number of their entries, exact up to ``_MOST_ENTRIES``."""

    def keys(self) -> dict[int, list[int]]:
        """Return the keys of the forms by how well they fit."""
        by_fit: dict[int, list[int]] = {}
        for form, fit in self.forms.items():
            by_fit.setdefault(fit, []).append(word_key(form))
        return by_fit


def is_searchable(words: str) -> bool:
    """Return whether a stripped search has 2 to 100 characters; others find nothing.

    More than 30 combining marks in a row make a text unsearchable.
    """
    return _SHORTEST <= len(words.strip()) <= _LONGEST and "\0" not in words and not has_long_mark_run(words)


def matches(posts: QuerySet[Post], words: str, *, then_by: Sequence[str]) -> SearchResult:
    """Return the posts with all these words, best first, then by ``then_by``."""
    query = _read(words)
    return _all_of(posts, query, _groups(query), then_by=then_by)


def public_matches(words: str) -> SearchResult:
    """Return the published posts for these words, best first, then newest first.

    Posts with all words; without any, posts with all words in similar spellings; without any, posts with some words.
    The number of queries depends only on the number of words.
    """
    query, posts = _read(words), public_posts()
    groups = _groups(query)
    found = _all_of(posts, query, groups, then_by=STANDARD_ORDER)
    if found.ids or not groups:
        return found
    corrected = [_corrected(group) for group in groups]
    if corrected != groups:
        found = _all_of(posts, query, corrected, then_by=STANDARD_ORDER)
    if found.ids:
        return found
    return _any_of(posts, query, corrected, then_by=STANDARD_ORDER)


def _read(words: str) -> SearchQuery:
    return parse_query(words if is_searchable(words) else "")


def _all_of(posts: QuerySet[Post], query: SearchQuery, groups: list[_Group], *, then_by: Sequence[str]) -> SearchResult:
    if not groups or not all(group.forms for group in groups):
        return SearchResult()
    scores = {f"score_{number}": _score(group) for number, group in enumerate(groups)}
    entries = _entries(posts, query, groups, phrases=[*query.phrases, *query.runs])
    rarest = min(groups, key=lambda group: group.size)
    if len(groups) > 1 and rarest.size <= _MOST_ENTRIES:
        # Without this, all entries of common words would be read.
        keys = sorted(map(word_key, rarest.forms))
        entries = entries.filter(post__in=SearchEntry.objects.filter(word__in=keys).values("post"))
    ids = _ranked(entries, query, scores, then_by=then_by, needed=[Q(**{f"{name}__gt": 0}) for name in scores])
    return SearchResult(ids, _words(groups))


def _any_of(posts: QuerySet[Post], query: SearchQuery, groups: list[_Group], *, then_by: Sequence[str]) -> SearchResult:
    """Find posts with any of the words and all quoted phrases; rare words count more."""
    known = [group for group in groups if group.forms]
    groups = [group for group in known if group.size <= _MOST_ENTRIES] or known
    if not groups:
        return SearchResult()
    total = Post.objects.count()
    rarity = [log(1 + total / (1 + group.size)) for group in groups]
    scores = {f"score_{n}": _score(group, even=_EVEN, times=rarity[n]) for n, group in enumerate(groups)}
    ids = _ranked(_entries(posts, query, groups, phrases=query.phrases), query, scores, then_by=then_by)
    return SearchResult(ids, _words(groups), is_partial=bool(ids))


def _ranked(
    entries: QuerySet[SearchEntry],
    query: SearchQuery,
    scores: dict[str, Any],
    *,
    then_by: Sequence[str],
    needed: Sequence[Q] = (),
) -> list[int]:
    columns = [f"post__{name.removeprefix('-')}" for name in then_by]
    order = [f"-post__{name[1:]}" if name.startswith("-") else f"post__{name}" for name in then_by]
    total = sum((F(name) for name in scores), start=_title_score(query))
    found = entries.values("post", *columns).annotate(**scores).filter(*needed).annotate(total=total)
    return list(found.order_by("-total", *order).values_list("post", flat=True)[:MOST_FOUND])


def _title_score(query: SearchQuery) -> Any:
    """Return the score of a title with all words in order, if there are several."""
    if len(query.terms) < 2 and not query.runs:
        return Value(0)
    return Max(Case(When(post__indexed_title__contains=query.title, then=_PHRASE_IN_TITLE), default=0))


def _entries(
    posts: QuerySet[Post], query: SearchQuery, groups: list[_Group], *, phrases: Sequence[str]
) -> QuerySet[SearchEntry]:
    keys = {key for group in groups for some in group.keys().values() for key in some}
    entries = SearchEntry.objects.filter(word__in=sorted(keys), post__in=posts.order_by().values("pk"))
    for phrase in phrases:
        entries = entries.filter(_somewhere(phrase))
    for phrase in query.excluded:
        entries = entries.filter(~_somewhere(phrase))
    return entries


def _somewhere(phrase: str) -> Q:
    anywhere = Q()
    for column in _COLUMNS:
        anywhere |= Q(**{f"post__{column}__contains": phrase})
    return anywhere


def _score(group: _Group, *, even: int = 0, times: float = 1) -> Max:
    whens = [When(word__in=keys, then=(F("rank") + even) * round(fit * times)) for fit, keys in group.keys().items()]
    return Max(Case(*whens, default=0, output_field=IntegerField()))


def _words(groups: list[_Group]) -> frozenset[str]:
    return frozenset(form for group in groups for form in group.forms)


def _groups(query: SearchQuery) -> list[_Group]:
    groups: list[_Group] = []
    for term in query.terms:
        if is_spaceless(term.word) and len(term.word) > 1:
            groups += [_group(Term(pair, is_exact=True), {pair: _EXACT}) for pair in pairs_of(term.word)]
        else:
            groups.append(_group(term, {term.word: _EXACT} if term.is_exact else _forms(term)))
    return groups


def _group(term: Term, forms: dict[str, int]) -> _Group:
    """Return the group of these forms, of a common word only its own."""
    group = _Group(term, forms, _size(forms))
    if group.size > _MOST_ENTRIES:
        own = {form: fit for form, fit in forms.items() if fit >= _INFLECTED}
        if size := _size(own):
            return _Group(term, own, size)
    return group


def _size(forms: Iterable[str]) -> int:
    keys = sorted(map(word_key, forms))
    return SearchEntry.objects.filter(word__in=keys).values("word")[: _MOST_ENTRIES + 1].count()


def _forms(term: Term) -> dict[str, int]:
    """Return the indexed words that match a word of a query; one query."""
    word, root = term.word, stem(term.word)
    wanted = Q(word=word) | Q(stem=root)
    if term.is_last and (len(word) >= _SHORTEST_PREFIX or is_spaceless(word)):
        wanted |= _beginning("word", word)
    if len(root) >= _SHORTEST_PART:
        wanted |= _beginning("word", word) | _beginning("tail", root[::-1])
    known = SearchWord.objects.filter(wanted).order_by(Length("word"), "word")[:_MOST_FORMS]
    fits = {one.word: _fit(one, term, root) for one in known}
    return {form: fit for form, fit in fits.items() if fit}


def _fit(known: SearchWord, term: Term, root: str) -> int:
    if known.word == term.word:
        return _EXACT
    if known.stem == root:
        return _INFLECTED
    if term.is_last and known.word.startswith(term.word):
        return _UNFINISHED
    is_part = len(known.stem) >= len(root) + _LEAST_BESIDE_PART
    return _COMPOUND if is_part else 0


def _corrected(group: _Group) -> _Group:
    """Return the group with the most similar indexed words, unless it matches."""
    word, most = group.term.word, most_slips(group.term.word)
    if not most or group.term.is_exact or _EXACT in group.forms.values():
        return group
    start, end = word[: len(word) // 2 - 1 or 1], stem(word)[::-1][: (len(word) - 1) // 2 - 1 or 1]
    alike = SearchWord.objects.filter(_beginning("word", start) | _beginning("tail", end))
    near = alike.alias(length=Length("word")).filter(length__gte=len(word) - most, length__lte=len(word) + most)
    slips = {
        known: slips_between(word, known, most=most)
        for known in near.order_by("word").values_list("word", flat=True)[:_MOST_COMPARED]
    }
    least = min(slips.values(), default=most + 1)
    if least > most:
        return group
    closest = [known for known, count in slips.items() if count == least][:_MOST_CORRECTIONS]
    return _group(group.term, dict.fromkeys(closest, _MISSPELT) | group.forms)


def _beginning(column: str, start: str) -> Q:
    """Return a condition for columns that begin with ``start``, which uses an index.

    SQLite has no index for ``LIKE`` with an escape, and the collation of other databases can ignore characters.
    """
    if connections[SearchWord.objects.db].vendor == "sqlite":
        return Q(**{f"{column}__gte": start, f"{column}__lt": start + "\U0010ffff"})
    return Q(**{f"{column}__startswith": start})
