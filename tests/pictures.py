"""Small pictures, and servers that give them."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from PIL import ExifTags, Image

from blog_engine.models import Post
from tests.fetching.servers import Server, answer, by_path, serving

Colour = str

BODY = "Text\n\n![Quay]({url})"
"""A body with the picture at a URL."""


def png(colour: Colour = "teal") -> bytes:
    """The bytes of a PNG of 4 by 3 pixels, the same for the same colour."""
    return _bytes_of(colour, "PNG")


def photo(colour: Colour = "teal") -> bytes:
    """The bytes of a JPEG that says where it was taken."""
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (48.0, 8.0, 0.0)
    return _bytes_of(colour, "JPEG", exif=exif)


@contextmanager
def gallery(**pictures: bytes) -> Iterator[Server]:
    """A server on this machine with a picture at ``/<name>.png``; without any, a teal one at ``/quay.png``."""
    named = pictures or {"quay": png()}
    with serving(by_path({f"/{name}.png": answer(content) for name, content in named.items()})) as server:
        yield server


def address(server: Server, name: str = "quay") -> str:
    """Where the server has the picture of that name, or does not."""
    return f"http://127.0.0.1:{server.port}/{name}.png"


def entries(post: Post) -> list[tuple[str, str]]:
    """The addresses and digests of the images in the stored body."""
    return [(image["url"], image["sha256"]) for image in Post.objects.get(pk=post.pk).body_image_manifest]


def _bytes_of(colour: Colour, kind: str, **options: Any) -> bytes:
    file = BytesIO()
    Image.new("RGB", (4, 3), colour).save(file, kind, **options)
    return file.getvalue()
