"""The processor time of requests, one after the other in this process, in turn with those to a bare view."""

import gc
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from statistics import median, quantiles
from typing import Any, Final

from benchmarks.speed.cases import CASES, Blog, Case
from benchmarks.speed.names import NOT_MODIFIED
from benchmarks.speed.processes import Clock
from benchmarks.speed.requests import Answer, Ask, Server, environ_of
from benchmarks.speed.variants import COLD, UNCACHED, WRITTEN
from benchmarks.speed.writes import change_content_version, forget_writes

_BARE: Final = Ask("/bare")
_BARE_BLOCK: Final = 20
_BLOCK_NANOSECONDS: Final = 30_000_000
_LARGEST_BLOCK: Final = 60
_WARM_UP: Final = 6
_MOST: Final = 10_000
_HOT: Final = 20
"""Requests of a case that are repeated when they are measured."""
_KEPT_BY_CLIENTS: Final = 100
"""Pages of a case that a client has."""


@dataclass
class Series:
    """The measured blocks of a case, in nanoseconds for each request."""

    name: str
    variant: str
    asks: Iterator[Ask]
    different: int = _MOST
    """The number of requests before one comes again."""
    block: int = 1

    def __post_init__(self) -> None:
        self.python: list[float] = []
        self.database: list[float] = []
        self.bare: list[float] = []

    def result(self) -> dict[str, Any]:
        """Return the medians in milliseconds, and the median ratio to the bare view of the same moment."""
        total = [sum(pair) for pair in zip(self.python, self.database, strict=True)]
        ratios = [one / bare for one, bare in zip(total, self.bare, strict=True)]
        cuts = quantiles(ratios, n=4) if len(ratios) > 1 else [ratios[0]] * 3
        return {
            "name": self.name,
            "variant": self.variant,
            "python": _milliseconds(self.python),
            "database": _milliseconds(self.database),
            "total": _milliseconds(total),
            "bare": _milliseconds(self.bare),
            "ratio": round(median(ratios), 2),
            "quartiles": [round(cuts[0], 2), round(cuts[2], 2)],
            "requests": self.block * len(total),
        }


def paths_of(names: Sequence[str], *, variant: str) -> dict[str, list[str]]:
    """Return the paths of pages by the names of their cases; few that a page cache keeps, otherwise many."""
    blog, most = Blog(), _KEPT_BY_CLIENTS if variant in {"", UNCACHED} else _HOT
    cases = {case.name: case for case in CASES}
    found = {name: islice(cases[name.removesuffix(NOT_MODIFIED)].asks(blog), most) for name in names}
    return {name: [ask.path for ask in _different(asks)] for name, asks in found.items()}


def measure(*, names: Sequence[str], variant: str, rounds: int) -> list[dict[str, Any]]:
    """Return the results of the named cases; pages in this variant, or without a page cache if it is empty."""
    forget_writes()
    bench = _Bench(Server(), Clock())
    blog = Blog()
    chosen = [case for case in CASES if case.name in names or f"{case.name}{NOT_MODIFIED}" in names]
    try:
        pages = [bench.first(case, blog, variant) for case in chosen if not case.is_write and case.name in names]
        bench.run(pages, rounds=rounds)
        # Afterwards, because clients get their pages by asking for them, which warms the process.
        kept = [
            bench.again(case, blog, variant)
            for case in chosen
            if case.is_page and f"{case.name}{NOT_MODIFIED}" in names
        ]
        bench.run(kept, rounds=rounds)
        # Writes change what clients and the page cache have.
        writes = [Series(case.name, "", case.asks(blog)) for case in chosen if case.is_write]
        bench.run(writes, rounds=rounds)
    finally:
        forget_writes()
    return [series.result() for series in (*pages, *kept, *writes)]


