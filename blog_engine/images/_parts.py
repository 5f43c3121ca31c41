"""Bounds on the parts of an image file: Pillow reads each of them in Python, and each scan of a JPEG draws it again."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

MOST_PARTS: Final = 100_000
"""Chunks, segments and blocks; no file within ``max_image_bytes`` needs as many, and millions took seconds."""

_MOST_SCANS: Final = 100
_MOST_PIXELS_SCANNED: Final = 900_000_000
"""Of all scans together: libjpeg writes a progressive photo in 10 scans, one in CMYK in 18, here of 50 megapixels."""

_END, _SCAN = 0xD9, 0xDA
_ALONE: Final = frozenset({0x00, 0x01, *range(0xD0, 0xDA)})
"""What follows FF in a JPEG without a length: filling, restarts, start and end."""

_WITH_LENGTH_OR_END: Final = re.compile(rb"\xff[\x02-\xcf\xd9-\xfe]")


def has_too_many_parts(data: bytes) -> bool:
    """Return whether a PNG, JPEG or GIF has more than ``MOST_PARTS`` parts, bytes out of place counted as parts."""
    parts = next((parts_of for start, parts_of in _PARTS.items() if data.startswith(start)), None)
    return parts is not None and next(islice(parts(data), MOST_PARTS, None), None) is not None


def has_too_many_scans(data: bytes, *, pixels: int) -> bool:
    """Return whether a JPEG of as many pixels is drawn more often than encoders have reason to."""
    return _scans(data) > min(_MOST_SCANS, _MOST_PIXELS_SCANNED // max(pixels, 1))


def _chunks_of_png(data: bytes) -> Iterator[int]:
    position = 8
    while position < len(data):
        yield position
        position += 12 + int.from_bytes(data[position : position + 4])


def _segments_of_jpeg(data: bytes) -> Iterator[int]:
    """Yield the places that Pillow looks at: it reads on after the start of the first scan in C."""
    position = 2
    while position + 1 < len(data):
        yield position
        first, marker = data[position], data[position + 1]
        if (first, marker) == (0xFF, _SCAN):
            return
        if first != 0xFF or marker == 0xFF:
            position += 1
        elif marker in _ALONE:
            position += 2
        else:
            position += 2 + int.from_bytes(data[position + 2 : position + 4])


def _blocks_of_gif(data: bytes) -> Iterator[int]:
    position = 13 + table_size(data[10] if len(data) > 10 else 0)
    while position < len(data) and data[position : position + 1] != b";":
        yield position
        match data[position : position + 1]:
            case b"!":
                position += 2
            case b",":
                position += 11 + table_size(data[position + 9] if position + 9 < len(data) else 0)
            case _:
                position += 1
                continue
        while position < len(data) and data[position]:
            yield position
            position += data[position] + 1
        position += 1


def table_size(flags: int) -> int:
    """Return the bytes of the colour table that the flags of a GIF or of its frame announce."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


_PARTS: Final[dict[bytes, Callable[[bytes], Iterator[int]]]] = {
    b"\x89PNG": _chunks_of_png,
    b"\xff\xd8": _segments_of_jpeg,
    b"GIF8": _blocks_of_gif,
}


def _scans(data: bytes) -> int:
    count, position = 0, 2
    for _ in range(MOST_PARTS):
        found = _WITH_LENGTH_OR_END.search(data, position)
        if found is None or found[0][1] == _END:
            break
        count += found[0][1] == _SCAN
        position = found.end() + int.from_bytes(data[found.end() : found.end() + 2])
    return count
