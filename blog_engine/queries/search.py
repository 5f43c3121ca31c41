"""Full-text search of posts for the API and readers, the same on every database."""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from math import log
from operator import or_
from typing import Any, Final, TypeAlias

from django.db.models import Case, F, IntegerField, Max, Q, QuerySet, Value, When

from blog_engine.content.search_query import SearchQuery, parse_query
from blog_engine.content.search_text import RANKS
from blog_engine.content.text import has_long_mark_run
from blog_engine.models import Post, SearchEntry
from blog_engine.models.search import NOT_LISTED
from blog_engine.queries._search_names import named_posts
from blog_engine.queries._search_words import (
    EXACT,
    FEW_ENTRIES,
    MOST_ENTRIES,
    MatchPlans,
    WordGroup,
    corrected_groups,
    with_sizes,
    word_groups,
)
from blog_engine.queries.compiled import CompiledTuples, CompiledValues, Parameter, among
from blog_engine.queries.ended import ended_ids
from blog_engine.queries.listings import STANDARD_ORDER, number_of_posts, public_posts
from blog_engine.queries.remembered import remembered

MOST_FOUND: Final = 10_000
"""The most results of a search of the API; posts that rank lower are not counted."""
MOST_SHOWN: Final = 1_000
"""The most results that readers can turn the pages of."""

_SHORTEST: Final = 2
_LONGEST: Final = 100
_COLUMNS: Final = ("indexed_title", "indexed_description", "indexed_faq", "indexed_body")

_MOST_KEPT: Final = 50
"""The results that one process keeps, of at most 1,000 ids each."""
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
    is_cut: bool = False
    """Whether more posts were found than readers are shown."""
    known: int = 0
    """The number of posts that readers are shown, if ``ids`` are only the first of them."""

    @property
    def total(self) -> int:
        """The number of posts that readers are shown."""
        return self.known or len(self.ids)


def is_searchable(words: str) -> bool:
    """Return whether a stripped search has 2 to 100 characters; others find nothing.

    More than 30 combining marks in a row make a text unsearchable.
    """
    return _SHORTEST <= len(words.strip()) <= _LONGEST and "\0" not in words and not has_long_mark_run(words)


def matches(posts: QuerySet[Post], words: str, *, then_by: Sequence[str]) -> SearchResult:
    """Return the posts with all these words, best first, then by ``then_by``; without any, in similar spellings."""
    return _matches(posts, words, then_by=then_by, extend=_with_named)


def matches_in_texts(posts: QuerySet[Post], words: str, *, then_by: Sequence[str]) -> SearchResult:
    """Return what ``matches`` does with one query less, without the names of records: the desk filters by these."""
    return _matches(posts, words, then_by=then_by, extend=_as_found)


def _matches(
    posts: QuerySet[Post], words: str, *, then_by: Sequence[str], extend: Callable[..., Sequence[int]]
) -> SearchResult:
    query = _read(words)
    groups = word_groups(query)
    found = _all_of(posts, query, groups, then_by=then_by)
    ids = extend(found.ids, posts, query, then_by=then_by, most=MOST_FOUND)
    corrected = groups if ids or not groups else corrected_groups(groups)
    if corrected == groups:
        return replace(found, ids=ids)
    return _all_of(posts, query, corrected, then_by=then_by)


def _as_found(ids: Sequence[int], *_: object, **__: object) -> Sequence[int]:
    return ids


def public_matches(words: str, *, first: int = MOST_SHOWN) -> SearchResult:
    """Return the published posts for these words, best first, then newest first.

    Posts with all words; without any, posts with all words in similar spellings; without any, posts with some words,
    which only the search page shows. The most queries that it takes depend only on the number of words. Of very many
    posts only the ``first`` ones can be returned, which takes a tenth of the time. While pages are read, the last
    results are kept until the content of the blog changes, so that further pages of a common word cost little.
    """
    if not is_searchable(words):
        return _public_matches(words, first=first)
    kept = remembered("searches", dict[str, SearchResult])
    found = kept.get(words)
    if found is None or len(found.ids) < min(first, found.total):
        # Who turns the page turns further ones.
        found = _public_matches(words, first=first if found is None else MOST_SHOWN)
        ended = ended_ids()
        found = replace(found, ids=[pk for pk in found.ids if pk not in ended]) if ended else found
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        # As numbers without objects, which would take five times as much.
        kept[words] = replace(found, ids=array("q", found.ids))
    return found


def _public_matches(words: str, *, first: int) -> SearchResult:
    query = _read(words)
    groups = word_groups(query)
    plans = _plans_of(query, groups)
    if plans and (begun := _first_of_many(query, groups, plans, first=first)):
        return SearchResult(begun[:MOST_SHOWN], _words(groups), is_cut=True, known=MOST_SHOWN)
    ids = _public_with_all(query, groups, plans)
    ids = _with_named(ids, public_posts(), query, then_by=STANDARD_ORDER, most=MOST_SHOWN)
    if ids or not groups:
        return _shown(ids, groups)
    corrected = corrected_groups(groups)
    if corrected != groups:
        ids = _public_with_all(query, corrected, _plans_of(query, corrected))
    if ids:
        return _shown(ids, corrected)
    return _public_with_any(query, corrected)


