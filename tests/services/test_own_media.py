"""URLs of this blog's own media, sent wherever an image URL is taken: the stored image, never fetched."""

from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from blog_engine import services
from blog_engine.errors import ImageNotPermitted
from blog_engine.inputs.images import UploadImage
from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, adopt, make_author, save
from tests.support.hosts import blog_settings
from tests.support.tables import new_image, refused, stored
from tests.support.web import Server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

TAKERS: dict[str, Callable[[str], Image | None]] = {
    "cover": lambda url: save(cover_image={"url": url}).post.cover_image,
    "social image": lambda url: save(social_image={"url": url}).post.social_image,
    "avatar": lambda url: make_author(avatar={"url": url}).avatar,
    "adopted cover": lambda url: adopt(cover_image={"url": url}).post.cover_image,
    "upload": lambda url: services.store_image(UploadImage(url=url), actor=EDITOR, now=NOW),
}


@pytest.fixture
def site(quay: Server, settings: Settings) -> Iterator[Server]:
    """A server at the blog's own origin, which counts who asks it."""
    settings.BLOG_ENGINE = blog_settings(public_base_url=f"http://127.0.0.1:{quay.port}")
    yield quay
    assert quay.hits() == 0


@pytest.fixture(params=list(TAKERS))
def take(request: pytest.FixtureRequest) -> Callable[[str], Image | None]:
    return TAKERS[request.param]


@requirement("images.references.own-url", "images.references.own-media")
@pytest.mark.parametrize(
    "url",
    [
        "/blog/media/{sha256}/quay.png",
        "/blog/media/{sha256}/another%20name.png",
        "/blog/media/{sha256}/w480.webp",
        "{origin}/blog/media/{sha256}/quay.png?v=2",
        "HTTP://127.0.0.1:{port}/blog/./media/{sha256}/quay.png",
        "//127.0.0.1:{port}/blog/media/{sha256}/w1200.avif",
    ],
)
def test_a_url_of_our_media_is_the_stored_image(take: Callable[[str], Image | None], url: str, site: Server) -> None:
    image = stored(new_image())

    taken = take(url.format(sha256=image.sha256, origin=f"http://127.0.0.1:{site.port}", port=site.port))

    assert taken == image
    assert Image.objects.count() == 1


@requirement("images.references.own-url")
@pytest.mark.parametrize("path", [f"/blog/media/{'ab' * 32}/quay.png", "/blog/media/quay.png", "/blog/media/"])
@pytest.mark.parametrize("origin", ["", "http://127.0.0.1:{port}"])
def test_our_media_without_such_an_image_are_refused(
    take: Callable[[str], Image | None], origin: str, path: str, site: Server
) -> None:
    with refused(ImageNotPermitted, []):
        take(origin.format(port=site.port) + path)
