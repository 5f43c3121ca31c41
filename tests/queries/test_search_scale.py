"""Searches of many posts: what is read, and that each way to read it finds the same."""

from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.search.corpus import queries, texts
from blog_engine.models import Post
from blog_engine.models.reading import reading_a_page
from blog_engine.queries import _search_words, search
from blog_engine.queries.search import SearchResult, matches, public_matches
from tests.requirements import requirement
from tests.support import factories
from tests.support.tables import undone

ASKED = ["-rust tea", '"the garden"', "the garden", "soil water", "to", "日本", "日本語の庭", "how do i", "zzzz soil"]


def save_posts(number: int = 60) -> None:
    for place, text in enumerate(texts()[:number]):
        when = factories.NOW + timedelta(minutes=place * 7 % 11)
        factories.save(**text._asdict(), publish=place % 9 != 0, now=when)
    factories.save(title="日本語の庭", body="日本の庭", publish=True)


@requirement("search.order")
@pytest.mark.django_db
@pytest.mark.heavy
def test_rare_and_common_words_are_found_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    save_posts()
    asked = [*ASKED, *(query.words for query in queries()[::4])]

    def results() -> list[SearchResult]:
        of_all = [matches(Post.objects.all(), words, then_by=["-created_at", "-id"]) for words in asked]
        return [*of_all, *map(public_matches, asked)]

    as_rare = results()
    monkeypatch.setattr(search, "FEW_ENTRIES", -1)
    as_common = results()
    # Some words are now more common than others.
    monkeypatch.setattr(_search_words, "_MANY", 4)
    as_mixed = results()

    assert as_rare == as_common == as_mixed
    assert sum(bool(result.ids) for result in as_rare) >= 25


@requirement("search.limit")
@pytest.mark.django_db
@pytest.mark.parametrize("words", ["tide", "tide quay", "tide -gull", "tide absent"])
@pytest.mark.parametrize("least", [-1, 4_000], ids=["by parts", "in one go"])
def test_a_search_finds_the_best_and_tells_that_there_are_more(
    words: str, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "FEW_ENTRIES", least)
    for number in range(4):
        factories.save(title=f"Post {number}", body="Tides, a tide at the quay", publish=True)
    best = factories.save(title="The tide and the quay", body="Tides", publish=True).post.pk
    all_of_them = public_matches(words)
    monkeypatch.setattr(search, "MOST_SHOWN", 3)

    cut = public_matches(words)

    assert (all_of_them.is_cut, cut.is_cut) == (False, True)
    assert all_of_them.ids[0] == best
    assert (len(all_of_them.ids), list(cut.ids)) == (5, list(all_of_them.ids[:3]))


@requirement("search.order")
@pytest.mark.django_db
@pytest.mark.parametrize("at_once", [(1, 2, 128), (8, 24, 128)])
def test_the_first_of_many_are_those_of_all(
    at_once: tuple[int, ...], monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    chance, words = Random("tides"), ("tide", "quay", "gulls")  # noqa: S311
    for number in range(60):
        title, description = (" ".join(chance.sample(words, chance.randint(0, some))) for some in (2, 3))
        body = f"The tide, the quay and {chance.choice(['a gull', 'gulls'])}"
        when = factories.NOW + timedelta(minutes=number * 7 % 31)
        factories.save(title=f"{title} {number}", description=description, body=body, publish=True, now=when)
    factories.save(title="The tide quay", body="The tide, the quay and gulls", publish=True)
    monkeypatch.setattr(search, "FEW_ENTRIES", -1)
    monkeypatch.setattr(_search_words, "_MANY", 4)
    monkeypatch.setattr(_search_words, "_PLANS_AT_ONCE", at_once)
    monkeypatch.setattr(search, "MOST_SHOWN", 10)

    for asked in ("tide", "gulls", "tide quay", "gulls quay tide", "quay gull", "tide ab", '"the quay"'):
        with subtests.test(words=asked), undone():
            whole = public_matches(asked, first=10)
            begun = {first: public_matches(asked, first=first) for first in (1, 2, 5)}

            assert {(one.total, one.is_cut, one.words) for one in begun.values()} == {
                (whole.total, whole.is_cut, whole.words)
            }
            assert [list(one.ids[:first]) for first, one in begun.items()] == [
                list(whole.ids[:first]) for first in begun
            ]
            if asked in {"tide", "gulls"}:
                assert [len(one.ids) for one in begun.values()] == [1, 2, 5]


@pytest.mark.django_db(transaction=True)
def test_who_turns_the_page_of_a_common_word_reads_it_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        factories.save(title=f"Garden {number}", publish=True)
    monkeypatch.setattr(search, "FEW_ENTRIES", -1)
    monkeypatch.setattr(_search_words, "_MANY", 4)
    monkeypatch.setattr(search, "MOST_SHOWN", 5)

    def read(first: int) -> tuple[int, int, int]:
        with reading_a_page(), CaptureQueriesContext(connection) as made:
            found = public_matches("garden", first=first)
        return len(found.ids), found.total, len([one for one in made if "search" in one["sql"]])

    assert [read(first)[:2] for first in (2, 4)] == [(2, 5), (5, 5)]
    assert [read(first) for first in (2, 5)] == [(5, 5, 0), (5, 5, 0)]


@pytest.mark.django_db
def test_a_search_takes_few_queries_for_any_number_of_words(subtests: pytest.Subtests) -> None:
    for place in range(3):
        factories.save(title=f"Garden water soil {place}", publish=True)

    # One of them is for the names of all records, which are kept while pages are read.
    for words, number in [("garden", 4), ("garden water", 5), ("garden water soil", 5)]:
        with subtests.test(words=words, number=number), undone():
            with CaptureQueriesContext(connection) as made:
                found = public_matches(words)

            assert (len(found.ids), len(made)) == (3, number)


@pytest.mark.django_db(transaction=True)
def test_a_page_keeps_results_until_the_content_changes() -> None:
    factories.save(title="Winter garden", publish=True)

    def read() -> tuple[list[int], int]:
        with reading_a_page(), CaptureQueriesContext(connection) as made:
            found = public_matches("garden")
        return list(found.ids), len([one for one in made if "search" in one["sql"]])

    first, again = read(), read()
    added = factories.save(title="Garden in spring", publish=True).post.pk
    later = read()

    assert again == (first[0], 0)
    assert (set(later[0]), later[1] > 0) == ({*first[0], added}, True)


@pytest.mark.django_db(transaction=True)
def test_the_kept_results_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    factories.save(title="Winter garden", publish=True)
    monkeypatch.setattr(search, "_MOST_KEPT", 2)

    with reading_a_page():
        for words in ("garden", "winter", "winter garden", "gardens"):
            public_matches(words)
        kept = search.remembered("searches", dict[str, SearchResult])

    assert set(kept) == {"winter garden", "gardens"}
