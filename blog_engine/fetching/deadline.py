"""The time that one fetch has, over everything it does."""

from math import inf
from time import monotonic

from blog_engine.fetching.refused import FetchRefused


class Deadline:
    """The end of a fetch, ``seconds`` from now; no single wait before it is longer than ``step`` seconds."""

    def __init__(self, seconds: float, *, step: float = inf) -> None:
        self._end = monotonic() + seconds
        self._step = step

    def left(self) -> float:
        """How many seconds the next wait may take. Raises ``FetchRefused`` when the time is over."""
        left = self._end - monotonic()
        if left <= 0:
            raise FetchRefused
        return min(left, self._step)
