"""The part of a file that a browser asks for (RFC 9110, section 14)."""

import re
from dataclasses import dataclass
from typing import Final

_SINGLE: Final = re.compile(r"bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*", re.IGNORECASE)
_MOST_DIGITS: Final = 18


class UnsatisfiableRange(Exception):
    """The range begins after the end of the file."""


@dataclass(frozen=True, slots=True)
class ByteRange:
    """The bytes from ``first`` to ``last``, both of them included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        return self.last - self.first + 1


def requested_range(header: str | None, *, size: int) -> ByteRange | None:
    """The range of a file of ``size`` bytes; ``None`` for the whole file.

    Several ranges, other units and what is no range at all are ignored, as the RFC allows and asks. Raises
    ``UnsatisfiableRange``.
    """
    single = _SINGLE.fullmatch(header or "")
    if single is None or single[1] == single[2] == "" or max(map(len, single.groups())) > _MOST_DIGITS:
        return None
    if not single[1]:
        return _suffix(int(single[2]), size=size)
    first, last = int(single[1]), int(single[2]) if single[2] else size - 1
    if single[2] and last < first:
        return None
    if first >= size:
        raise UnsatisfiableRange
    return ByteRange(first, min(last, size - 1))


def _suffix(length: int, *, size: int) -> ByteRange:
    if not length or not size:
        raise UnsatisfiableRange
    return ByteRange(max(size - length, 0), size - 1)
