"""Link references with a bound on how much text they may multiply into."""

from typing import Any, Final

_ALLOWANCE: Final = 100_000
_PER_CHARACTER: Final = 16


class BoundedReferences(dict[str, dict[str, Any]]):
    """The references of one document for markdown-it.

    One definition of 100 kB used 30,000 times would be written out as 3 GB. Look-ups together hand out at most sixteen
    times the length of the document (and 100,000 characters); later ones find nothing and stay as they were written.
    """

    def __init__(self, source_length: int) -> None:
        super().__init__()
        self._left = _ALLOWANCE + _PER_CHARACTER * source_length

    def get(self, label: str, default: Any = None) -> Any:
        """The reference, as long as there is allowance left."""
        found = super().get(label, default)
        if found:
            self._left -= len(found["href"]) + len(found["title"])
        return found if self._left > 0 else default
