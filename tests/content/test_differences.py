"""The difference between two texts, word by word, and as a diff from which any program makes the new text."""

import random
import re
from collections import deque

import pytest
from django.template.loader import render_to_string
from hypothesis import example, given, settings
from hypothesis import strategies as st

from blog_engine.content.differences import PieceKind, Steps, TextDifference, TextPiece, text_difference, unified_diff
from tests.requirements import requirement
from tests.support.costs import takes_at_most

SIZE = 256 * 1024


def pieces(difference: TextDifference) -> list[tuple[str, str]]:
    return [(piece.kind.value, piece.text) for piece in difference.pieces]


some_words = st.lists(st.sampled_from(["the", "ferry", "leaves", "at", "nine", ".", " ", " ", "\n", "\n\n", "\t"]))
texts = st.text(max_size=300) | some_words.map("".join)


@requirement("desk.differences")
@settings(deadline=None)
@given(old=texts, new=texts)
@example(old="", new="")
@example(old="a\n", new="a")
@example(old="\r\n\x0b\u2028", new="\r\x0b\n")
def test_what_is_kept_and_removed_is_the_old_text_and_what_is_kept_and_added_the_new_one(old: str, new: str) -> None:
    difference = text_difference(old, new)

    assert (difference.old, difference.new) == (old, new)
    assert difference.is_changed == (old != new)
    assert all(piece.text for piece in difference.pieces)
    assert difference == text_difference(old, new)


