"""What the bytes of an image say of it before a pixel is decoded."""

import re
import struct
from collections.abc import Iterator
from typing import Final

_MARKER: Final = re.compile(rb"\xff+([\x01-\xcf\xd8-\xfe])")
"""The next segment of a JPEG; in compressed data FF is followed by 00 or by a restart marker."""

_START, _END, _SCAN = 0xD8, 0xD9, 0xDA
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE: Final = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_BYTES_OF_A_BLOCK: Final = 128
"""Of 8 by 8 coefficients."""

_GIF_PART: Final = re.compile(rb"[!,;]")


def jpeg_coefficients(data: bytes) -> int:
    """Return the bytes that libjpeg keeps of a JPEG of several scans at any scale; 0 for a JPEG of one scan."""
    frame, is_progressive = b"", False
    for marker, segment in jpeg_segments(data):
        if marker in _FRAMES:
            frame, is_progressive = segment, marker in _PROGRESSIVE
        elif marker == _SCAN:
            has_one_scan = not is_progressive and segment[0] == frame[5]
            return 0 if has_one_scan else _coefficients(frame)
    raise OSError("The JPEG has no picture.")


def _coefficients(frame: bytes) -> int:
    height, width, components = int.from_bytes(frame[1:3]), int.from_bytes(frame[3:5]), frame[5]
    samplings = [divmod(frame[7 + 3 * number], 16) for number in range(components)]
    across = -(-width // (8 * max(x for x, _ in samplings)))
    down = -(-height // (8 * max(y for _, y in samplings)))
    return across * down * sum(x * y for x, y in samplings) * _BYTES_OF_A_BLOCK


def jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each marker with its segment. Raises ``OSError`` where a file ends without its end marker."""
    position = 2
    while found := _MARKER.search(data, position):
        marker, start = found[1][0], found.end()
        if marker == _END:
            return
        position = start
        if marker not in {_START, 1}:
            position += int.from_bytes(data[start : start + 2])
            yield marker, data[start + 2 : position]
    raise OSError("The JPEG ends early.")


def gif_canvas(data: bytes) -> tuple[tuple[int, int], bool]:
    """Return the size of a GIF that all its frames fit into, and whether it has its end marker."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    position = 13 + _table_size(flags)
    while found := _GIF_PART.search(data, position):
        position = found.start()
        try:
            match found[0]:
                case b";":
                    return (width, height), True
                case b"!":
                    position = _after_blocks(data, position + 2)
                case _:
                    x, y, across, down, flags = struct.unpack_from("<HHHHB", data, position + 1)
                    width, height = max(width, x + across), max(height, y + down)
                    position = _after_blocks(data, position + 11 + _table_size(flags))
        except (IndexError, struct.error):
            break
    return (width, height), False


def _table_size(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _after_blocks(data: bytes, position: int) -> int:
    while data[position]:
        position += data[position] + 1
    return position + 1


def boxes_are_whole(data: bytes) -> bool:
    """Whether the boxes of an AVIF fill its file to the last byte."""
    position = 0
    while position + 8 <= len(data):
        size = int.from_bytes(data[position : position + 4])
        if size == 1:
            size = int.from_bytes(data[position + 8 : position + 16])
        if size < 8:
            return False
        position += size
    return position == len(data)