def _with_named(
    ids: Sequence[int], posts: QuerySet[Post], query: SearchQuery, *, then_by: Sequence[str], most: int
) -> Sequence[int]:
    """Return the ids, and after them those of the posts that have words in the names of their records instead.

    Of more than ``most`` ids, no others are looked for. At most five queries.
    """
    named = named_posts(query) if len(ids) <= most else None
    if named is None:
        return ids
    held, rest = named.among(posts), named.rest
    if rest.terms:
        others = _all_of(held, rest, word_groups(rest), then_by=then_by).ids
    else:
        shown = _with_phrases(held, rest, rest.phrases).order_by(*then_by)
        others = list(shown.values_list("pk", flat=True)[:MOST_FOUND])
    known = set(ids)
    return [*ids, *(pk for pk in others if pk not in known)]


def _plans_of(query: SearchQuery, groups: list[WordGroup]) -> MatchPlans | None:
    """Return the match plans for words of many posts; at most one query."""
    if not _can_match(groups) or _needs_texts(query) or sum(group.size for group in groups) <= FEW_ENTRIES:
        return None
    return MatchPlans.of(sorted(groups, key=lambda group: group.size))


def _first_of_many(query: SearchQuery, groups: list[WordGroup], plans: MatchPlans, *, first: int) -> Sequence[int]:
    """Return the best public posts, if more have all words than readers are shown; otherwise, and when in doubt, none.

    At most eight queries.
    """
    if first >= MOST_SHOWN or not plans.have_more_posts_than(MOST_SHOWN):
        return []
    scores = plans.first_posts(first)
    highest = _highest(groups)
    if _has_order(query) and all(score >= highest for score in scores.values()):
        # Others with the same score can have the words in order.
        scores = plans.first_posts(MOST_SHOWN + 1, least=highest)
    return _titled_first(query, groups, scores)


def _needs_texts(query: SearchQuery) -> bool:
    """Return whether the index alone does not say which posts match."""
    return bool(query.phrases or query.runs or query.excluded)


def _public_with_all(query: SearchQuery, groups: list[WordGroup], plans: MatchPlans | None) -> Sequence[int]:
    if not _can_match(groups):
        return []
    if _needs_texts(query):
        return _all_of(public_posts(), query, groups, then_by=STANDARD_ORDER).ids
    return _best_posts(query, groups, plans)


def _shown(ids: Sequence[int], groups: list[WordGroup], *, is_partial: bool = False) -> SearchResult:
    return SearchResult(ids[:MOST_SHOWN], _words(groups), is_partial=is_partial, is_cut=len(ids) > MOST_SHOWN)


def _can_match(groups: list[WordGroup]) -> bool:
    return bool(groups) and all(group.forms for group in groups)


def _best_posts(query: SearchQuery, groups: list[WordGroup], plans: MatchPlans | None) -> list[int]:
    """Return the best public posts with all words, one more than readers are shown; at most four queries.

    The index alone says which posts have the words. Unless these have many forms, it gives the posts of common words in
    the order of rank and date, so that only the first ones are read.
    """
    if plans and plans.are_few:
        scores = plans.first_posts(MOST_SHOWN + 1)
    else:
        keys = [group.keys() for group in sorted(groups, key=lambda group: group.size)]
        scores = dict(_having_all(_shape(keys), most_public=MOST_SHOWN + 1).all(**_sent(keys)))
    return _titled_first(query, groups, scores)


def _titled_first(query: SearchQuery, groups: list[WordGroup], scores: Mapping[int, int]) -> list[int]:
    """Return the posts with scores, first those with the words in order in the title; at most one query."""
    if not _has_order(query):
        return list(scores)
    highest = _highest(groups)
    titled = set(_TITLED.all(ids=[pk for pk, score in scores.items() if score >= highest], title=query.title))
    # Sorting is stable.
    return sorted(scores, key=lambda pk: pk not in titled)


def _highest(groups: list[WordGroup]) -> int:
    """Return the highest score: a title with all words in order has each of them as it is written."""
    return RANKS[0] * EXACT * len(groups)


_TITLED: Final = CompiledValues(
    lambda: Post.objects.filter(among("pk", "ids"), indexed_title__contains=Parameter("title")).values_list("pk"), int
)


def _read(words: str) -> SearchQuery:
    return parse_query(words if is_searchable(words) else "")


def _all_of(
    posts: QuerySet[Post], query: SearchQuery, groups: list[WordGroup], *, then_by: Sequence[str]
) -> SearchResult:
    if not _can_match(groups):
        return SearchResult()
    keys = [group.keys() for group in sorted(groups, key=lambda group: group.size)]
    scores = dict(_having_all(_shape(keys)).all(**_sent(keys)))
    ids = _ranked(posts, query, scores, phrases=[*query.phrases, *query.runs], then_by=then_by)
    return SearchResult(ids, _words(groups))


