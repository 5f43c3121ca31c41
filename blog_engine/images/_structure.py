"""The structure of image files: their parts, and the memory that decoding them takes."""

import re
import struct
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from PIL import Image

_MARKER: Final = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")
"""A segment of a JPEG; in compressed data, FF is followed by 00 or a restart marker."""

_START, _END, _SCAN = 0xD8, 0xD9, 0xDA
_ALONE: Final = frozenset({0x00, 0x01, *range(0xD0, _SCAN)})
"""Bytes after FF in a JPEG that no length follows: filling, restarts, start and end."""

_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_PROGRESSIVE: Final = frozenset({0xC2, 0xC6, 0xCA, 0xCE})
_BYTES_OF_A_BLOCK: Final = 128
"""A block is 8 by 8 coefficients."""

UNKNOWN: Final = 1 << 62
"""More pixels than any image has."""

_LONGEST_TABLE: Final = 65_536
_MOST_UNITS: Final = 10_000
_LONGEST_HEADER: Final = 1_024
"""Limits on an AVIF: bytes of a table, units, bytes of a header. More would cost time, and no encoder writes more."""

_GIF_PART: Final = re.compile(rb"[!,;]")

MOST_BYTES: Final = 275_000_000
"""Memory for decoding one image; with the file, a process grows by at most 300 MB (images.bytes.memory)."""

_BYTES_A_PIXEL: Final = {"PNG": 4, "GIF": 4, "WEBP": 16, "AVIF": 20}
"""Of a still image. Pillow keeps four copies of a WebP, and three of an AVIF beside its planes of up to 16 bits."""

_BYTES_A_PIXEL_MOVING: Final = {"PNG": 17, "GIF": 18, "WEBP": 17, "AVIF": 20}
"""Of an animation: the frame, the previous one, and what they are composed with."""

_SCALES: Final = (8, 4, 2)
"""The scales at which libjpeg decodes: 1/8, 1/4, 1/2."""

MOST_PARTS: Final = 100_000
"""Chunks, segments and blocks, which Pillow reads in Python. No file of 10 MiB needs as many; millions took 15 s."""

_MOST_SCANS: Final = 100
_MOST_PIXELS_SCANNED: Final = 900_000_000
"""Of all scans together: libjpeg writes a progressive photo in 10 scans, one in CMYK in 18, here of 50 megapixels."""


def has_too_many_parts(data: bytes) -> bool:
    """Return whether a PNG, JPEG or GIF has more than ``MOST_PARTS`` parts, bytes out of place counted as parts."""
    parts_of = next((parts_of for start, parts_of in _PARTS.items() if data.startswith(start)), None)
    return parts_of is not None and next(islice(parts_of(data), MOST_PARTS, None), None) is not None


