"""Which parts of a body are its FAQ (records.md 13)."""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import NamedTuple

from blog_engine.content._faq_lines import Line
from blog_engine.vocabulary import FaqReason


class Section(NamedTuple):
    """The lines from ``first``, a heading, up to ``end``; ``question`` is that heading when it is a question itself."""

    first: int
    end: int
    question: str | None


def find_sections(
    lines: Sequence[Line], *, standalone_questions: Collection[str]
) -> tuple[list[Section], list[FaqReason]]:
    """The sections to cut, in the order of the body, and what is doubtful about them.

    The FAQ starts at the first heading that announces one; such headings after its end stay where they are. A section
    ends at the next heading of level 2.
    """
    headings = [(index, line.heading) for index, line in enumerate(lines) if line.heading and not line.is_code]
    chapters = [index for index, heading in headings if heading.level == 2]
    announced = [index for index, heading in headings if heading.announces_faq]
    # An FAQ of level 3 inside the chapter of a standalone question is not part of its answer.
    stops = sorted({*chapters, *announced[:1]})
    sections: list[Section] = []
    reasons: list[FaqReason] = []
    if any(line.heading.announces_faq for line in lines if line.heading and line.is_code):
        reasons.append(FaqReason.FAQ_HEADING_IN_CODE)
    if announced:
        sections.append(Section(announced[0], _end(announced[0], stops, lines), None))
        if announced[-1] >= sections[0].end:
            reasons.append(FaqReason.MULTIPLE_FAQ_HEADINGS)
    asked = frozenset(standalone_questions)
    alone = [
        Section(index, _end(index, stops, lines), heading.text)
        for index, heading in headings
        if heading.level == 2 and heading.text in asked and index not in announced[:1]
    ]
    if alone:
        reasons.append(FaqReason.STANDALONE_QUESTION)
    return sorted([*sections, *alone], key=lambda section: section.first), reasons


def _end(start: int, stops: Sequence[int], lines: Sequence[Line]) -> int:
    following = bisect_right(stops, start)
    return stops[following] if following < len(stops) else len(lines)
