"""The indexed words that a search finds: spellings, inflections, compounds and unfinished words."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from django.db import connections
from django.db.models import IntegerField, Q, QuerySet, Subquery
from django.db.models.functions import Length

from blog_engine.content.search_query import SearchQuery, Term, most_slips, slips_between
from blog_engine.content.search_text import is_spaceless, pairs_of, stem, word_key
from blog_engine.models import SearchEntry, SearchWord
from blog_engine.queries.compiled import CompiledValues, Parameter, among

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
MOST_ENTRIES: Final = 20_000
"""A word in more entries is common: only its own forms are searched, and it does not select posts alone."""


@dataclass(frozen=True, slots=True)
class WordGroup:
    """The indexed forms of one word of a query."""

    term: Term
    forms: dict[str, int]
    """How well each form fits."""
    size: int
    """The number of their entries, exact up to ``MOST_ENTRIES``."""

    def keys(self) -> dict[int, list[int]]:
        """Return the keys of the forms by how well they fit."""
        by_fit: dict[int, list[int]] = {}
        for form, fit in self.forms.items():
            by_fit.setdefault(fit, []).append(word_key(form))
        return by_fit


def word_groups(query: SearchQuery) -> list[WordGroup]:
    """Return the forms of each word of a query; two queries for each word."""
    groups: list[WordGroup] = []
    for term in query.terms:
        if is_spaceless(term.word) and len(term.word) > 1:
            groups += [_group(Term(pair, is_exact=True), {pair: _EXACT}) for pair in pairs_of(term.word)]
        else:
            groups.append(_group(term, {term.word: _EXACT} if term.is_exact else _forms(term)))
    return groups


def _group(term: Term, forms: dict[str, int]) -> WordGroup:
    """Return the group of these forms, of a common word only its own."""
    group = WordGroup(term, forms, _size(forms))
    if group.size > MOST_ENTRIES:
        own = {form: fit for form, fit in forms.items() if fit >= _INFLECTED}
        if own.keys() != forms.keys() and (size := _size(own)):
            return WordGroup(term, own, size)
    return group


def _size(forms: Iterable[str]) -> int:
    keys = sorted(map(word_key, forms))
    return (_SIZE.first(keys=keys, one=keys[0]) or 0) if keys else 0


class _NumberOf(Subquery):
    template = "(SELECT COUNT(*) FROM (%(subquery)s) counted)"


def _counted() -> QuerySet[Any]:
    """Return the query for the number of entries of words, in a single row: all of them are in the index, or none."""
    entries = SearchEntry.objects.filter(among("word", "keys")).values("word")[: MOST_ENTRIES + 1]
    return SearchWord.objects.filter(pk=Parameter("one")).values_list(_NumberOf(entries, output_field=IntegerField()))


_SIZE: Final = CompiledValues(_counted, int)


def _forms(term: Term) -> dict[str, int]:
    """Return the indexed words that match a word of a query; one query."""
    word, root = term.word, stem(term.word)
    begins = term.is_last and (len(word) >= _SHORTEST_PREFIX or is_spaceless(word))
    is_part = len(root) >= _SHORTEST_PART
    known = _indexed_words(begins or is_part, is_part).all(
        word=word, root=root, **_bounds("word", word), **_bounds("tail", root[::-1])
    )
    fits = {one.word: _fit(one, term, root) for one in known}
    return {form: fit for form, fit in fits.items() if fit}


class _IndexedWord(NamedTuple):
    word: str
    stem: str


@cache
def _indexed_words(begins: bool, is_part: bool) -> CompiledValues[_IndexedWord]:
    """Return the query for words with the same stem, or that begin as a word, or that end with it."""

    def words() -> QuerySet[Any]:
        wanted = Q(word=Parameter("word")) | Q(stem=Parameter("root"))
        if begins:
            wanted |= _beginning("word", Parameter("word_start"), Parameter("word_after"))
        if is_part:
            wanted |= _beginning("tail", Parameter("tail_start"), Parameter("tail_after"))
        known = SearchWord.objects.filter(wanted).order_by(Length("word"), "word")
        return known.values_list("word", "stem")[:_MOST_FORMS]

    return CompiledValues(words, _IndexedWord)


def _bounds(column: str, start: str) -> dict[str, str]:
    return {f"{column}_start": start, f"{column}_after": _after(start)}


def _fit(known: _IndexedWord, term: Term, root: str) -> int:
    if known.word == term.word:
        return _EXACT
    if known.stem == root:
        return _INFLECTED
    if term.is_last and known.word.startswith(term.word):
        return _UNFINISHED
    is_part = len(known.stem) >= len(root) + _LEAST_BESIDE_PART
    return _COMPOUND if is_part else 0


def corrected_group(group: WordGroup) -> WordGroup:
    """Return the group with the most similar indexed words, unless it matches."""
    word, most = group.term.word, most_slips(group.term.word)
    if not most or group.term.is_exact or _EXACT in group.forms.values():
        return group
    start, end = word[: len(word) // 2 - 1 or 1], stem(word)[::-1][: (len(word) - 1) // 2 - 1 or 1]
    alike = SearchWord.objects.filter(_beginning("word", start, _after(start)) | _beginning("tail", end, _after(end)))
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


def _beginning(column: str, start: str | Parameter, after: str | Parameter) -> Q:
    """Return a condition for columns that begin with ``start``, which uses an index.

    SQLite has no index for ``LIKE`` with an escape, and the collation of other databases can ignore characters.
    """
    if connections[SearchWord.objects.db].vendor == "sqlite":
        return Q(**{f"{column}__gte": start, f"{column}__lt": after})
    return Q(**{f"{column}__startswith": start})


def _after(start: str) -> str:
    """Return what is greater than every text that begins with ``start``."""
    return start + "\U0010ffff"