def _ranked(
    posts: QuerySet[Post],
    query: SearchQuery,
    scores: Mapping[int, int],
    *,
    phrases: Sequence[str],
    then_by: Sequence[str],
) -> list[int]:
    """Return the ids of those of the posts that have scores and the phrases, best first; at most one query.

    The index alone says which posts have the words, before any post is read. A join would read the dates of all posts
    of the blog.
    """
    if not scores:
        return []
    found = _with_phrases(posts.filter(among("pk", list(scores))), query, phrases)
    of_title = When(indexed_title__contains=query.title, then=_PHRASE_IN_TITLE)
    title: Any = Case(of_title, default=0) if _has_order(query) else Value(0)
    # Sorting is stable: posts with the same score stay in the order of ``then_by``.
    best = sorted(
        found.order_by(*then_by).values_list("pk", title), key=lambda row: scores[row[0]] + row[1], reverse=True
    )
    return [pk for pk, _ in best[:MOST_FOUND]]


def _with_phrases(posts: QuerySet[Post], query: SearchQuery, phrases: Iterable[str]) -> QuerySet[Post]:
    """Return those of the posts that have these phrases, and none that the query excludes."""
    for phrase in phrases:
        posts = posts.filter(_somewhere(phrase))
    for phrase in query.excluded:
        posts = posts.exclude(_somewhere(phrase))
    return posts


_Keys: TypeAlias = list[dict[int, list[int]]]
"""For each word of a query the keys of its forms by how well they fit. The rarest word is the first."""
_Shape: TypeAlias = tuple[tuple[int, ...], ...]
"""The same without the keys."""


def _shape(keys: _Keys) -> _Shape:
    return tuple(map(tuple, keys))


def _sent(keys: _Keys) -> dict[str, list[int]]:
    """Return the parameters of ``_having_all``."""
    sent = {f"keys_{number}_{fit}": some for number, by_fit in enumerate(keys) for fit, some in by_fit.items()}
    every = [key for some in sent.values() for key in some]
    return {"rarest": [key for some in keys[0].values() for key in some], "every": every, **sent}


@lru_cache(maxsize=128)
def _having_all(shape: _Shape, *, most_public: int | None = None) -> CompiledTuples[tuple[int, int]]:
    """Return the query for the posts in the index that have all words, and their scores.

    With ``most_public`` it gives so many public ones, best first.
    """
    scores = {
        f"score_{number}": _best((fit, among("word", f"keys_{number}_{fit}")) for fit in fits)
        for number, fits in enumerate(shape)
    }

    def entries() -> QuerySet[Any]:
        found = SearchEntry.objects.filter(among("word", "every"))
        if len(shape) > 1:
            found = found.filter(post__in=SearchEntry.objects.filter(among("word", "rarest")).values("post"))
        needed = [Q(**{f"{name}__gt": 0}) for name in scores]
        total = sum((F(name) for name in scores), start=Value(0))
        if most_public is None:
            return found.values("post").annotate(**scores).filter(*needed).values_list("post", total)
        listed = found.filter(listed__gt=NOT_LISTED).values("post", "listed").annotate(**scores).filter(*needed)
        best = listed.annotate(total=total).order_by("-total", "-listed", "-post")
        return best.values_list("post", "total")[:most_public]

    return CompiledTuples(entries)


def _public_with_any(query: SearchQuery, groups: list[WordGroup]) -> SearchResult:
    """Find public posts with any of the words and all quoted phrases; rare words count more."""
    known = with_sizes([group for group in groups if group.forms])
    groups = [group for group in known if group.size <= MOST_ENTRIES] or known
    if not groups:
        return SearchResult()
    ids = _ranked(public_posts(), query, _having_any(groups), phrases=query.phrases, then_by=STANDARD_ORDER)
    return _shown(ids, groups, is_partial=True)


def _having_any(groups: Sequence[WordGroup]) -> dict[int, int]:
    """Return the public posts in the index that have any of the words, and their scores; at most two queries."""
    total, scores, every = number_of_posts(), [], list[int]()
    for group in groups:
        rarity, keys = log(1 + total / (1 + group.size)), group.keys()
        weighted = ((round(fit * rarity), among("word", some)) for fit, some in keys.items())
        scores.append(_best(weighted, even=_EVEN))
        every += [key for some in keys.values() for key in some]
    entries = SearchEntry.objects.filter(among("word", every), listed__gt=NOT_LISTED).values("post")
    return dict(entries.annotate(total=sum(scores[1:], start=scores[0])).values_list("post", "total"))


def _has_order(query: SearchQuery) -> bool:
    """Return whether a title can have the words in order, of which there are several."""
    return len(query.terms) > 1 or bool(query.runs)


def _somewhere(phrase: str) -> Q:
    return reduce(or_, (Q(**{f"{column}__contains": phrase}) for column in _COLUMNS))


def _best(fits: Iterable[tuple[int, Any]], *, even: int = 0) -> Max:
    """Return the score of the best entry: its rank, times how well its word fits."""
    whens = [When(condition, then=(F("rank") + even) * fit) for fit, condition in fits]
    return Max(Case(*whens, default=0, output_field=IntegerField()))


def _words(groups: list[WordGroup]) -> frozenset[str]:
    return frozenset(form for group in groups for form in group.forms)
