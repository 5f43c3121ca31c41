"""A program that decodes an image within limits on memory and time.

``python -I -S _decoding_program.py FOLDER FORMAT FRAMES BYTES SECONDS`` takes Pillow from the folder, reads the image
from standard input, and writes ``decoded`` when it has decoded all frames. It imports neither Django nor code of the
host: with them it would need more memory than most images.
"""

import sys
from importlib import import_module
from io import BytesIO
from typing import Any

if __name__ == "__main__":
    sys.path.append(sys.argv[1])

from PIL import AvifImagePlugin, Image


def load_frames(image: Image.Image, frames: int) -> None:
    """Decode the first ``frames`` frames."""
    # Decoding reads a JPEG to its end at any scale.
    image.draft(None, (1, 1))
    for frame in range(frames):
        image.seek(frame)
        image.load()


def decode_input(format: str, frames: int, most_bytes: int, seconds: int) -> None:
    """Decode the image on standard input; any exception or signal means that it is refused."""
    resource = import_module("resource")
    _limit(resource, resource.RLIMIT_DATA, most_bytes)
    _limit(resource, resource.RLIMIT_CPU, seconds)
    _limit(resource, resource.RLIMIT_CORE, 0)
    # Each thread would decode a frame of its own.
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
    # The server has counted the pixels.
    Image.MAX_IMAGE_PIXELS = None
    with Image.open(BytesIO(sys.stdin.buffer.read()), formats=[format]) as image:
        load_frames(image, frames)
    sys.stdout.write("decoded")


def _limit(resource: Any, kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    decode_input(sys.argv[2], *map(int, sys.argv[3:]))
