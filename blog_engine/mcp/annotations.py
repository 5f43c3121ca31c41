"""What clients are told about the effects of a tool, to decide when a person is asked (mcp.md, decision 5)."""

from collections.abc import Mapping


def _annotations(*, reads: bool, destroys: bool, repeats: bool, open_world: bool) -> Mapping[str, bool]:
    return {
        "readOnlyHint": reads,
        "destructiveHint": destroys,
        "idempotentHint": repeats,
        "openWorldHint": open_world,
    }


READS = _annotations(reads=True, destroys=False, repeats=True, open_world=False)
"""Changes nothing."""
SAVES = _annotations(reads=False, destroys=False, repeats=True, open_world=False)
"""Changes what readers do not see by itself; the same call again changes nothing more."""
SHOWS = _annotations(reads=False, destroys=False, repeats=False, open_world=True)
"""Changes what the public sees, or adds to its history; each call counts."""
SETS = _annotations(reads=False, destroys=False, repeats=True, open_world=True)
"""Reaches the public or another host; the same call again changes nothing more."""
WITHDRAWS = _annotations(reads=False, destroys=True, repeats=True, open_world=True)
"""Takes something away from the public."""
