"""The answers that all clients got."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from typing import Any


@dataclass(frozen=True, slots=True)
class Told:
    """One answer: kind of request, status, code of the refusal, and seconds."""

    kind: str
    status: int
    code: str
    seconds: float


class Ledger:
    """The answers of a run; safe for threads."""

    def __init__(self) -> None:
        self.told: list[Told] = []

    def note(self, kind: str, status: int, seconds: float, *, code: str = "") -> None:
        """Keep an answer."""
        self.told.append(Told(kind, status, code, seconds))

    def failures(self) -> Counter[tuple[str, int, str]]:
        """Return the answers with a server error or ``busy``, including those of tools with status 200."""
        return Counter((one.kind, one.status, one.code) for one in self.told if _failed(one))

    def unexpected(self, allowed: dict[str, set[int]], *, otherwise: set[int]) -> Counter[tuple[str, int, str]]:
        """Return the answers with a status that their kind must not have; ``otherwise`` is for other kinds."""
        return Counter(
            (one.kind, one.status, one.code)
            for one in self.told
            if one.status not in allowed.get(one.kind, otherwise) and not _failed(one)
        )

    def figures(self, *, seconds: float) -> dict[str, Any]:
        """Return requests per second, and by kind their number, statuses and milliseconds."""
        kinds: defaultdict[str, list[Told]] = defaultdict(list)
        for one in self.told:
            kinds[one.kind].append(one)
        return {
            "seconds": round(seconds, 1),
            "requests": len(self.told),
            "requests_per_second": round(len(self.told) / seconds, 1),
            "kinds": {kind: _figures_of(told) for kind, told in sorted(kinds.items())},
        }


def write_figures(figures: dict[str, Any], *, to: Path) -> None:
    """Write the figures to a file; no test asserts them."""
    to.parent.mkdir(exist_ok=True)
    to.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def as_table(figures: dict[str, Any]) -> str:
    """Return the figures as text."""
    lines = [f"{figures['requests']} requests in {figures['seconds']} s: {figures['requests_per_second']} a second"]
    for kind, of in figures["kinds"].items():
        statuses = " ".join(f"{status}:{count}" for status, count in of["statuses"].items())
        lines.append(f"{kind:<28} {of['requests']:>6}  p50 {of['p50']:>5} ms  p95 {of['p95']:>5} ms  {statuses}")
    return "\n".join(lines)


def _failed(one: Told) -> bool:
    return one.status >= 500 or one.code in {"busy", "unavailable"}


def _figures_of(told: list[Told]) -> dict[str, Any]:
    times = sorted(1000 * one.seconds for one in told)
    cuts = quantiles(times, n=20) if len(times) > 1 else times * 19
    statuses = Counter(f"{one.status} {one.code}".strip() for one in told)
    return {
        "requests": len(told),
        "statuses": dict(sorted(statuses.items())),
        "p50": round(cuts[9]),
        "p95": round(cuts[18]),
    }
