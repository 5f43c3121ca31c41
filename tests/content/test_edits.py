"""Small edits of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content import edits
from blog_engine.content.edits import Addition, EditDoesNotApply, EditedTextTooLong, Replacement, TextEdit, edited
from blog_engine.enums import BodyFormat
from tests.requirements import requirement

BODY = "# Frost\n\nFrost is a word.\n\n## In the garden\n\nA garden needs frost, and frost needs a garden.\n"


def apply(*wanted: TextEdit, body: str = BODY) -> str:
    return edited(body, wanted, body_format=BodyFormat.MARKDOWN, most_bytes=10**6)


def fault_of(*wanted: TextEdit, body: str = BODY) -> str:
    with pytest.raises(EditDoesNotApply) as fault:
        apply(*wanted, body=body)
    return str(fault.value)


@requirement("posts.edits.exact")
def test_a_passage_that_is_there_once_is_replaced() -> None:
    assert apply(Replacement("Frost is a word", "Snow is a word")) == BODY.replace("Frost is a", "Snow is a")


@requirement("posts.edits.exact")
def test_a_passage_can_be_removed() -> None:
    assert apply(Replacement("Frost is a word.\n\n", "")) == BODY.replace("Frost is a word.\n\n", "")


@requirement("posts.edits.exact", "posts.edits.hint")
def test_a_passage_that_is_there_twice_is_refused_with_its_lines() -> None:
    assert "in line 7, 7" in fault_of(Replacement("frost", "snow"))


@requirement("posts.edits.forms")
@pytest.mark.parametrize(("occurrence", "expected"), [(1, "needs snow, and frost"), (2, "needs frost, and snow")])
def test_an_occurrence_is_counted_from_one(occurrence: int, expected: str) -> None:
    assert expected in apply(Replacement("frost", "snow", occurrence))


@requirement("posts.edits.exact")
def test_an_occurrence_that_is_not_there_is_refused() -> None:
    assert "2 times" in fault_of(Replacement("frost", "snow", 3))


@requirement("posts.edits.hint")
def test_a_refusal_shows_the_nearest_passage() -> None:
    fault = fault_of(Replacement("A garden needs snow, and frost needs", "x"))

    assert "The nearest passage is: A garden needs frost, and frost needs" in fault


@requirement("posts.edits.hint")
@pytest.mark.parametrize("old", ["frostt", "needs fröst", "neds"])
def test_a_misspelt_word_has_the_nearest_one(old: str) -> None:
    assert "The nearest passage is: " in fault_of(Replacement(old, "x"))


@requirement("posts.edits.hint")
def test_a_passage_without_any_likeness_has_none() -> None:
    assert "Nothing in the body is like it" in fault_of(Replacement("Quetzalcoatl!", "x"))


@requirement("posts.edits.hint")
def test_of_several_edits_the_refusal_names_the_one_that_does_not_apply() -> None:
    assert fault_of(Addition("End."), Replacement("Fog", "x")).startswith("Edit 2 of 2: ")


@requirement("posts.edits.exact")
def test_line_ends_are_those_of_the_body() -> None:
    body = BODY.replace("\n", "\r\n")

    assert apply(Replacement("word.\n\n## In", "word.\n\n## By"), body=body) == body.replace("## In", "## By")


@requirement("posts.edits")
def test_an_edit_applies_to_what_the_one_before_it_left() -> None:
    assert "Ice is a word" in apply(Replacement("Frost is", "Snow is"), Replacement("Snow is", "Ice is"))


@requirement("posts.edits.additions")
@pytest.mark.parametrize("body", ["First.", "First.\n", "First.\n\n\n"])
def test_appended_text_is_a_paragraph_of_its_own(body: str) -> None:
    assert apply(Addition("Second."), body=body) == "First.\n\nSecond.\n"


@requirement("posts.edits.additions")
def test_text_appended_to_an_empty_body_is_the_body() -> None:
    assert apply(Addition("First."), body="") == "First.\n"


@requirement("posts.edits.additions")
def test_text_is_added_below_a_heading() -> None:
    by_text = apply(Addition("Cold.", heading="In the garden"))

    assert by_text == BODY.replace("## In the garden\n", "## In the garden\n\nCold.\n")
    assert apply(Addition("Cold.", heading="in-the-garden")) == by_text


@requirement("posts.edits.additions")
def test_text_is_added_below_the_last_heading() -> None:
    assert apply(Addition("Cold.", heading="End"), body="Text.\n\n## End") == "Text.\n\n## End\n\nCold.\n"


@requirement("posts.edits.additions")
def test_a_heading_that_is_there_twice_is_named_by_its_id() -> None:
    body = "## Tools\n\nA spade.\n\n## Tools\n\nA rake.\n"

    assert "tools, tools-1" in fault_of(Addition("New.", heading="Tools"), body=body)
    assert apply(Addition("New.", heading="tools-1"), body=body).endswith("## Tools\n\nNew.\n\nA rake.\n")


@requirement("posts.edits.hint")
def test_an_unknown_heading_is_refused_with_the_known_ones() -> None:
    assert "In the garden" in fault_of(Addition("New.", heading="In the house"))


@requirement("posts.edits.exact")
@given(before=st.text(), old=st.text(min_size=1), after=st.text(), new=st.text())
def test_an_edit_changes_nothing_but_the_passage(before: str, old: str, after: str, new: str) -> None:
    body = f"{before}{old}{after}"
    if body.count(old) != 1 or "\r" in body + new:
        return

    assert apply(Replacement(old, new), body=body) == f"{before}{new}{after}"


@requirement("posts.edits.hint")
def test_a_long_text_is_searched_within_bounds() -> None:
    body = "frost needs a garden " * 12_000

    assert "The nearest passage is: frost needs a garden" in fault_of(
        Replacement("frost needs no garden", "x"), body=body
    )


@requirement("posts.edits.hint")
def test_the_nearest_passage_is_looked_for_when_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = list[str]()
    monkeypatch.setattr(edits, "_nearest_passage", lambda text, old: searched.append(old) or "Near.")

    with pytest.raises(EditDoesNotApply) as fault:
        apply(Replacement("Fog", "x"))

    assert searched == []
    assert str(fault.value) == "old is not in the body. Near."


@requirement("posts.edits.hint")
def test_a_refusal_names_twenty_headings_at_most() -> None:
    fault = fault_of(Addition("New.", heading="Same"), body="## Same\n" * 30)

    assert fault.endswith("same-18, same-19, ….")


@requirement("posts.edits.size")
def test_a_text_is_never_longer_than_a_body_between_two_edits() -> None:
    longer, shorter = Replacement("Frost is", "é" * 200), Replacement("é" * 200, "")

    with pytest.raises(EditedTextTooLong):
        edited(BODY, [longer, shorter], body_format=BodyFormat.MARKDOWN, most_bytes=len(BODY) + 300)
    assert "Frost is" not in edited(BODY, [longer, shorter], body_format=BodyFormat.MARKDOWN, most_bytes=1_000)


@requirement("posts.edits.forms")
def test_occurrences_do_not_overlap() -> None:
    assert apply(Replacement("aa", "b", 2), body="aaaaa") == "aaba"


@requirement("posts.edits.additions")
def test_text_is_not_added_below_a_heading_of_html() -> None:
    with pytest.raises(EditDoesNotApply, match="no place in its source"):
        edited("<h2>One</h2>", [Addition("x", "One")], body_format=BodyFormat.RICH_TEXT, most_bytes=1_000)
