"""Carrying changes over to a text that was changed meanwhile."""

import random

import pytest

from blog_engine.content.merging import CannotMerge, Overlap, merged_text
from tests.requirements import requirement

BASE = "One.\n\nTwo.\n\nThree."


@pytest.mark.parametrize(
    ("proposed", "present", "merged"),
    [
        ("One!\n\nTwo.\n\nThree.", "One.\n\nTwo.\n\nThree?", "One!\n\nTwo.\n\nThree?"),
        ("One.\n\nThree.", "Zero.\n\nOne.\n\nTwo.\n\nThree.", "Zero.\n\nOne.\n\nThree."),
        ("One!\n\nTwo.\n\nThree.", "One!\n\nTwo.\n\nThree?", "One!\n\nTwo.\n\nThree?"),
        ("One.\n\nNew.\n\nTwo.\n\nThree.", "One.\n\nTwo.\n\nThree!", "One.\n\nNew.\n\nTwo.\n\nThree!"),
        ("", BASE, ""),
    ],
)
def test_changes_of_other_lines_are_both_kept(proposed: str, present: str, merged: str) -> None:
    assert merged_text(BASE, proposed, present) == merged


def test_changes_of_the_same_line_cannot_be_merged() -> None:
    with pytest.raises(CannotMerge) as fault:
        merged_text("One.\nTwo.\nThree.", "One!\nTwo.\nThree!", "One?\nTwo.\nThree?")

    assert fault.value.overlaps == [
        Overlap(base="One.\n", present="One?\n", proposed="One!\n"),
        Overlap(base="Three.", present="Three?", proposed="Three!"),
    ]


def test_a_side_that_changed_nothing_gives_the_other_and_sides_can_be_exchanged() -> None:
    chance = random.Random(7)  # noqa: S311  # nothing secret

    def text() -> str:
        return "\n".join(chance.choice("abc") for _ in range(chance.randrange(7)))

    def result(base: str, one: str, other: str) -> str | None:
        try:
            return merged_text(base, one, other)
        except CannotMerge:
            return None

    for _ in range(500):
        base, one, other = text(), text(), text()

        assert merged_text(base, one, base) == merged_text(base, base, one) == merged_text(base, one, one) == one
        assert result(base, one, other) == result(base, other, one)


@requirement("proposals.conflict")
def test_the_first_hundred_passages_in_conflict_are_named() -> None:
    base = "".join(f"Line {number}.\nKept {number}.\n" for number in range(150))

    with pytest.raises(CannotMerge) as conflict:
        merged_text(base, base.replace("Line", "One"), base.replace("Line", "Two"))

    overlaps = conflict.value.overlaps
    assert (len(overlaps), overlaps[0].proposed, overlaps[-1].proposed) == (100, "One 0.\n", "One 99.\n")


def test_lines_in_two_orders_count_as_changed() -> None:
    lines = [f"{number % 50}\n" for number in range(3_000)]
    other = lines[1_500:] + lines[:1_500]

    assert merged_text("".join(lines), "".join(other), "".join(lines)) == "".join(other)
