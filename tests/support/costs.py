"""Bounds of processor time that hold on a slow machine as on a quick one."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

# What `_fixed_work` takes on the machine that the bounds of tests were chosen on.
_REFERENCE_SECONDS = 0.022
_WORDS = "a quay, two boats and 12 nets; " * 2_000
_WORD = re.compile(r"\w+(?=[,;])")


@contextmanager
def takes_at_most(seconds: float) -> Iterator[None]:
    """Fail where the block takes more processor time than that many seconds of the reference machine.

    A bound tells growth with the text from growth with its square, which takes minutes. Because machines that run
    tests differ by a factor of four, and each by the hour, the bound grows with the time that fixed work takes just
    before and just after the block.
    """
    before = _fixed_work()
    start = process_time()
    yield
    spent = process_time() - start
    slowness = max(1.0, before / _REFERENCE_SECONDS, _fixed_work() / _REFERENCE_SECONDS)
    assert spent < seconds * slowness, f"{spent:.2f} s on a machine that takes {slowness:.1f} times as long as another"


def _fixed_work() -> float:
    """Return the seconds of processor time that a fixed mix of loops, objects and matching takes here and now."""
    start = process_time()
    found = {match.group(): number for number, match in enumerate(_WORD.finditer(_WORDS))}
    for number in range(400_000):
        found["nets"] = number ^ len(found)
    return process_time() - start
