"""Exact proposals for bodies with an FAQ, and the rules of extraction."""

import hashlib
from typing import Any

import pytest

from blog_engine.content.faq import FaqPair
from blog_engine.content.faq_extraction import FaqExtraction, propose_faq
from blog_engine.enums import FaqClass, FaqReason
from tests.requirements import requirement

BOATS = (
    "# Boats\n\nKeep a rope.  \n\n## FAQ\n\n### Do boats float?\nUsually they do.\n\n### Which rope?\nThe dry one.\n"
)
SAILS = (
    "Été à bord ⛵.  \n\n## Common questions on sails\n\n#### How many sails?\nTwo or three.\n\n## After\n\nStay.  \n"
)
KNOTS = "Hello.\n\n### Q&A on knots\n\n**Is it tight?** Yes, very.\n\n**Who ties it?**\nThe mate does.\n"
LATE = "Start ⚓.\n\n## Is it late?\nNot yet.\n\n## Keep me\n\nAs it is.  \n\n## Is it far?\nVery.\n\n## End\n\nBye."
FENCED = "# Boats\n\n```\n## FAQ\n\n### Set?\nYes.\n```\n"
LAMPS = "## FAQ at night\n\n### Are lamps lit?\nYes.\n"


def proposed(
    pairs: dict[str, str] | list[tuple[str, str]],
    cut: list[tuple[int, int]],
    body_after: str,
    verdict: str,
    *reasons: str,
    leftover: tuple[str, ...] = (),
) -> tuple[Any, ...]:
    items = pairs.items() if isinstance(pairs, dict) else pairs
    return ([FaqPair(*item) for item in items], cut, body_after, leftover, verdict, list(reasons))


