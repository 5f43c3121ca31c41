"""The unified diff of two texts: any program that applies such diffs makes the new text of the old one."""

import re
from collections import deque

from hypothesis import example, given, settings
from hypothesis import strategies as st

from blog_engine.content.unified_diff import unified_diff
from tests.content.test_differences import each_hostile_pair

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
