"""Waiting for a condition, with a deadline."""

import time
from collections.abc import Callable
from threading import Event

from tests.faults.serving import PATIENCE


def wait_until(holds: Callable[[], object], *, seconds: float = PATIENCE) -> None:
    """Wait until the condition holds; fail after the deadline."""
    pause, end = Event(), time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{holds} never came to hold"
        pause.wait(0.02)
