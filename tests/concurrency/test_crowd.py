"""Many clients at once, about the same few records: no request fails, and the stored rows are consistent.

``BLOG_ENGINE_CROWD`` is the duration in seconds, ``BLOG_ENGINE_SEED`` the seed of all random choices.
"""

import os
import socket
from collections.abc import Iterator

import pytest
from django.test import Client
from pytest_django import Settings

from tests.concurrency.races import Crowd, picture_of_the_moment
from tests.support.clients import make_secret
from tests.support.integrity import assert_all_is_well
from tests.support.web import Server, answer, serving

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]

SECONDS = float(os.environ.get("BLOG_ENGINE_CROWD", "2"))
SEED = int(os.environ.get("BLOG_ENGINE_SEED", "0"))
ANSWERS = {200, 201, 202, 204, 404, 409, 422}


@pytest.fixture
def gallery() -> Iterator[str]:
    """The URL of a server that draws its pictures on request."""

    def say(server: Server, connection: socket.socket, path: str) -> None:
        connection.sendall(answer(picture_of_the_moment(int(path.strip("/").removesuffix(".png")))))

    with serving(say) as server:
        yield f"http://127.0.0.1:{server.port}"


def test_a_crowd_leaves_everything_whole(gallery: str, settings: Settings) -> None:
    settings.RATELIMIT_ENABLE = False
    secret = make_secret()
    crowd = Crowd(lambda: Client(headers={"Authorization": f"Bearer {secret}"}), gallery, SECONDS)

    told = crowd.run(8, seed=SEED)

    failures = {(status, code) for _, status, code in told if status not in ANSWERS}
    assert failures <= {(503, "busy")}, told
    assert_all_is_well()
