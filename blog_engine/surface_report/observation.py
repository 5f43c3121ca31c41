"""The observation of a predicate, and its quotations of a page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from blog_engine.enums import ReportResult

DECLARED: Final = "publisher declaration"
"""The mark of a result that rests on a declaration alone."""
LONGEST: Final = 200
"""Characters of a quoted text."""
_MOST_SENTENCES: Final = 10


@dataclass(frozen=True, slots=True)
class Observation:
    """A result and its reason, a sentence; ``marks`` qualify it, ``details`` is evidence that JSON can hold."""

    result: ReportResult
    reason: str
    marks: tuple[str, ...] = ()
    details: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """An observation under its predicate, such as ``E19``; ``post_id`` is the article it is about, if any."""

    predicate: str
    observation: Observation
    post_id: int | None = None


passed = partial(Observation, ReportResult.PASS)
failed = partial(Observation, ReportResult.FAIL)
not_applicable = partial(Observation, ReportResult.NOT_APPLICABLE)
not_verified = partial(Observation, ReportResult.NOT_VERIFIED)


def judged_by(
    faults: Iterable[str],
    doubts: Iterable[str] = (),
    *,
    well: str,
    details: Mapping[str, Any] | None = None,
    most: int = _MOST_SENTENCES,
) -> Observation:
    """Return failed for any fault, else not verified for any doubt, else passed; the sentences become the reason."""
    for result, sentences in ((ReportResult.FAIL, faults), (ReportResult.NOT_VERIFIED, doubts)):
        if distinct := list(dict.fromkeys(sentences)):
            more = len(distinct) - most
            shown = [*distinct[:most], *([f"There are {more} more of this kind."] if more > 0 else [])]
            return Observation(result, " ".join(shown), details=details)
    return passed(well, details=details)


def quote(text: str, *, longest: int = LONGEST) -> str:
    """Return the text between quotation marks, shortened by ``cut``."""
    return f"“{cut(text, longest=longest)}”"


def cut(text: str, *, longest: int = LONGEST) -> str:
    """Return the text on one line, at most ``longest`` characters, in a form that every encoding can hold."""
    # JSON on a page may write half a surrogate pair, which no answer could be encoded with.
    line = " ".join(text[: longest * 10].split()).encode("utf-8", "replace").decode()
    return line if len(line) <= longest else line[: longest - 1] + "…"


def folded(text: str) -> str:
    """Return the text for comparing without regard to case and white space."""
    return " ".join(text.split()).casefold()
