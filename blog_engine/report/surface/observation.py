"""What a check of the surface report found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from blog_engine.enums import ReportResult

DECLARED: Final = "publisher declaration"
"""The mark of what rests on the publisher's word alone."""

_MOST_SENTENCES: Final = 10
"""Of one reason; an editor needs no more to find the place."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One result with its reason, a sentence.

    ``marks`` are short notes that qualify it, such as ``DECLARED``; ``details`` is evidence that JSON can
    hold.
    """

    result: ReportResult
    reason: str
    marks: tuple[str, ...] = ()
    details: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An observation under the id of its check, such as ``E19``; ``post_id`` is the article it is about, if any."""

    predicate: str
    observation: Observation
    post_id: int | None = None


def passed(reason: str, *, marks: Sequence[str] = (), details: Mapping[str, Any] | None = None) -> Observation:
    """All is as it should be."""
    return Observation(ReportResult.PASS, reason, tuple(marks), details)


def failed(reason: str, *, marks: Sequence[str] = (), details: Mapping[str, Any] | None = None) -> Observation:
    """Something is not as it should be."""
    return Observation(ReportResult.FAIL, reason, tuple(marks), details)


def not_applicable(reason: str, *, marks: Sequence[str] = (), details: Mapping[str, Any] | None = None) -> Observation:
    """There is nothing to check."""
    return Observation(ReportResult.NOT_APPLICABLE, reason, tuple(marks), details)


def not_verified(reason: str, *, marks: Sequence[str] = (), details: Mapping[str, Any] | None = None) -> Observation:
    """Nobody can tell from what was seen."""
    return Observation(ReportResult.NOT_VERIFIED, reason, tuple(marks), details)


def judged_by(
    faults: Sequence[str], doubts: Sequence[str] = (), *, well: str, details: Mapping[str, Any] | None = None
) -> Observation:
    """Failed with the faults, else not verified with the doubts, joined to one reason; else passed with ``well``."""
    if faults:
        return failed(" ".join(shortened(faults, most=_MOST_SENTENCES)), details=details)
    if doubts:
        return not_verified(" ".join(shortened(doubts, most=_MOST_SENTENCES)), details=details)
    return passed(well, details=details)


def shortened(sentences: Iterable[str], *, most: int) -> tuple[str, ...]:
    """The first of the sentences, each once, and how many more there are."""
    distinct = list(dict.fromkeys(sentences))
    more = len(distinct) - most
    return (*distinct[:most], *([f"There is more of this kind: {more}."] if more > 0 else ()))