@requirement("desk.differences")
@settings(deadline=None)
@given(old=some_words.map("".join), new=some_words.map("".join), repeats=st.integers(20, 200))
def test_so_it_is_with_long_texts(old: str, new: str, repeats: int) -> None:
    long_old, long_new = old * repeats + new, old * (repeats // 2) + new + old * (repeats // 3)

    difference = text_difference(long_old, long_new)

    assert (difference.old, difference.new) == (long_old, long_new)


def test_words_that_changed_are_found_within_a_line() -> None:
    difference = text_difference("The ferry leaves at nine.\nIt is late.\n", "The ferry leaves at ten.\nIt is late.\n")

    assert pieces(difference) == [
        ("kept", "The ferry leaves at "),
        ("removed", "nine"),
        ("added", "ten"),
        ("kept", ".\nIt is late.\n"),
    ]


def test_a_new_paragraph_is_added_whole() -> None:
    difference = text_difference("One.\n\nThree.\n", "One.\n\nTwo.\n\nThree.\n")

    assert pieces(difference) == [("kept", "One.\n\n"), ("added", "Two.\n\n"), ("kept", "Three.\n")]


def test_changes_beside_each_other_are_read_as_one() -> None:
    difference = text_difference("It was quick and brown.", "It was slow and white.")

    assert pieces(difference) == [
        ("kept", "It was "),
        ("removed", "quick and brown"),
        ("added", "slow and white"),
        ("kept", "."),
    ]


def test_an_equal_passage_at_another_place_does_not_hide_a_small_change() -> None:
    row = "| --- | --- | --- |\n"
    old = f"| token | name | scope |\n{row}| a | b | c |\n\nThen:\n\n| who | when | what |\n{row}| d | e | f |\n"

    difference = text_difference(old, old.replace("token", "key"))

    assert [piece for piece in pieces(difference) if piece[0] != "kept"] == [("removed", "token"), ("added", "key")]


def test_long_unchanged_passages_are_folded_but_for_a_few_lines() -> None:
    lines = [f"Line {number}.\n" for number in range(100)]
    old, new = "".join(lines), "".join([*lines[:50], "New.\n", *lines[50:]])

    before, head, added, tail, after = text_difference(old, new).pieces

    assert before == TextPiece(PieceKind.KEPT, "".join(lines[:47]), is_folded=True)
    assert (head.text, tail.text) == ("".join(lines[47:50]), "".join(lines[50:53]))
    assert added == TextPiece(PieceKind.ADDED, "New.\n")
    assert after == TextPiece(PieceKind.KEPT, "".join(lines[53:]), is_folded=True)


def test_a_long_unchanged_line_is_folded_between_words() -> None:
    line = "word " * 1000

    folded, shown, *_ = text_difference(f"{line}old", f"{line}new").pieces

    assert folded.is_folded
    assert not shown.is_folded
    assert (folded.text[-1], shown.text[:4], len(shown.text)) == (" ", "word", 300)


def _random_text(words: list[str], seed: int) -> str:
    chooser = random.Random(seed)  # noqa: S311  # repeatable
    length = sum(map(len, words)) // len(words)
    return "".join(chooser.choices(words, k=SIZE // length))


def _numbered(end: str, *, first: str, modulus: int = SIZE) -> str:
    return "".join(f"{n % modulus:05d}{end}" if n % 2 == 0 else f"{first}{n}{end}" for n in range(40_000))


HOSTILE = {
    "identical lines": ("ab\n" * (SIZE // 3), "cd\nab\n" * (SIZE // 6)),
    "empty lines": ("\n" * SIZE, "\n" * (SIZE // 2) + "x" + "\n" * (SIZE // 2 - 1)),
    "all lines differ": (_numbered("\n", first="a"), "".join(f"b{number}\n" for number in range(40_000))),
    "every other line differs": (_numbered("\n", first="a"), _numbered("\n", first="b")),
    "lines that occur twice": (_numbered("\n", first="a", modulus=20_000), _numbered("\n", first="b", modulus=20_000)),
    "lines of few words": (_random_text(["a\n", "b\n", "c\n"], 1), _random_text(["a\n", "b\n", "c\n"], 2)),
    "reversed lines": (
        "".join(f"{number}\n" for number in range(40_000)),
        "".join(f"{number}\n" for number in reversed(range(40_000))),
    ),
    "one word": ("a" * SIZE, "a" * (SIZE - 1) + "b"),
    "one line of marks": (_random_text(["!", "?", "."], 1), _random_text(["!", "?", "."], 2)),
    "one line of few words": (_random_text(["a ", "b ", "c "], 1), _random_text(["a ", "b ", "c "], 2)),
    "one line, every other word": (_numbered(" ", first="a"), _numbered(" ", first="b")),
    "words that occur twice": (_numbered(" ", first="a", modulus=20_000), _numbered(" ", first="b", modulus=20_000)),
    "long lines of few words": (
        _random_text(["a "] * 200 + ["b "] * 100 + ["c\n"], 1),
        _random_text(["a "] * 200 + ["b "] * 100 + ["c\n"], 2),
    ),
    "white space": (" " * SIZE, "\t" * SIZE),
}


_SLOW = {
    *("all lines differ", "every other line differs", "lines that occur twice"),
    *("one line, every other word", "words that occur twice"),
}
each_hostile_pair = pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(*texts, id=name, marks=[pytest.mark.heavy] if name in _SLOW else [])
        for name, texts in HOSTILE.items()
    ],
)


@requirement("desk.differences")
@each_hostile_pair
@pytest.mark.heavy
def test_hostile_texts_take_no_longer_than_others(old: str, new: str) -> None:
    with takes_at_most(4):  # at most 0.7 s on an idle machine
        difference = text_difference(old, new)
    assert (difference.old, difference.new) == (old, new)
    assert len(difference.pieces) <= 10_000


def test_a_page_shows_a_difference_without_colours() -> None:
    page = render_to_string(
        "admin/blog_engine/_difference.html", {"difference": text_difference("<b> two  four", "<b> three  four")}
    )

    assert '<del><span class="difference-word">removed: </span>two</del>' in page
    assert '<ins><span class="difference-word">added: </span>three</ins>' in page
    assert "&lt;b&gt;" in page
    assert "style=" not in page


def test_a_page_shows_changes_of_white_space() -> None:
    page = render_to_string("admin/blog_engine/_difference.html", {"difference": text_difference("a\nb", "a\n\nb")})

    assert '<ins><span class="difference-word">added white space: </span>¶\n</ins>' in page


def test_a_page_says_that_nothing_differs() -> None:
    page = render_to_string("admin/blog_engine/_difference.html", {"difference": text_difference("a", "a")})

    assert "No difference." in page


def test_a_page_folds_long_passages() -> None:
    page = render_to_string(
        "admin/blog_engine/_difference.html", {"difference": text_difference("word\n" * 100, "word\n" * 100 + "new")}
    )

    assert "<details" in page
    assert "97 unchanged words" in page


def test_texts_of_a_page_share_the_steps_of_their_comparisons() -> None:
    # Without a word that is there once, which needs no steps.
    port, helm = "p" * 40, "h" * 40
    old, new = f"{port} {helm} {port} {port} {helm} {helm}", f"{port} {port} {helm} {helm} {port} {helm}"
    alone, steps = text_difference(old, new), Steps(100)

    shared = [text_difference(old, new, steps=steps) for _ in range(20)]

    assert shared[0] == alone
    assert len(shared[-1].pieces) < len(alone.pieces)
    assert (shared[-1].old, shared[-1].new) == (old, new)


HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
NO_END = "\\ No newline at end of file\n"


def lines_of(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def first_line(start: str, number: int) -> int:
    return int(start) - 1 if number else int(start)


def apply(difference: str, old: str) -> str:
    """Apply a diff as strictly as possible: positions, numbers and context must all be right."""
    source, target = lines_of(old), list[str]()
    read = 0
    lines = deque(lines_of(difference)[2:])
    while lines:
        match = HUNK.fullmatch(lines.popleft().rstrip("\n"))
        assert match
        old_start, olds, new_start, news = match[1], int(match[2] or 1), match[3], int(match[4] or 1)
        target += source[read : first_line(old_start, olds)]
        read = first_line(old_start, olds)
        assert len(target) == first_line(new_start, news)
        while olds or news:
            line = lines.popleft()
            sign, text = line[0], line[1:]
            if lines and lines[0] == NO_END:
                text = text.removesuffix("\n")
                lines.popleft()
            if sign in " -":
                assert source[read] == text
                read, olds = read + 1, olds - 1
            if sign in " +":
                target.append(text)
                news -= 1
    return "".join([*target, *source[read:]])


some_lines = st.lists(
    st.sampled_from(["a\n", "b\n", "c\n", "\n", "d\r\n", "\\\n", "-\n", "@@ -1 +1 @@\n"]), max_size=40
)
some_texts = st.builds(lambda lines, end: "".join(lines) + end, some_lines, st.sampled_from(["", "", "end"]))


@settings(deadline=None)
@given(old=some_texts | st.text(), new=some_texts | st.text())
@example(old="", new="a")
@example(old="a\n", new="a")
@example(old="a", new="")
@example(old="\x0b\u2028a\x85b", new="\x0b\u2028a\x85c")
def test_the_difference_makes_the_new_text_of_the_old_one(old: str, new: str) -> None:
    difference = unified_diff(old, new, old_name="old", new_name="new")

    if old == new:
        assert difference == ""
    else:
        assert difference.startswith("--- old\n+++ new\n@@ ")
        assert apply(difference, old) == new


@settings(deadline=None)
@given(st.lists(st.integers(0, 59), max_size=6), some_lines)
def test_changes_of_a_long_text_are_in_hunks_with_three_lines_of_context(places: list[int], added: list[str]) -> None:
    lines = [f"{number}\n" for number in range(60)]
    old = "".join(lines)
    for place in sorted(places, reverse=True):
        lines[place : place + 1] = added

    difference = unified_diff(old, "".join(lines), old_name="a", new_name="b")

    assert apply(difference, old) == "".join(lines)
    assert len([line for line in lines_of(difference)[2:] if line[0] == " "]) <= 6 * len(places)


def test_it_is_written_as_other_programs_write_it() -> None:
    old = "".join(f"{number}\n" for number in range(1, 31))
    new = old.replace("5\n6\n", "five\n6\n", 1).replace("13\n", "").replace("30\n", "30\nend")

    difference = unified_diff(old, new, old_name="public", new_name="draft")

    assert difference == (
        "--- public\n+++ draft\n"
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n"
        "@@ -10,7 +10,6 @@\n 10\n 11\n 12\n-13\n 14\n 15\n 16\n"
        "@@ -28,3 +27,4 @@\n 28\n 29\n 30\n+end\n\\ No newline at end of file\n"
    )


def test_changes_that_six_lines_separate_share_a_hunk() -> None:
    old = "".join(f"{number}\n" for number in range(20))
    near, far = (old.replace("5\n", "x\n", 1).replace(f"\n{n}\n", "\ny\n") for n in (12, 13))

    hunks = [unified_diff(old, new, old_name="a", new_name="b").count("\n@@ ") for new in (near, far)]

    assert hunks == [1, 2]


@each_hostile_pair
def test_hostile_texts_have_a_difference_that_can_be_applied(old: str, new: str) -> None:
    difference = unified_diff(old, new, old_name="a", new_name="b")

    assert apply(difference, old) == new