def has_too_many_scans(image: Image.Image, data: bytes, *, pixels: int) -> bool:
    """Return whether a JPEG of as many pixels is drawn more often than encoders have reason to."""
    if not is_jpeg(image):
        return False
    most = min(_MOST_SCANS, _MOST_PIXELS_SCANNED // pixels)
    scans = 0
    for number, (marker, _) in enumerate(_jpeg_segments(data)):
        scans += marker == _SCAN
        if scans > most or number == MOST_PARTS:
            return True
    return False


def _parts_of_png(data: bytes) -> Iterator[int]:
    position = 8
    while position < len(data):
        yield position
        if data[position + 4 : position + 8] == b"IEND":
            return
        position += 12 + int.from_bytes(data[position : position + 4])


def _parts_of_jpeg(data: bytes) -> Iterator[int]:
    """Yield the places that Pillow looks at: from the first scan on, the file is read in C."""
    yield from range(data.count(b"8BIM"))  # blocks inside a segment
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


def _parts_of_gif(data: bytes) -> Iterator[int]:
    position = 13 + _table_size(data[10] if len(data) > 10 else 0)
    while position < len(data) and data[position] != ord(";"):
        yield position
        if data[position] == ord("!"):
            position += 2
        elif data[position] == ord(","):
            position += 11 + _table_size(data[position + 9] if position + 9 < len(data) else 0)
        else:
            position += 1
            continue
        while position < len(data) and data[position]:
            yield position
            position += data[position] + 1
        position += 1


_PARTS: Final[dict[bytes, Callable[[bytes], Iterator[int]]]] = {
    b"\x89PNG": _parts_of_png,
    b"\xff\xd8": _parts_of_jpeg,
    b"GIF8": _parts_of_gif,
}
"""By the first bytes of a file; WebP and AVIF are read in C."""


def jpeg_coefficients(data: bytes) -> int:
    """Return the bytes that libjpeg keeps in memory at any scale: 0 for a single scan."""
    frame, is_progressive = b"", False
    for marker, segment in _jpeg_segments(data):
        if marker in _FRAMES:
            frame, is_progressive = segment, marker in _PROGRESSIVE
        elif marker == _SCAN:
            has_one_scan = not is_progressive and segment[0] == frame[5]
            return 0 if has_one_scan else _coefficients(frame)
    raise OSError("The JPEG has no scan.")


def _coefficients(frame: bytes) -> int:
    height, width, components = int.from_bytes(frame[1:3]), int.from_bytes(frame[3:5]), frame[5]
    samplings = [divmod(frame[7 + 3 * number], 16) for number in range(components)]
    across = -(-width // (8 * max(x for x, _ in samplings)))
    down = -(-height // (8 * max(y for _, y in samplings)))
    return across * down * sum(x * y for x, y in samplings) * _BYTES_OF_A_BLOCK


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield each marker with its segment."""
    position = 2
    while found := _MARKER.search(data, position):
        marker, start = found[1][0], found.end()
        if marker == _END:
            return
        position = start
        if marker not in {_START, 1}:
            position += int.from_bytes(data[start : start + 2])
            yield marker, data[start + 2 : position]


def gif_canvas(data: bytes) -> tuple[int, int]:
    """Return the size around all frames of a GIF. Raises ``OSError`` for a GIF that ends early."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    position = 13 + _table_size(flags)
    while found := _GIF_PART.search(data, position):
        position = found.start()
        try:
            match found[0]:
                case b";":
                    return width, height
                case b"!":
                    position = _after_blocks(data, position + 2)
                case _:
                    x, y, across, down, flags = struct.unpack_from("<HHHHB", data, position + 1)
                    width, height = max(width, x + across), max(height, y + down)
                    position = _after_blocks(data, position + 11 + _table_size(flags))
        except (IndexError, struct.error):
            break
    raise OSError("The GIF ends early.")


def _table_size(flags: int) -> int:
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _after_blocks(data: bytes, position: int) -> int:
    while data[position]:
        position += data[position] + 1
    return position + 1


def av1_pixels(data: bytes) -> int:
    """Return the most pixels that a frame in the AV1 data of a still AVIF can have.

    The decoder allocates such a frame before it compares it with the size in the boxes. Returns ``UNKNOWN`` for an
    animation, and for data in an unusual structure.
    """
    try:
        boxes = dict(_boxes(data))
        if b"moov" in boxes:
            return UNKNOWN
        meta = dict(_boxes(boxes[b"meta"][4:]))
        if max(len(meta[b"iinf"]), len(meta[b"iloc"])) > _LONGEST_TABLE:
            return UNKNOWN
        pictures = _av1_items(meta[b"iinf"])
        parts = _extents(meta[b"iloc"], {0: data, 1: meta.get(b"idat", b"")})
        return max(_largest_frame(b"".join(parts[item])) for item in pictures)
    except (LookupError, OSError, ValueError, struct.error):
        return UNKNOWN


def _boxes(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield kind and content of each box; raise ``OSError`` for an incomplete one."""
    position = 0
    while position < len(data):
        size, kind = struct.unpack_from(">I4s", data, position)
        head = 8
        if size == 1:
            (size,), head = struct.unpack_from(">Q", data, position + 8), 16
        if size < head or position + size > len(data):
            raise OSError("A box of the AVIF ends early.")
        yield kind, data[position + head : position + size]
        position += size


def _av1_items(iinf: bytes) -> list[int]:
    items = []
    for kind, entry in _boxes(iinf[6 if iinf[0] == 0 else 8 :]):
        version = entry[0]
        if kind != b"infe" or version not in {2, 3}:
            raise ValueError("An entry without the type of its item.")
        item, _, coding = struct.unpack_from(">HH4s" if version == 2 else ">IH4s", entry, 4)
        if coding == b"av01":
            items.append(item)
    return items


def _extents(iloc: bytes, sources: dict[int, bytes]) -> dict[int, list[bytes]]:
    """Return the pieces of each item, from the file (0) or the box ``idat`` (1)."""
    read = _Bits(iloc)
    version = read(8)
    read(24)
    offset_size, length_size, base_size, index_size = (8 * read(4) for _ in range(4))
    wide = 32 if version == 2 else 16
    pieces: dict[int, list[bytes]] = {}
    left = 2 * sum(map(len, sources.values()))
    for _ in range(read(wide)):
        item = read(wide)
        source = sources[read(16) & 15 if version else 0]
        read(16)
        base = read(base_size)
        for _ in range(read(16)):
            read(index_size if version else 0)
            start, length = base + read(offset_size), read(length_size)
            piece = source[start : start + length] if length else source[start:]
            left -= len(piece)
            if left < 0:
                raise ValueError("The same bytes in many items.")
            pieces.setdefault(item, []).append(piece)
    return pieces


def _largest_frame(data: bytes) -> int:
    """Return the pixels of the largest frame that the sequence headers allow."""
    position = 0
    sizes: list[int] = []
    for _ in range(_MOST_UNITS):
        if position >= len(data):
            return max(sizes)
        head = data[position]
        if not head & 2:
            raise ValueError("A unit without its size.")
        size, position = _leb128(data, position + (2 if head & 4 else 1))
        if head >> 3 & 15 == 1:
            sizes.append(_sequence_pixels(_Bits(data[position : position + min(size, _LONGEST_HEADER)])))
        position += size
    raise ValueError("Too many units.")


def _leb128(data: bytes, position: int) -> tuple[int, int]:
    """Return a number of up to eight bytes, and the position after it."""
    number = 0
    for place in range(8):
        number |= (data[position + place] & 127) << 7 * place
        if not data[position + place] & 128:
            return number, position + place + 1
    raise ValueError("A number of more than eight bytes.")


def _sequence_pixels(read: "_Bits") -> int:
    """Return the pixels in a sequence header.

    With a long header, frames choose their size, and the result is the most that its fields can express.
    """
    read(4)
    is_short = read(1)
    if is_short:
        read(5)
    else:
        _skip_timing(read)
    across, down = read(4) + 1, read(4) + 1
    return (read(across) + 1) * (read(down) + 1) if is_short else 1 << across + down


def _skip_timing(read: "_Bits") -> None:
    delay_length = 0
    if read(1):
        read(64)
        if read(1):
            zeros = 0
            while not read(1):
                zeros += 1
            read(zeros)
        if read(1):
            delay_length = read(5) + 1
            read(42)
    has_display_delay = read(1)
    for _ in range(read(5) + 1):
        read(12)
        if read(5) > 7:
            read(1)
        if delay_length and read(1):
            read(2 * delay_length + 1)
        if has_display_delay and read(1):
            read(4)


class _Bits:
    """Reads numbers of a given count of bits; raises ``ValueError`` at the end."""

    def __init__(self, data: bytes) -> None:
        self._number, self._left = int.from_bytes(data), 8 * len(data)

    def __call__(self, count: int) -> int:
        self._left -= count
        if self._left < 0:
            raise ValueError("The data end early.")
        return self._number >> self._left & (1 << count) - 1


def bytes_to_decode(image: Image.Image, data: bytes, *, pixels: int, scale: int = 1) -> int:
    """Return the bytes of memory that decoding the first frame of an image takes.

    ``pixels`` is the size of the frame before ``scale``. For an AVIF the result is what its data may need, whatever
    its boxes say; an animated AVIF counts as too large.
    """
    if is_jpeg(image):
        return jpeg_coefficients(data) + 4 * pixels // scale**2
    if image.format == "AVIF":
        pixels = max(pixels, av1_pixels(data))
    return _BYTES_A_PIXEL[image.format or ""] * pixels


def bytes_to_decode_all(image: Image.Image, *, pixels: int) -> int:
    """Return the bytes that decoding an animation with frames of ``pixels`` takes."""
    return _BYTES_A_PIXEL_MOVING[image.format or ""] * pixels


def is_jpeg(image: Image.Image) -> bool:
    """Return whether an image is a JPEG, also one with a preview or a depth map (MPO)."""
    return image.format in {"JPEG", "MPO"}


def jpeg_scale(size: tuple[int, int], *, wanted: tuple[int, int]) -> int:
    """Return the divisor at which libjpeg still decodes at least ``wanted`` pixels."""
    most = min(size[0] // wanted[0], size[1] // wanted[1])
    return next((scale for scale in _SCALES if scale <= most), 1)