CASES: dict[str, tuple[str, tuple[str, ...], tuple[Any, ...]]] = {
    "no FAQ": (
        "# Boats\n\nOur FAQ lives elsewhere.\n",
        (),
        proposed({}, [], "# Boats\n\nOur FAQ lives elsewhere.\n", "none"),
    ),
    "level 3": (
        BOATS,
        (),
        proposed(
            {"Do boats float?": "Usually they do.", "Which rope?": "The dry one."},
            [(25, 100)],
            "# Boats\n\nKeep a rope.\n",
            "clean",
        ),
    ),
    "level 4, in the middle, several bytes a letter": (
        SAILS,
        (),
        proposed({"How many sails?": "Two or three."}, [(22, 88)], "Été à bord ⛵.\n\n## After\n\nStay.  \n", "clean"),
    ),
    "bold": (
        KNOTS,
        (),
        proposed({"Is it tight?": "Yes, very.", "Who ties it?": "The mate does."}, [(8, 87)], "Hello.\n", "clean"),
    ),
    "an answer of several lines": (
        "## FAQ\n\n### Where is the dock?\nPast the mill.\nTurn left.\n\nThen stop.\n",
        (),
        proposed({"Where is the dock?": "Past the mill.\nTurn left.\n\nThen stop."}, [(0, 69)], "", "clean"),
    ),
    "text before the first question": (
        "## Frequently asked questions\n\nCollected in May.\n\n### Is tar safe?\nYes.\n",
        (),
        proposed({"Is tar safe?": "Yes."}, [(0, 72)], "", "review", "leftover_text", leftover=("Collected in May.",)),
    ),
    "a question that does not ask": (
        "## FAQ\n\n### Rope length\nTen metres.\n",
        (),
        proposed({"Rope length": "Ten metres."}, [(0, 36)], "", "review", "question_without_question_mark"),
    ),
    "the same question twice": (
        "## FAQ\n\n### Is it wet?\nYes.\n\n### is it wet?\nStill.\n",
        (),
        proposed([("Is it wet?", "Yes."), ("is it wet?", "Still.")], [(0, 51)], "", "review", "duplicate_question"),
    ),
    "a heading in an answer": (
        "## FAQ\n\n#### How to row?\nFace back.\n\n##### More\nPull hard.\n",
        (),
        proposed(
            {"How to row?": "Face back.\nMore\nPull hard."},
            [(0, 59)],
            "",
            "review",
            "heading_in_answer",
            "markdown_in_answer",
        ),
    ),
    "two FAQ headings": (
        f"## FAQ\n\n### Is fog bad?\nYes.\n\n{LAMPS}",
        (),
        proposed({"Is fog bad?": "Yes."}, [(0, 30)], LAMPS, "review", "multiple_faq_headings"),
    ),
    "only in a fence": (FENCED, (), proposed({}, [], FENCED, "review", "faq_heading_in_code")),
    "a list as answer": (
        "## FAQ\n\n### What to pack?\n- A *warm* coat\n- [Tea](https://tea.example)\n",
        (),
        proposed({"What to pack?": "A warm coat\nTea"}, [(0, 71)], "", "review", "markdown_in_answer"),
    ),
    "a bold question with an answer of two lines": (
        "## FAQ\n\n**Can ice hold?**\nSometimes.\nTest it first.\n",
        (),
        proposed({"Can ice hold?": "Sometimes.\nTest it first."}, [(0, 52)], "", "review", "multiline_bold_answer"),
    ),
    "two questions on their own": (
        LATE,
        ("Is it far?", "Is it late?"),
        proposed(
            {"Is it late?": "Not yet.", "Is it far?": "Very."},
            [(12, 37), (62, 83)],
            "Start ⚓.\n\n## Keep me\n\nAs it is.\n\n## End\n\nBye.",
            "review",
            "standalone_question",
        ),
    ),
    "questions on their own that touch": (
        "Start.\n\n## A?\nOne.  \n\n\n## B?\nTwo.\n\n## Rest\nSame.\n",
        ("A?", "B?"),
        proposed(
            {"A?": "One.", "B?": "Two."}, [(8, 35)], "Start.\n\n## Rest\nSame.\n", "review", "standalone_question"
        ),
    ),
    "CRLF": (
        "Start.\r\n\r\n## FAQ\r\n\r\n### Set?\r\nYes.\r\n\r\n## Rest\r\nSame.\r\n",
        (),
        proposed({"Set?": "Yes."}, [(10, 38)], "Start.\n\n## Rest\r\nSame.\r\n", "clean"),
    ),
    "nothing in it": (
        "Start.\n\n## FAQ\n\n## Rest\nSame.\n",
        (),
        proposed({}, [(8, 16)], "Start.\n\n## Rest\nSame.\n", "review", "questions_absent"),
    ),
    "no questions in it": (
        "Start.\n\n## FAQ\n\nAsk us anything.\n",
        (),
        proposed({}, [(8, 33)], "Start.\n", "review", "leftover_text", leftover=("Ask us anything.",)),
    ),
    "an entity": (
        "## FAQ\n\n### Why?\nTar &amp; rope.\n",
        (),
        proposed({"Why?": "Tar & rope."}, [(0, 33)], "", "review", "markdown_in_answer"),
    ),
    "a bare URL": (
        "## FAQ\n\n### Where?\nAt https://dock.example/a_b_c.\n",
        (),
        proposed({"Where?": "At https://dock.example/a_b_c."}, [(0, 50)], "", "clean"),
    ),
    "closing marks": ("## FAQ ##\n\n### Done? ###\nYes.\n", (), proposed({"Done?": "Yes."}, [(0, 30)], "", "clean")),
    "emphasis in a question": (
        "## FAQ\n\n### Is a **jib** big?\nNo.\n",
        (),
        proposed({"Is a jib big?": "No."}, [(0, 34)], "", "review", "markdown_in_question"),
    ),
    "emphasis in a bold question": (
        "## FAQ\n\n**Is a *jib* big?** No.\n",
        (),
        proposed({"Is a jib big?": "No."}, [(0, 32)], "", "review", "markdown_in_question"),
    ),
    "bold in a bold question": (
        "## FAQ\n\n**Is a **jib** big?** No.\n",
        (),
        proposed({"Is a jib big?": "No."}, [(0, 34)], "", "review", "markdown_in_question"),
    ),
    "marks that belong to the text": (
        "## C#\nA note.\n",
        ("C#",),
        proposed({"C#": "A note."}, [(0, 14)], "", "review", "standalone_question", "question_without_question_mark"),
    ),
    "no answer": (
        "## FAQ\n\n### Why?\n\n### Which?\nThe dry one.\n",
        (),
        proposed({"Why?": "", "Which?": "The dry one."}, [(0, 42)], "", "review", "answer_absent"),
    ),
}


def what(found: FaqExtraction) -> tuple[Any, ...]:
    return (
        list(found.pairs),
        [tuple(span) for span in found.cut],
        found.body_after,
        found.leftover,
        found.verdict,
        list(found.reasons),
    )


