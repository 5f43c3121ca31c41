"""What other writers do while an image is fetched."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from blog_engine.errors import ScopeRequired
from blog_engine.models import Image, Post
from tests.requirements import requirement
from tests.support.factories import AGENT, manifest_of, publish, save, unpublish, update
from tests.support.images import BODY, gallery_while, picture_url
from tests.support.web import Server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]


@pytest.fixture
def meanwhile() -> Iterator[Callable[[Callable[[], Any]], Server]]:
    """Servers that let something happen, on another connection, while their picture is fetched."""
    with ExitStack() as servers:
        yield lambda happen: servers.enter_context(gallery_while(happen))


def test_what_another_writer_stored_meanwhile_is_kept(meanwhile: Any) -> None:
    post = save(body="Old").post
    server = meanwhile(lambda: update(post, body="## New"))

    written = update(post, title="Renamed", cover_image={"url": picture_url(server)}).post

    assert (written.title, written.body, written.cover_image.filename) == ("Renamed", "## New", "quay.png")
    assert written.outline[0]["text"] == "New"


def test_an_image_that_only_the_lock_shows_to_be_needed_is_not_fetched(meanwhile: Any, quay: Server) -> None:
    body = BODY.format(url=picture_url(quay))
    post = save(body=body).post
    asked = quay.hits()
    server = meanwhile(lambda: update(post, body="Something else."))

    written = update(post, body=body, cover_image={"url": picture_url(server)}).post

    assert written.body == body
    assert manifest_of(written) == [(picture_url(quay), "")]
    assert quay.hits() == asked


@requirement("access.scopes.edit")
def test_the_scope_is_asked_again_under_the_lock(meanwhile: Any) -> None:
    post = save(slug="p").post
    server = meanwhile(lambda: publish(post))

    with pytest.raises(ScopeRequired):
        update(post, actor=AGENT, title="New", cover_image={"url": picture_url(server)})

    assert not Image.objects.exists()
    assert (Post.objects.get().title, Post.objects.get().cover_image) == ("Winter garden", None)
    assert unpublish(post).post.status == "draft"