class _Bench:
    def __init__(self, server: Server, clock: Clock) -> None:
        self._server, self._clock = server, clock
        self._bare = cycle([_BARE])

    def first(self, case: Case, blog: Blog, variant: str) -> Series:
        """Return the case for requests that were sent before, or cold for as many different pages as there are."""
        if case.is_page and variant == COLD:
            different = len(_different(islice(case.asks(blog), _MOST)))
            return Series(case.name, variant, case.asks(blog), different=different)
        shown = (variant or UNCACHED) if case.is_page else ""
        if case.is_new_each_time:
            return Series(case.name, shown, case.asks(blog))
        hot = list(islice(case.asks(blog), _HOT))
        for ask in hot:
            self._send(ask)
        return Series(case.name, shown, cycle(hot))

    def again(self, case: Case, blog: Blog, variant: str) -> Series:
        """Return the case for a client that has the pages."""
        most = _KEPT_BY_CLIENTS if variant in {"", UNCACHED} else _HOT
        kept = [self._conditional(ask) for ask in _different(islice(case.asks(blog), most))]
        return Series(f"{case.name}{NOT_MODIFIED}", variant or UNCACHED, cycle(kept))

    def run(self, series: Sequence[Series], *, rounds: int) -> None:
        """Measure a block of each case in each round, beside a block of the bare view."""
        self._time(self._bare, _BARE_BLOCK * _WARM_UP)
        for one in series:
            self._time(one.asks, _WARM_UP)
            # By the second time, since the first one compiles templates and prepares connections.
            each = sum(self._time(one.asks, 2)) / 2
            most = min(_LARGEST_BLOCK, (one.different - _WARM_UP - 2) // rounds)
            one.block = max(1, min(most, round(_BLOCK_NANOSECONDS / each)))
        gc.collect()
        gc.freeze()
        for _ in range(rounds):
            for one in series:
                bare = sum(self._time(self._bare, _BARE_BLOCK)) / _BARE_BLOCK
                python, database = self._time_series(one)
                bare += sum(self._time(self._bare, _BARE_BLOCK)) / _BARE_BLOCK
                one.bare.append(bare / 2)
                one.python.append(python / one.block)
                one.database.append(database / one.block)

    def _time_series(self, one: Series) -> tuple[int, int]:
        """Return the nanoseconds of a block; after a write, the content has another version for each request."""
        if one.variant != WRITTEN:
            return self._time(one.asks, one.block)
        python = database = 0
        for _ in range(one.block):
            change_content_version()
            times = self._time(one.asks, 1)
            python, database = python + times[0], database + times[1]
        return python, database

    def _time(self, asks: Iterator[Ask], number: int) -> tuple[int, int]:
        """Send requests, and return the nanoseconds of this process and of the database."""
        block = list(islice(asks, number))
        environs = [environ_of(ask) for ask in block]
        self._clock.look()
        before = self._clock.read()
        answers = [self._server.send(environ) for environ in environs]
        after = self._clock.read()
        for ask, answer in zip(block, answers, strict=True):
            _expect(ask, answer)
        return after[0] - before[0], after[1] - before[1]

    def _send(self, ask: Ask) -> Answer:
        answer = self._server.send(environ_of(ask))
        _expect(ask, answer)
        return answer

    def _conditional(self, ask: Ask) -> Ask:
        """Return the request of a client that has the page."""
        headers = self._send(ask).headers
        given = {"If-None-Match": headers.get("etag"), "If-Modified-Since": headers.get("last-modified")}
        validators = {name: value for name, value in given.items() if value}
        return Ask(ask.path, headers=ask.headers | validators, status=304)


def _different(asks: Iterable[Ask]) -> list[Ask]:
    return list({ask.path: ask for ask in asks}.values())


def _expect(ask: Ask, answer: Answer) -> None:
    if answer.status != ask.status:
        raise SystemExit(f"{ask.method} {ask.path} answered {answer.status} instead of {ask.status}.")


def _milliseconds(values: Sequence[float]) -> float:
    return round(median(values) / 1_000_000, 3)
