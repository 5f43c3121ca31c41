"""The verdict on one part of a comparison that has several."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from blog_engine.enums import ReportResult
from blog_engine.report.surface.observation import shortened

_MOST: Final = 3
"""Sentences of one part; an editor needs no more to find the place."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for a part, and what was seen when it is not a pass, as sentences."""

    result: ReportResult
    reasons: tuple[str, ...] = ()


def verdict(*, faults: Iterable[str] = (), doubts: Iterable[str] = ()) -> Verdict:
    """Failed by any fault; without one, not verified by any doubt; else passed."""
    if seen := tuple(faults):
        return Verdict(ReportResult.FAIL, shortened(seen, most=_MOST))
    if open_questions := tuple(doubts):
        return Verdict(ReportResult.NOT_VERIFIED, shortened(open_questions, most=_MOST))
    return Verdict(ReportResult.PASS)
