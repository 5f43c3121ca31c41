"""Small pictures, and servers that give them."""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connections

from blog_engine.models import Post
from tests.fetching.servers import Server, answer, by_path, serving
from tests.images.samples import plain

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


def address(server: Server, name: str = "quay") -> str:
    """Where the server has the picture of that name, or does not."""
    return f"http://127.0.0.1:{server.port}/{name}.png"


def entries(post: Post) -> list[tuple[str, str]]:
    """The addresses and digests of the images in the stored body."""
    return [(image["url"], image["sha256"]) for image in Post.objects.get(pk=post.pk).body_image_manifest]
