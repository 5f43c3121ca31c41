"""Words, stems, spellings and snippets of the search."""

from itertools import pairwise

import pytest

from blog_engine.content.search_query import LENGTH, MOST_TERMS, Piece, most_slips, parse_query, slips_between, snippet
from blog_engine.content.search_text import MOST_WORDS, Searched, folded_words, ranked_words, stem, word_key
from tests.requirements import requirement


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        (" .,;-_!? ", ""),
        ("Well-known: foo_bar, a.b", " well known foo bar a b "),
        ("C++ und C#, F# 5#6", " c++ und c# f# 5 6 "),
        ("Djangoの設定2", " django の設定 2 "),
        ("soft\u00adware zero\u200bwidth un\u2060break", " software zerowidth unbreak "),
        (
            "non\u2011breaking \u0645\u06cc\u200c\u062e\u0648 \ufeffstart\ufe0f",
            " non breaking \u0645\u06cc\u062e\u0648 start ",
        ),
        ("x" * 50, f" {'x' * 40} "),
        ("l\u2019été qu'il d'accord rock'n'roll", " ete il accord rocknroll "),
    ],
)
def test_words_are_folded_and_bordered(text: str, expected: str) -> None:
    assert folded_words(text) == expected


@pytest.mark.parametrize(
    ("query", "words", "excluded"),
    [
        ("-Wall", ["wall"], []),
        ("--no-verify", ["no", "verify"], []),
        ("git --no-verify", ["git", "no", "verify"], []),
        ("-Wall -Werror", ["wall", "werror"], []),
        ("--flag -draft", ["flag"], [" draft "]),
        ("tide -moon", ["tide"], [" moon "]),
        ('-"full moon"', ["full", "moon"], []),
        ("- tide", ["tide"], []),
    ],
)
def test_a_query_of_exclusions_only_is_searched_as_words(query: str, words: list[str], excluded: list[str]) -> None:
    parsed = parse_query(query)

    assert [term.word for term in parsed.terms] == words
    assert list(parsed.excluded) == excluded


def test_a_word_counts_for_the_best_text_that_has_it() -> None:
    texts = Searched(" tide table ", " tide log ", " log quay ", " tide quay 検索機 wind ")

    assert ranked_words(texts) == {
        **{"tide": 8, "table": 8, "log": 4, "quay": 2, "検索": 1, "索機": 1, "wind": 1},
    }


def test_a_post_has_at_most_5000_words() -> None:
    words = " ".join(f"w{number}" for number in range(2 * MOST_WORDS))

    assert len(ranked_words(Searched(" title ", "", "", words))) == MOST_WORDS


def test_keys_fit_into_the_database_and_differ() -> None:
    keys = [word_key(f"w{number}") for number in range(1000)]

    assert len(set(keys)) == 1000
    assert all(0 <= key < 2**63 for key in keys)


@pytest.mark.parametrize(
    "family",
    [
        "bake bakes baking baked",
        "run runs running runner",
        "berry berries",
        "study studies studying studied",
        "migrate migration migrations migrating",
        "haus hauser hauses hausern",
        "wohnung wohnungen",
        "pilz pilze pilzen",
        "recette recettes",
        "cheval chevaux",
        "القهوه قهوه والقهوه بالقهوه",
        "книга книги книгу книгами",
    ],
)
def test_forms_of_a_word_share_a_stem(family: str) -> None:
    assert len({stem(form) for form in family.split()}) == 1


@pytest.mark.parametrize("words", ["speed spend", "string strung", "bus bed", "http2 http3", "検索 検討", "seed see"])
def test_other_words_have_other_stems(words: str) -> None:
    one, other = words.split()

    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [("tide", "tide", 0), ("tide", "tied", 1), ("tide", "tid", 1), ("tide", "stride", 2), ("kitten", "sitting", 3)],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert slips_between(one, other, most=3) == slips_between(other, one, most=3) == slips
    assert slips_between(one, other, most=1) == min(slips, 2)


def test_longer_words_may_have_more_slips() -> None:
    counts = [most_slips("x" * length) for length in range(1, 12)]

    assert counts[0] == 0
    assert counts[-1] == 2
    assert all(one <= other for one, other in pairwise(counts))


@requirement("search.term-count")
def test_a_query_has_a_bounded_number_of_words() -> None:
    assert len(parse_query(" ".join(f"w{number}" for number in range(50))).terms) == MOST_TERMS


@requirement("search.function-words")
@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("how do I bake bread?", ["bake", "bread"]),
        ("who is it", ["who", "is", "it"]),
        ("Wie werde ich Schnecken los", ["werde", "schnecken"]),
        ('"how to" bake', ["how", "to", "bake"]),
    ],
)
def test_function_words_are_searched_only_alone_or_quoted(text: str, asked: list[str]) -> None:
    assert [term.word for term in parse_query(text).terms] == asked


def shown(pieces: tuple[Piece, ...]) -> str:
    return "".join(f"[{text}]" if is_hit else text for text, is_hit in pieces)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("The tide, the Tides and TÍDE's", {"tide", "tides"}, "The [tide], the [Tides] and [TÍDE's]"),
        ("No hit", {"tide"}, ""),
        ("", {"tide"}, ""),
        ("検索機能の話", {"検索", "索機"}, "[検索機]能の話"),
        ("<b>tide</b> & more", {"tide"}, "<b>[tide]</b> & more"),
        ("Learn C++ now", {"c++"}, "Learn [C++] now"),
    ],
)
def test_a_passage_marks_the_words(text: str, words: set[str], expected: str) -> None:
    assert shown(snippet(text, frozenset(words | {"tides", "tide's"} & words))) == expected


def test_a_passage_is_cut_between_words_around_most_of_them() -> None:
    text = "tide " + "before " * 100 + "the tide and the quay " + "after " * 100

    passage = shown(snippet(text, frozenset({"tide", "quay"})))

    assert passage.startswith("…before before")
    assert "the [tide] and the [quay] after" in passage
    assert passage.endswith("after…")
    assert len(passage) < LENGTH + 20
