"""Properties of the FAQ proposal for every body, hostile ones included."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.content.faq_extraction import propose_faq
from blog_engine.enums import FaqClass, FaqReason
from tests.content.test_hostile import LIMIT, MARKDOWN, filled
from tests.requirements import requirement

pytestmark = pytest.mark.heavy

PIECES = [
    *("## FAQ", "### Q&A", "## Rest", "## Été?", "# Top", "### Why?", "#### Which?", "**Who?** Me.", "##### x"),
    *("## ", "```", "~~~", "    ", "\t", " ", "  ", "text", "⛵ été", "- item", "> ", "[a]: b", "[a]", "C#"),
    *("\u00a0", "\u2028"),
]
bodies = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["\n", "\n", "\r\n", "\n\n", "", "\r"]))).map(
    lambda parts: "".join(piece + end for piece, end in parts)
)
questions = st.lists(st.sampled_from(["Rest", "Été?", "FAQ"]), max_size=2)


@given(body=bodies | st.text(), asked=questions)
def test_cut_ranges_are_ascending_apart_and_of_whole_characters(body: str, asked: list[str]) -> None:
    source = body.encode()
    found = propose_faq(body, standalone_questions=asked)

    position = -1
    for start, end in found.cut:
        assert position < start < end <= len(source)
        assert source[start:end].decode().lstrip(" ").startswith("##")
        assert start == 0 or source[start - 1 : start] == b"\n"
        position = end


def shown_lines(text: str) -> list[str]:
    return [line.rstrip(" \t\r") for line in text.split("\n") if line.strip(" \t\r")]


@given(body=bodies, asked=questions)
def test_what_is_left_is_the_body_without_the_ranges(body: str, asked: list[str]) -> None:
    source = body.encode()
    found = propose_faq(body, standalone_questions=asked)
    edges = [0, *(edge for span in found.cut for edge in span), len(source)]

    kept = [source[start:end].decode() for start, end in zip(edges[::2], edges[1::2], strict=True)]

    assert shown_lines(found.body_after) == shown_lines("".join(kept))
    assert found.body_after.endswith(kept[-1])
    assert found.cut or found.body_after == body


STILL_THERE = {FaqReason.FAQ_HEADING_IN_CODE, FaqReason.MULTIPLE_FAQ_HEADINGS}


@requirement("adoption.faq.rest")
@given(body=bodies, asked=questions)
def test_what_was_cut_is_not_found_again(body: str, asked: list[str]) -> None:
    found = propose_faq(body, standalone_questions=asked)

    again = propose_faq(found.body_after, standalone_questions=asked)

    if not STILL_THERE & {*found.reasons}:
        assert (again.verdict, again.body_after) == (FaqClass.NONE, found.body_after)


@requirement("adoption.faq.reasons", "adoption.faq.class")
@given(body=bodies | st.text(), asked=questions)
def test_each_reason_is_reported_once_and_determines_the_class(body: str, asked: list[str]) -> None:
    found = propose_faq(body, standalone_questions=asked)

    assert len({*found.reasons}) == len(found.reasons)
    assert (found.verdict is FaqClass.REVIEW) == bool(found.reasons)
    assert found.verdict is not FaqClass.NONE or (found.pairs, found.cut, found.body_after) == ((), (), body)


HOSTILE = {f"answer of {name}": f"## FAQ\n\n### Why?\n{body}" for name, body in MARKDOWN.items()} | {
    "questions": "## FAQ\n" + filled("### a\n", size=LIMIT // 8),
    "bold questions": "## FAQ\n" + filled("**a** b\n", size=LIMIT // 8),
    "open bold": "## FAQ\n" + filled("**a **b ", size=LIMIT // 8),
    "closing marks": filled("## FAQ #", size=LIMIT) + "x",
    "blanks": "##" + " " * LIMIT + "x",
    "white lines": "a" + " \n" * (LIMIT // 2) + "## FAQ\n\n### Why?\nSo.",
    "chapters": filled("## FAQ\n## Rest\n", size=LIMIT // 2),
    "fences": filled("```\n~~~~\n"),
    "references in many answers": "[a]: " + "b" * (LIMIT // 2) + "\n## FAQ\n" + filled("### a\n[a]\n", size=LIMIT // 8),
}


@requirement("adoption.faq.hostile")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bodies_are_read(name: str) -> None:
    body = HOSTILE[name]

    found = propose_faq(body, standalone_questions=["Rest", "a"])

    assert len(found.body_after) <= len(body)
    # The parser completes the rows of tables, with a limit of its own.
    assert sum(len(pair.question) + len(pair.answer) for pair in found.pairs) <= len(body) + 0x10000