@requirement(
    "adoption.faq.offsets",
    "adoption.faq.sections",
    "adoption.faq.standalone",
    "adoption.faq.plain",
    "adoption.faq.reasons",
    "adoption.faq.class",
)
@pytest.mark.parametrize("name", CASES)
def test_the_faq_of_a_body_is_proposed(name: str) -> None:
    body, standalone, expected = CASES[name]

    found = propose_faq(body, standalone_questions=standalone)

    assert what(found) == expected
    assert found.source_body_sha256 == hashlib.sha256(body.encode()).hexdigest()


# For these the rest still has an FAQ heading: one in code, or the second of two.
KEEPS_A_HEADING = {"only in a fence", "two FAQ headings"}


@requirement("adoption.faq.rest")
@pytest.mark.parametrize("name", sorted(CASES.keys() - KEEPS_A_HEADING))
def test_the_rest_holds_no_faq(name: str) -> None:
    body, standalone, _ = CASES[name]
    rest = propose_faq(body, standalone_questions=standalone).body_after

    assert what(propose_faq(rest, standalone_questions=standalone)) == proposed({}, [], rest, "none")


@requirement("adoption.faq.plain")
@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("`rope`", "rope"),
        ("> Ask.", "Ask."),
        ("a\\*b", "a*b"),
        ("<https://a.example>", "https://a.example"),
        ("One.  \nTwo.", "One.\nTwo."),
        ("One.\\\nTwo.", "One.\nTwo."),
        ("See [the map][m].", "See the map."),
        ("Yes.\n\n[n]: /n", "Yes."),
        ("Yes.\n\n```\n### No question?\n```", "Yes.\n### No question?"),
        ("<b>Yes</b>", "Yes"),
        ("Noted.[^1]", "Noted.[^1]"),
    ],
)
def test_markdown_in_an_answer_becomes_plain_text(answer: str, plain: str) -> None:
    found = propose_faq(f"## FAQ\n\n### Why?\n{answer}\n\n## End\n\n[m]: /map\n")

    assert found.pairs == (FaqPair("Why?", plain),)
    assert found.reasons == (FaqReason.MARKDOWN_IN_ANSWER,)


@requirement("adoption.faq.plain")
@pytest.mark.parametrize(
    "answer", ["Yes.\n  Indeed.", "Yes.\n\n\n\nIndeed.", "2 < 3 & 4", "[m] is no link", "snake_case_name", "5 * 3 * 2"]
)
def test_a_plain_answer_stays_as_it_was_written(answer: str) -> None:
    found = propose_faq(f"## FAQ\n\n### Why?\n{answer}\n")

    assert found.pairs == (FaqPair("Why?", answer),)
    assert found.verdict is FaqClass.CLEAN


def test_an_answer_that_shows_no_text_is_absent() -> None:
    found = propose_faq("## FAQ\n\n### Why?\n![](a.png)\n")

    assert found.pairs == (FaqPair("Why?", ""),)
    assert found.reasons == (FaqReason.ANSWER_ABSENT, FaqReason.MARKDOWN_IN_ANSWER)


@requirement("adoption.faq.plain")
def test_other_line_ends_of_an_answer_become_newlines() -> None:
    found = propose_faq("## FAQ\r\n### Why?\r\nA\rB\r\nC\r\n")

    assert found.pairs == (FaqPair("Why?", "A\nB\nC"),)
    assert found.verdict is FaqClass.CLEAN


@requirement("adoption.faq.questions")
def test_level_4_is_preferred_to_level_3_and_both_to_bold() -> None:
    found = propose_faq("## FAQ\n### Group\n#### Why?\n**So?** Yes.\n")

    assert found.pairs == (FaqPair("Why?", "So? Yes."),)
    assert found.leftover == ("### Group",)


@requirement("adoption.faq.questions")
@pytest.mark.parametrize(
    ("line", "pair"),
    [
        ("   **Why?**So.", ("Why?", "So.")),
        ("**Why? ** So.", ("Why?", "So.")),
        ("***Why?*** So.", ("Why?", "So.")),
        ("**Why *so*** Yes.", ("Why so", "Yes.")),
        ("**a** **b** c", ("a", "b c")),
        ("**2 \\** 3?** Six.", ("2 ** 3?", "Six.")),
    ],
)
def test_a_bold_question_ends_with_its_own_marks(line: str, pair: tuple[str, str]) -> None:
    assert propose_faq(f"## FAQ\n\n{line}\n").pairs == (FaqPair(*pair),)


