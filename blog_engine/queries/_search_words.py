# ruff: noqa: S608 - the statements hold names and numbers of this package only
"""The indexed words that a search finds, such as inflections and unfinished words, and the first posts with them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, islice, product
from math import prod
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from django.db import connections
from django.db.models import IntegerField, Q, QuerySet, Value
from django.db.models.functions import Length

from blog_engine.content.search_query import SearchQuery, Term, most_slips, slips_between
from blog_engine.content.search_text import RANKS, is_spaceless, pairs_of, stem, word_key
from blog_engine.models import SearchEntry, SearchWord
from blog_engine.models.reading import database_of
from blog_engine.models.search import NOT_LISTED
from blog_engine.queries._search_names import SHORTEST_PREFIX
from blog_engine.queries.compiled import CompiledValues, Parameter, RowCount, among, fetched

EXACT: Final = 10
"""How well a word fits itself."""
_INFLECTED: Final = 8
_UNFINISHED: Final = 6
_MISSPELT: Final = 5
_COMPOUND: Final = 4

_SHORTEST_PART: Final = 4
_LEAST_BESIDE_PART: Final = 3
_MOST_FORMS: Final = 100
_MOST_LONGER: Final = 5
"""The words that are searched in place of the unfinished one, if they are in many posts."""
_MOST_CORRECTIONS: Final = 5
_MOST_COMPARED: Final = 3_000
MOST_ENTRIES: Final = 20_000
"""A word in more entries is common: only its own forms are searched, and it does not select posts alone."""

_TABLE: Final = SearchEntry._meta.db_table
FEW_ENTRIES: Final = 3_000
"""So many entries are read faster in one go than in parts."""
_MANY: Final = 1_000
"""So many posts are read faster in the order of the index than looked up one by one."""
_ALL: Final = 2**62
_MOST_APART: Final = 16
"""The most forms that are searched apart."""
_MOST_PLANS: Final = 128
"""The most match plans of one search: the database plans each in 0.1 ms."""
_PLANS_AT_ONCE: Final = (8, 24, _MOST_PLANS)
"""The match plans of each statement, until enough posts were found."""


@dataclass(frozen=True, slots=True)
class WordGroup:
    """The indexed forms of one word of a query."""

    term: Term
    forms: dict[str, int]
    """How well each form fits."""
    size: int
    """The number of their entries, exact up to ``FEW_ENTRIES``, and up to ``MOST_ENTRIES`` after ``with_sizes``."""

    def keys(self) -> dict[int, list[int]]:
        """Return the keys of the forms by how well they fit."""
        by_fit: dict[int, list[int]] = {}
        for form, fit in self.forms.items():
            by_fit.setdefault(fit, []).append(word_key(form))
        return by_fit


def word_groups(query: SearchQuery) -> list[WordGroup]:
    """Return the forms of each word of a query; two queries for all words together."""
    asked: list[tuple[Term, dict[str, int] | None]] = []
    for term in query.terms:
        if is_spaceless(term.word) and len(term.word) > 1:
            asked += [(Term(pair, is_exact=True), {pair: EXACT}) for pair in pairs_of(term.word)]
        else:
            asked.append((term, {term.word: EXACT} if term.is_exact else None))
    read = iter(_forms([term for term, forms in asked if forms is None]))
    return _groups([(term, next(read) if forms is None else forms) for term, forms in asked])


def _groups(forms: Sequence[tuple[Term, dict[str, int]]]) -> list[WordGroup]:
    """Return the groups of these forms, of a common word only the closest ones; one query."""
    closest = {place: less for place, (_, some) in enumerate(forms) if (less := _closest_forms(some)) != some}
    # Counting costs most for the words of most posts: it goes far only where it decides.
    counted = [(some, MOST_ENTRIES if place in closest else FEW_ENTRIES) for place, (_, some) in enumerate(forms)]
    sizes = _numbers_of_entries([*counted, *((less, FEW_ENTRIES) for less in closest.values())])
    groups = [WordGroup(term, some, size) for (term, some), size in zip(forms, sizes, strict=False)]
    for (place, less), size in zip(closest.items(), sizes[len(forms) :], strict=True):
        if groups[place].size > MOST_ENTRIES:
            groups[place] = WordGroup(groups[place].term, less, size)
    return groups


def with_sizes(groups: Sequence[WordGroup]) -> list[WordGroup]:
    """Return the groups with sizes that are exact up to ``MOST_ENTRIES``; one query."""
    sizes = _numbers_of_entries([(group.forms, MOST_ENTRIES) for group in groups])
    return [replace(group, size=size) for group, size in zip(groups, sizes, strict=True)]


def _closest_forms(forms: dict[str, int]) -> dict[str, int]:
    """Return a word and its inflections, or else the shortest words with it."""
    own = {form: fit for form, fit in forms.items() if fit >= _INFLECTED}
    return own or dict(islice(forms.items(), _MOST_LONGER))


def _numbers_of_entries(several: Sequence[tuple[Iterable[str], int]]) -> Sequence[int]:
    """Return how many entries each of several sets of words has, up to one more than its limit; one query."""
    keys = {f"keys_{place}": sorted(map(word_key, some)) for place, (some, _) in enumerate(several)}
    any_key = [key for some in keys.values() for key in some]
    none = [0] * len(several)
    limits = tuple(limit for _, limit in several)
    return (_sizes(limits).first(any_key=any_key, **keys) if any_key else None) or none


@lru_cache(maxsize=64)
def _sizes(limits: tuple[int, ...]) -> CompiledValues[tuple[int, ...]]:
    """Return the query for the numbers of entries of several groups: one row, or none if no word is indexed."""

    def counted(place: int, limit: int) -> RowCount:
        return RowCount(SearchEntry.objects.filter(among("word", f"keys_{place}")).values("word")[: limit + 1])

    numbers = [counted(place, limit) for place, limit in enumerate(limits)]
    one = SearchWord.objects.filter(among("pk", "any_key"))
    return CompiledValues(lambda: one.values_list(*numbers)[:1], lambda *columns: columns)


def _forms(terms: Sequence[Term]) -> list[dict[str, int]]:
    """Return for each word of a query the indexed words that match it, and how well; one query."""
    if not terms:
        return []
    roots = [stem(term.word) for term in terms]
    sent: dict[str, str] = {}
    for place, (term, root) in enumerate(zip(terms, roots, strict=True)):
        values = {"word": term.word, "root": root, **_bounds("word", term.word), **_bounds("tail", root[::-1])}
        sent |= {f"{name}_{place}": value for name, value in values.items()}
    found: list[dict[str, int]] = [{} for _ in terms]
    known = _indexed_words(tuple(map(_kind, terms, roots))).all(**sent)
    for place, word, root in sorted(known, key=lambda row: (len(row[1]), row[1])):
        if fit := _fit(word, root, terms[place], roots[place]):
            found[place][word] = fit
    return found


def _kind(term: Term, root: str) -> tuple[bool, bool]:
    """Return whether longer words match that begin as this one, and whether words match that end with it."""
    begins = term.is_last and (len(term.word) >= SHORTEST_PREFIX or is_spaceless(term.word))
    is_part = len(root) >= _SHORTEST_PART
    return begins or is_part, is_part


@lru_cache(maxsize=64)
def _indexed_words(kinds: tuple[tuple[bool, bool], ...]) -> CompiledValues[tuple[int, str, str]]:
    """Return the query for the words that match each of several words, with its place among them.

    They have the same stem, or, by the kind of the word, begin as it does, or end with it.
    """

    def matching(place: int, begins: bool, is_part: bool) -> QuerySet[Any]:
        wanted = Q(word=Parameter(f"word_{place}")) | Q(stem=Parameter(f"root_{place}"))
        if begins:
            wanted |= _beginning("word", Parameter(f"word_start_{place}"), Parameter(f"word_after_{place}"))
        if is_part:
            wanted |= _beginning("tail", Parameter(f"tail_start_{place}"), Parameter(f"tail_after_{place}"))
        found: QuerySet[SearchWord] = SearchWord.objects.filter(wanted).order_by(Length("word"), "word")
        return found[:_MOST_FORMS]

    def words() -> QuerySet[Any]:
        parts = [matching(place, *kind) for place, kind in enumerate(kinds)]
        if len(parts) > 1:
            # SQLite takes no limit in a part of a union.
            parts = [SearchWord.objects.filter(pk__in=part.values("pk")).order_by() for part in parts]
        columns = [part.annotate(place=Value(place, IntegerField())) for place, part in enumerate(parts)]
        first, *others = (part.values_list("place", "word", "stem") for part in columns)
        rows: QuerySet[Any] = first.union(*others, all=True).order_by() if others else first
        return rows

    return CompiledValues(words, lambda *columns: columns)


def _bounds(column: str, start: str) -> dict[str, str]:
    return {f"{column}_start": start, f"{column}_after": _after(start)}


def _fit(word: str, root: str, term: Term, root_of_term: str) -> int:
    if word == term.word:
        return EXACT
    if root == root_of_term:
        return _INFLECTED
    if term.is_last and word.startswith(term.word):
        return _UNFINISHED
    return _COMPOUND if len(root) >= len(root_of_term) + _LEAST_BESIDE_PART else 0


def corrected_groups(groups: list[WordGroup]) -> list[WordGroup]:
    """Return the groups with the most similar indexed words, where nothing matches; at most one query for each word."""
    corrected = [(group.term, _corrected(group)) for group in groups]
    if all(forms == group.forms for (_, forms), group in zip(corrected, groups, strict=True)):
        return groups
    return _groups(corrected)


def _corrected(group: WordGroup) -> dict[str, int]:
    word, most = group.term.word, most_slips(group.term.word)
    if not most or group.term.is_exact or EXACT in group.forms.values():
        return group.forms
    start, end = word[: len(word) // 2 - 1 or 1], stem(word)[::-1][: (len(word) - 1) // 2 - 1 or 1]
    alike = SearchWord.objects.filter(_beginning("word", start, _after(start)) | _beginning("tail", end, _after(end)))
    near = alike.alias(length=Length("word")).filter(length__gte=len(word) - most, length__lte=len(word) + most)
    slips = {
        known: slips_between(word, known, most=most)
        for known in near.order_by("word").values_list("word", flat=True)[:_MOST_COMPARED]
    }
    least = min(slips.values(), default=most + 1)
    if least > most:
        return group.forms
    closest = [known for known, count in slips.items() if count == least][:_MOST_CORRECTIONS]
    return dict.fromkeys(closest, _MISSPELT) | group.forms


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


class _Entries(NamedTuple):
    """The entries of a form in one rank, how many public posts have it there, and their score."""

    key: int
    rank: int
    score: int
    number: int
    """Exact below ``_MANY``."""


_MatchPlan: TypeAlias = tuple[_Entries, ...]
"""One form in one rank of each word of a query."""


class MatchPlans:
    """The ways in which public posts can have a form of each word, best first; one query.

    A match plan takes one form in one rank of each word. For each plan the index gives the posts by date.
    """

    def __init__(self, groups: Sequence[WordGroup], entries: Sequence[Sequence[_Entries]]) -> None:
        self._plans = sorted(product(*entries), key=_score, reverse=True)
        # A post can have several forms of each word.
        self._times = prod(len(group.forms) for group in groups)

    @classmethod
    def of(cls, groups: Sequence[WordGroup]) -> "MatchPlans | None":
        """Return the plans; ``None`` for words with so many forms that planning the statement would take longer."""
        if sum(len(group.forms) for group in groups) > _MOST_APART:
            return None
        entries = _entries_of(groups)
        return cls(groups, entries) if prod(map(len, entries)) <= _MOST_PLANS else None

    def have_more_posts_than(self, most: int) -> bool:
        """Return whether one plan alone has more posts, of words that are all frequent; at most one query."""
        # The last rank has most entries.
        frequent = max(self._plans, key=lambda plan: [(one.number, -one.rank) for one in plan], default=())
        if not frequent or any(entries.number < _MANY for entries in frequent):
            return False
        return len(_rows(_newest([frequent], most=most + 1, place=0))) > most

    def first_posts(self, most: int, *, least: int = 0) -> dict[int, int]:
        """Return the best public posts, best first, with their scores, none of which is less than ``least``.

        The plans are tried from the best one on, and the database stops at ``most`` posts. Three queries or less.
        """
        ordered = groupby((plan for plan in self._plans if _score(plan) >= least), key=_score)
        waiting: list[tuple[int, list[_MatchPlan]]] = []
        found: dict[int, int] = {}
        for number in _PLANS_AT_ONCE:
            while sum(len(alike) for _, alike in waiting) < number and (following := next(ordered, None)):
                waiting.append((following[0], list(following[1])))
            if not waiting or len(found) >= most:
                break
            parts = [_newest(alike, most=most, place=place) for place, (_, alike) in enumerate(waiting)]
            limit = most * self._times if number == _MOST_PLANS else most
            rows = sorted(_rows(f"{' UNION ALL '.join(parts)} LIMIT {limit}"), key=itemgetter(0))
            for place, post_id in rows:
                found.setdefault(post_id, waiting[place][0])
            # If a post came several times, other ones of the last part were left out.
            waiting = waiting[rows[-1][0] :] if len(rows) == limit else []
        return dict(islice(found.items(), most))


def _entries_of(groups: Sequence[WordGroup]) -> list[list[_Entries]]:
    """Return for each word the forms and ranks that public posts have; one query."""
    wanted = [
        (place, key, rank, rank * fit)
        for place, group in enumerate(groups)
        for fit, keys in group.keys().items()
        for key in keys
        for rank in RANKS
    ]
    counts = (
        f"(SELECT COUNT(*) FROM (SELECT 1 FROM {_TABLE} WHERE word = {key} AND rank = {rank} "
        f"AND listed > {NOT_LISTED} LIMIT {_MANY}) counted)"
        for _, key, rank, _ in wanted
    )
    [numbers] = _rows(f"SELECT {', '.join(counts)}")
    found: list[list[_Entries]] = [[] for _ in groups]
    for (place, key, rank, score), number in zip(wanted, numbers, strict=True):
        if number:
            found[place].append(_Entries(key, rank, score, number))
    return found


def _rows(statement: str) -> list[tuple[int, ...]]:
    return fetched(connections[database_of(SearchEntry)], statement)


def _score(plan: _MatchPlan) -> int:
    return sum(entries.score for entries in plan)


def _newest(plans: Sequence[_MatchPlan], *, most: int, place: int) -> str:
    """Return the SQL of ``place`` and post for the public posts that match one of these plans.

    It has the numbers themselves, so that the database plans each search for its own words.
    """
    found = [f"SELECT * FROM ({_match_sql(plan, most=most)}) plan_{number}" for number, plan in enumerate(plans)]
    return (
        f"SELECT * FROM (SELECT {place} AS place, post_id FROM ({' UNION ALL '.join(found)}) plans "
        f"ORDER BY listed DESC, post_id DESC) part_{place}"
    )


def _match_sql(plan: _MatchPlan, *, most: int) -> str:
    """Return the SQL of date and post for the newest public posts that match a plan."""
    first, *others = sorted(plan, key=lambda entries: entries.number)
    tables, conditions = f"({_sorted(first)}) e0", []
    for at, entries in enumerate(others, start=1):
        if first.number < _MANY <= entries.number or connections[database_of(SearchEntry)].vendor == "sqlite":
            # One by one: PostgreSQL makes no join of a subquery with an offset, and SQLite joins no other way.
            conditions.append(
                f"EXISTS (SELECT 1 FROM {_TABLE} other WHERE word = {entries.key} AND rank = {entries.rank} "
                f"AND other.listed = e0.listed AND other.post_id = e0.post_id LIMIT 1 OFFSET 0)"
            )
        else:
            # Both in order: PostgreSQL cannot look anything up in a subquery with an offset.
            tables += f" JOIN ({_sorted(entries)}) e{at} ON e{at}.listed = e0.listed AND e{at}.post_id = e0.post_id"
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT e0.listed, e0.post_id FROM {tables}{where} ORDER BY e0.listed DESC, e0.post_id DESC LIMIT {most}"


def _sorted(entries: _Entries) -> str:
    return (
        f"SELECT listed, post_id FROM {_TABLE} WHERE word = {entries.key} AND rank = {entries.rank} "
        f"AND listed > {NOT_LISTED} ORDER BY listed DESC, post_id DESC LIMIT {_ALL} OFFSET 0"
    )
