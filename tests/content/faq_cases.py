"""Bodies with an FAQ, and the proposal for each."""

from typing import Any

from blog_engine.content.faq import FaqPair

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