@requirement("adoption.faq.questions")
@pytest.mark.parametrize(
    "line",
    ["    **Why?** So.", "```\n**Why?** So.\n```", "** Why?** So.", "**Why? So.", "****", "So: **why?**", "> **a**"],
)
def test_other_lines_are_no_bold_questions(line: str) -> None:
    found = propose_faq(f"## FAQ\n\n{line}\n")

    assert (found.pairs, found.leftover) == ((), (line.strip(),))


@requirement("adoption.faq.code")
@pytest.mark.parametrize(
    "code",
    [
        "```\n## FAQ\n```",
        "~~~ text\n## FAQ\n~~~~  ",
        "````\n```\n## FAQ\n````",
        "```\n~~~\n## FAQ\n```",
        "   ```\n## FAQ\n``` no end\n## FAQ\n    ```\n## FAQ\n```",
        "```\n## FAQ",
        "    ## FAQ",
        "\t## FAQ",
    ],
)
def test_an_faq_heading_in_code_is_left_where_it_is(code: str) -> None:
    assert what(propose_faq(code)) == proposed({}, [], code, "review", "faq_heading_in_code")


@requirement("adoption.faq.code")
@pytest.mark.parametrize("before", ["```\ncode\n```", "``` a ` b", "``\n", "# One\n\n    code\n", "~~~\n```\n~~~"])
def test_what_ends_before_a_heading_does_not_hide_it(before: str) -> None:
    found = propose_faq(f"{before}\n## FAQ\n### Why?\nSo.\n")

    assert found.pairs == (FaqPair("Why?", "So."),)
    assert found.verdict is FaqClass.CLEAN


@requirement("adoption.faq.code")
def test_headings_in_code_ask_and_end_nothing() -> None:
    found = propose_faq("## FAQ\n### Why?\nSo.\n```\n## Rest\n### What?\n```\n")

    assert found.pairs == (FaqPair("Why?", "So.\n## Rest\n### What?"),)


@requirement("adoption.faq.sections")
@pytest.mark.parametrize("line", ["# FAQ", "#### FAQ", "##FAQ", "## FAQs", "## Some common questions", "FAQ", "## ##"])
def test_other_lines_announce_no_faq(line: str) -> None:
    assert propose_faq(f"{line}\n\n### Why?\nSo.\n").verdict is FaqClass.NONE


def test_a_question_of_level_3_that_names_the_faq_is_no_second_faq() -> None:
    found = propose_faq("## FAQ\n### What is this FAQ?\nA list.\n")

    assert found.pairs == (FaqPair("What is this FAQ?", "A list."),)
    assert found.verdict is FaqClass.CLEAN


@requirement("adoption.faq.standalone")
def test_a_standalone_question_is_compared_exactly_and_only_at_level_2() -> None:
    body = "## Why?\nSo.\n\n### Which?\nThis.\n"

    for asked in ["why?", "Why? ", "Why", "Which?"]:
        assert propose_faq(body, standalone_questions=[asked]).verdict is FaqClass.NONE


def test_an_empty_faq_beside_a_standalone_question_is_reported() -> None:
    found = propose_faq("## Alone?\nOne.\n\n## FAQ\n", standalone_questions=["Alone?"])

    assert found.pairs == (FaqPair("Alone?", "One."),)
    assert found.reasons == (FaqReason.STANDALONE_QUESTION, FaqReason.QUESTIONS_ABSENT)


def test_an_faq_below_a_standalone_question_is_not_its_answer() -> None:
    body = "## Alone?\nOne.\n\n### FAQ\n\n#### Why?\nSo.\n"

    found = propose_faq(body, standalone_questions=["Alone?"])

    pairs = {"Alone?": "One.", "Why?": "So."}
    assert what(found) == proposed(pairs, [(0, len(body))], "", "review", "standalone_question")


@requirement("adoption.faq.reasons")
def test_pairs_and_reasons_come_in_the_order_of_the_body() -> None:
    body = "## Alone\nOne.\n\n## FAQ\n\nLeft.\n\n**Bold?**\n\n## FAQ\n\n### Last?\n`x`\n\n    ## FAQ\n"

    found = propose_faq(body, standalone_questions=["Alone", "FAQ"])

    assert what(found) == proposed(
        [("Alone", "One."), ("Bold?", ""), ("FAQ", "Last?\nx\n## FAQ")],
        [(0, len(body))],
        "",
        "review",
        *("faq_heading_in_code", "multiple_faq_headings", "standalone_question", "question_without_question_mark"),
        *("answer_absent", "heading_in_answer", "markdown_in_answer", "leftover_text"),
        leftover=("Left.",),
    )
