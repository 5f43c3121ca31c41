"""The verdict on one part of a comparison that has several."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from blog_engine.vocabulary import ReportResult

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
        return Verdict(ReportResult.FAIL, _shortened(seen))
    if open_questions := tuple(doubts):
        return Verdict(ReportResult.NOT_VERIFIED, _shortened(open_questions))
    return Verdict(ReportResult.PASS)


def _shortened(sentences: Sequence[str]) -> tuple[str, ...]:
    distinct = dict.fromkeys(sentences)
    rest = len(distinct) - _MOST
    return (*islice(distinct, _MOST), *([f"There is more of this kind: {rest}."] if rest > 0 else ()))
