"""Image files of every kind, and web servers that send them."""

import socket
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from django.db import connections
from PIL import ExifTags, ImageCms
from PIL import Image as Picture

from blog_engine.images.fonts import FontSet
from tests.support.web import Server, answer, by_path, serving

SIDEWAYS = 6
"""The EXIF orientation of a photo taken with the camera turned to the left."""


def encoded(picture: Picture.Image, format: str, **options: Any) -> bytes:
    """The picture as a file."""
    target = BytesIO()
    picture.save(target, format, **options)
    return target.getvalue()


def plain(format: str = "PNG", *, size: tuple[int, int] = (30, 20), mode: str = "RGB", color: Any = "teal") -> bytes:
    """A picture of one colour."""
    return encoded(Picture.new(mode, size, color), format)


def halves(left: Any = "red", right: Any = "blue", *, size: tuple[int, int] = (600, 300)) -> Picture.Image:
    """A picture whose halves tell which side is which."""
    picture = Picture.new("RGB", size, left)
    picture.paste(right, (size[0] // 2, 0, *size))
    return picture


def photo(picture: Picture.Image | None = None, *, format: str = "JPEG", orientation: int = SIDEWAYS) -> bytes:
    """A photo as a phone takes it: turned by EXIF, with the place where it was taken."""
    exif = Picture.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    exif[ExifTags.Base.Model] = "Pocket 3"
    exif.get_ifd(ExifTags.IFD.GPSInfo).update(
        {
            ExifTags.GPS.GPSLatitudeRef: "N",
            ExifTags.GPS.GPSLatitude: (52.0, 31.0, 12.0),
            ExifTags.GPS.GPSLongitudeRef: "E",
            ExifTags.GPS.GPSLongitude: (13.0, 24.0, 18.0),
        }
    )
    return encoded(picture or halves(size=(30, 20)), format, exif=exif)


def exif_of(*, tag: int, kind: int, value: bytes) -> bytes:
    """EXIF data of one entry; ``kind`` is a type of TIFF, ``value`` its four bytes."""
    return b"Exif\0\0MM\0\x2a" + struct.pack(">LHHHL", 8, 1, tag, kind, 1) + value + bytes(4)


def animation(
    format: str = "GIF", *, frames: int = 3, size: tuple[int, int] = (20, 10), mode: str = "RGB", **options: Any
) -> bytes:
    """Pictures that follow each other, each different from the one before."""
    colors = [Picture.new("RGB", (1, 1), name).convert(mode).getpixel((0, 0)) for name in ("red", "lime", "blue")]
    pictures = [Picture.new(mode, size, colors[number % 3]) for number in range(frames)]
    return encoded(pictures[0], format, save_all=True, append_images=pictures[1:], duration=40, **options)


def gif_of_dots(count: int, *, screen: tuple[int, int] = (1, 1)) -> bytes:
    """A GIF of ``count`` frames, each of them one pixel of the screen."""
    start, frame = _gif_parts(plain("GIF", size=(1, 1), mode="P", color=0))
    return start[:6] + struct.pack("<HH", *screen) + start[10:] + frame * count + b";"


def gif_with_larger_frame(size: tuple[int, int]) -> bytes:
    """A GIF with a screen of one pixel, whose second frame needs a screen of this size."""
    start, dot = _gif_parts(plain("GIF", size=(1, 1), mode="P", color=0))
    _, frame = _gif_parts(plain("GIF", size=size, mode="P", color=0))
    return start + dot + frame + b";"


def png_of(width: int, height: int) -> bytes:
    """A valid black PNG of any size, small as a file."""
    row = b"\0" * (1 + (width + 7) // 8)
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", rows) + _chunk(b"IEND", b"")


def interlaced_png(width: int, height: int) -> bytes:
    """A black PNG with an alpha channel in seven passes; Pillow writes none."""
    packer = zlib.compressobj(1)
    rows = b""
    for left, top, right, down in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ]:
        row = bytes(1 + 4 * len(range(left, width, right)))
        rows += b"".join(packer.compress(row) for _ in range(top, height, down))
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 1)
    data = _chunk(b"IDAT", rows + packer.flush())
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + data + _chunk(b"IEND", b"")


def gif_and_tar() -> bytes:
    """A GIF that is also a tar archive: its palette is the archive's first header."""
    whole = bytearray(plain("GIF", mode="P", color=0, size=(4, 4)))
    picture = whole[whole.index(b",", 13) :]
    header = bytearray(b"GIF89a" + struct.pack("<HHBBB", 4, 4, 0xF7, 0, 0) + b"\0" * 499)
    header[100:108] = b"0000644\0"
    header[124:136] = b"00000000000\0"
    header[257:265] = b"ustar\x0000"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + b"\0" * (13 + 3 * 256 - 512) + bytes(picture)


def exchanging_profile() -> bytes:
    """An ICC profile in which red and green are exchanged, so that a conversion cannot be overlooked."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    tags = {
        bytes(profile[at : at + 4]): at for at in range(132, 132 + 12 * struct.unpack_from(">I", profile, 128)[0], 12)
    }
    red, green = tags[b"rXYZ"] + 4, tags[b"gXYZ"] + 4
    profile[red : red + 8], profile[green : green + 8] = profile[green : green + 8], profile[red : red + 8]
    return bytes(profile)


def _gif_parts(whole: bytes) -> tuple[bytes, bytes]:
    """What stands before the frame of a GIF, and the frame."""
    frame = whole.index(b",", 13)
    return whole[:frame], whole[frame:-1]


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


BODY = "Text\n\n![Quay]({url})"
"""A body with the picture at a URL."""


def png(colour: str = "teal") -> bytes:
    """The bytes of a PNG of 4 by 3 pixels, the same for the same colour."""
    return plain(size=(4, 3), color=colour)


@contextmanager
def gallery(**pictures: bytes) -> Iterator[Server]:
    """A server on this machine with a picture at ``/<name>.png``; without any, a teal one at ``/quay.png``."""
    named = pictures or {"quay": png()}
    with serving(by_path({f"/{name}.png": answer(content) for name, content in named.items()})) as server:
        yield server


@contextmanager
def gallery_while(happen: Callable[[], object]) -> Iterator[Server]:
    """A server that lets something happen, on a connection of its own, before it gives its picture, at any path."""

    def say(server: Server, connection: socket.socket, path: str) -> None:
        try:
            happen()
        finally:
            connections.close_all()
        connection.sendall(answer(png()))

    with serving(say) as server:
        yield server


def picture_url(server: Server, name: str = "quay") -> str:
    """Where the server has the picture of that name, or does not."""
    return f"http://127.0.0.1:{server.port}/{name}.png"


def draws_every_script() -> bool:
    """Return whether the fonts of this machine, and the library that joins and orders letters, draw every script."""
    return FontSet().missing("漢字 서버 שלום हिन्दी") == ""
