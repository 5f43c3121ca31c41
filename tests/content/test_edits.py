"""Small edits of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content import edits
from blog_engine.content.edits import Addition, EditDoesNotApply, EditedTextTooLong, Replacement, TextEdit, edited
from blog_engine.enums import BodyFormat
from tests.requirements import requirement
from tests.support.costs import takes_at_most

BODY = "# Frost\n\nFrost is a word.\n\n## In the garden\n\nA garden needs frost, and frost needs a garden.\n"


def apply(*wanted: TextEdit, body: str = BODY) -> str:
    return edited(body, wanted, body_format=BodyFormat.MARKDOWN, most_bytes=10**6)


def fault_of(*wanted: TextEdit, body: str = BODY) -> str:
    with pytest.raises(EditDoesNotApply) as fault:
        apply(*wanted, body=body)
    return str(fault.value)


CRLF = BODY.replace("\n", "\r\n")
RAIN = "What it costs.\n\n## Notes\n\nWhat to remember when it rains.\n"
TWO_TOOLS = "## Tools\n\nA spade.\n\n## Tools\n\nA rake.\n"


@requirement("posts.edits", "posts.edits.exact", "posts.edits.forms")
@pytest.mark.parametrize(
    ("body", "wanted", "expected"),
    [
        (BODY, [Replacement("Frost is a word", "Snow is a word")], BODY.replace("Frost is a", "Snow is a")),
        (BODY, [Replacement("Frost is a word.\n\n", "")], BODY.replace("Frost is a word.\n\n", "")),
        (BODY, [Replacement("frost", "snow", 1)], BODY.replace("frost", "snow", 1)),
        (BODY, [Replacement("frost", "snow", 2)], BODY.replace("and frost", "and snow")),
        ("aaaaa", [Replacement("aa", "b", 2)], "aaba"),
        (CRLF, [Replacement("word.\n\n## In", "word.\n\n## By")], CRLF.replace("## In", "## By")),
        (
            BODY,
            [Replacement("Frost is", "Snow is"), Replacement("Snow is", "Ice is")],
            BODY.replace("Frost is", "Ice is"),
        ),
    ],
    ids=["once", "removed", "first", "second", "no overlap", "line ends", "after another"],
)
def test_a_passage_is_replaced(body: str, wanted: list[TextEdit], expected: str) -> None:
    assert apply(*wanted, body=body) == expected


@requirement("posts.edits.additions")
@pytest.mark.parametrize(
    ("body", "wanted", "expected"),
    [
        *((f"First.{end}", Addition("Second."), "First.\n\nSecond.\n") for end in ("", "\n", "\n\n\n")),
        ("", Addition("First."), "First.\n"),
        (BODY, Addition("Cold.", "In the garden"), BODY.replace("garden\n\nA", "garden\n\nCold.\n\nA")),
        (BODY, Addition("Cold.", "in-the-garden"), BODY.replace("garden\n\nA", "garden\n\nCold.\n\nA")),
        ("Text.\n\n## End", Addition("Cold.", "End"), "Text.\n\n## End\n\nCold.\n"),
        (TWO_TOOLS, Addition("New.", "tools-1"), TWO_TOOLS.replace("\n\nA rake", "\n\nNew.\n\nA rake")),
    ],
)
def test_added_text_is_a_paragraph_of_its_own(body: str, wanted: Addition, expected: str) -> None:
    assert apply(wanted, body=body) == expected


@requirement("posts.edits.exact", "posts.edits.hint", "posts.edits.additions")
@pytest.mark.parametrize(
    ("body", "wanted", "words"),
    [
        (BODY, Replacement("frost", "snow"), "occurrence from 1 to 2"),
        (BODY, Replacement("frost", "snow", 3), "2 times"),
        (
            BODY,
            Replacement("A garden needs snow, and frost needs", "x"),
            "The nearest passage is: A garden needs frost, and frost needs",
        ),
        *((BODY, Replacement(old, "x"), "The nearest passage is: ") for old in ("frostt", "needs fröst", "neds")),
        (BODY, Replacement("Quetzalcoatl!", "x"), "Nothing in the body is like it"),
        *(
            (RAIN, Replacement(old, "x"), "passage is: What to remember")
            for old in ("What too remember", "Waht to rember")
        ),
        ("你好世界", Replacement("你号世界", "x"), "The nearest passage is: "),
        ("One rope. Two ropes.", Replacement("rope", "x"), "Occurrence 1 (line 1): One rope. Two ropes.; 2 (line 1): "),
        ("One rope.\nTwo ropes.", Replacement("ope", "x"), "Occurrence 1 (line 1): One rope.; 2 (line 2): Two ropes."),
        ("a " * 500, Replacement("a", "x"), "; …"),
        (
            "frost needs a garden " * 12_000,
            Replacement("frost needs no garden", "x"),
            "The nearest passage is: frost needs a garden",
        ),
        (TWO_TOOLS, Addition("New.", "Tools"), "tools, tools-1"),
        (BODY, Addition("New.", "In the house"), "In the garden"),
        ("## Same\n" * 30, Addition("New.", "Same"), "same-18, same-19, …."),
    ],
    ids=lambda value: "" if isinstance(value, str) else repr(value),
)
def test_a_refusal_says_why_and_what_the_body_has(body: str, wanted: TextEdit, words: str) -> None:
    assert words in fault_of(wanted, body=body)


@requirement("posts.edits.hint")
def test_of_several_edits_the_refusal_names_the_one_that_does_not_apply() -> None:
    assert fault_of(Addition("End."), Replacement("Fog", "x")).startswith("Edit 2 of 2: ")


@requirement("posts.edits.exact")
@given(before=st.text(), old=st.text(min_size=1), after=st.text(), new=st.text())
def test_an_edit_changes_nothing_but_the_passage(before: str, old: str, after: str, new: str) -> None:
    body = f"{before}{old}{after}"
    if body.count(old) != 1 or "\r" in body + new:
        return

    assert apply(Replacement(old, new), body=body) == f"{before}{new}{after}"


@requirement("posts.edits.hint")
def test_the_nearest_passage_is_looked_for_when_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = list[str]()
    monkeypatch.setattr(edits, "nearest_passage", lambda text, old: searched.append(old) or "Near.")

    with pytest.raises(EditDoesNotApply) as fault:
        apply(Replacement("Fog", "x"))

    assert searched == []
    assert str(fault.value) == "old is not in the body. Near."


@requirement("posts.edits.size")
def test_a_text_is_never_longer_than_a_body_between_two_edits() -> None:
    longer, shorter = Replacement("Frost is", "é" * 200), Replacement("é" * 200, "")

    with pytest.raises(EditedTextTooLong):
        edited(BODY, [longer, shorter], body_format=BodyFormat.MARKDOWN, most_bytes=len(BODY) + 300)
    assert "Frost is" not in edited(BODY, [longer, shorter], body_format=BodyFormat.MARKDOWN, most_bytes=1_000)


@requirement("posts.edits.additions")
def test_text_is_not_added_below_a_heading_of_html() -> None:
    with pytest.raises(EditDoesNotApply, match="no place in its source"):
        edited("<h2>One</h2>", [Addition("x", "One")], body_format=BodyFormat.RICH_TEXT, most_bytes=1_000)


@requirement("posts.edits.hint")
@pytest.mark.parametrize("body", ["a garden needs frost " * 50_000, "aab " * 250_000, "!" * 10**6, "你好" * 500_000])
def test_looking_for_the_nearest_passage_ends(body: str) -> None:
    with takes_at_most(10):
        fault_of(Replacement("a garden needs no frosst 你号" * 20, "x"), body=body)
