"""How far an import has come: a bar on terminals, elsewhere a line for every hundred posts."""

from collections.abc import Iterable
from typing import Final, Protocol

from tqdm import tqdm

_EVERY: Final = 100


class ProgressOutput(Protocol):
    """A stream of text, such as that of a command."""

    def isatty(self) -> bool: ...

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


def run_shown(steps: Iterable[object], *, label: str, total: int | None, out: ProgressOutput) -> None:
    """Run an iterator to its end, and show on ``out`` how far it has come; ``total`` if that is known."""
    if out.isatty():
        for _ in tqdm(steps, desc=label, total=total, file=out, unit=""):
            pass
        return
    for number, _ in enumerate(steps, start=1):
        if number % _EVERY == 0 or number == total:
            out.write(f"{label}: {number}{f' of {total}' if total is not None else ''}\n")
