"""Commands that keep running, and end when they are asked to."""

import signal
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final, Self

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class StopRequest:
    """While it is entered, SIGTERM and SIGINT only ask to stop; the second one acts as it did before.

    Only the main thread of a program can be asked: elsewhere nothing changes.
    """

    def __init__(self) -> None:
        self.came = False
        """Whether somebody asked."""
        # Unlike a threading.Event, it may be told by a signal in the middle of waiting for it.
        self._asked: SimpleQueue[None] = SimpleQueue()
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if current_thread() is main_thread():
            self._before = {each: signal.signal(each, self._ask) for each in _SIGNALS}
        return self

    def __exit__(self, *fault: object) -> None:
        self._restore()

    def wait(self, seconds: float) -> None:
        """Pause, but not longer than until somebody asks."""
        with suppress(Empty):
            self._asked.get(timeout=seconds)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        self._asked.put(None)
        self._restore()

    def _restore(self) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)
