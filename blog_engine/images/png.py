"""PNG files of drawn pictures, which have large plain areas."""

import struct
import zlib
from collections.abc import Mapping
from typing import Final

from PIL import Image

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_LEVEL: Final = 3
"""Of zlib; Pillow takes three times as long for 10 % fewer bytes, most of it to choose a filter for each row."""


def png_of(image: Image.Image, texts: Mapping[str, str]) -> bytes:
    """Return an RGB image without transparency as PNG, with these texts in Latin-1 before the pixels."""
    width, height = image.size
    pixels, length = image.convert("RGB").tobytes(), 3 * width
    # Each row begins with the number of its filter, here of none.
    rows = b"".join(b"\0" + pixels[start : start + length] for start in range(0, len(pixels), length))
    return b"".join(
        [
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            *(_chunk(b"tEXt", f"{key}\0{text}".encode("latin-1")) for key, text in texts.items()),
            _chunk(b"IDAT", zlib.compress(rows, _LEVEL)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
