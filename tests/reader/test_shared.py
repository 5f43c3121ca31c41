"""The copies of images at their URLs, in heads and in feeds."""

from io import BytesIO
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.test import override_settings
from PIL import Image as Picture
from pytest_django import DjangoAssertNumQueries, Settings

from blog_engine.images import social_drawing
from blog_engine.images._decoding import DECODER
from blog_engine.images.files import file_name
from blog_engine.models import Image
from blog_engine.models.image import set_shared_copy
from blog_engine.services import draw_social_pictures
from tests.requirements import requirement
from tests.support.factories import save, store_image
from tests.support.hosts import blog_settings, file_names
from tests.support.images import animation, encoded, halves, plain
from tests.support.pages import Visitor, meta
from tests.support.tables import new_image, stored

pytestmark = pytest.mark.usefixtures("storage")

ORIGIN = "https://example.com"
LARGE = encoded(halves(size=(1600, 800)), "AVIF")


@pytest.fixture(autouse=True)
def _proxy(settings: Settings, db: None) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy", feed_content="full")


def copy_path(image: Image, suffix: str = "jpg") -> str:
    return f"/media/{image.sha256}/w1200.{suffix}"


def forget(image: Image) -> None:
    """As an earlier version stored it."""
    set_shared_copy(image.pk, shared_type="", shared_width=0, shared_height=0, shared_bytes=0)


@requirement("media.shared", "pages.head.social-image.described")
@pytest.mark.parametrize("suffix", ["jpg", "png"])
def test_networks_are_given_the_copy(visitor: Visitor, suffix: str) -> None:
    data = LARGE if suffix == "jpg" else plain("WEBP", mode="RGBA", size=(1600, 800), color=(9, 9, 9, 90))
    image = store_image(data, filename="photo.avif")
    save(title="Soil", cover_image={"image_id": image.pk}, cover_alt="A quay", publish=True)

    page, answer = visitor.page("/soil"), visitor.get(copy_path(image, suffix))

    content_type = {"jpg": "image/jpeg", "png": "image/png"}[suffix]
    assert meta(page, "og:image") == f"{ORIGIN}/blog{copy_path(image, suffix)}"
    assert [meta(page, f"og:image:{name}") for name in ("width", "height", "type")] == ["1200", "600", content_type]
    assert visitor.graph("/soil")[0]["image"] == meta(page, "og:image")
    assert answer.headers["Content-Type"] == content_type
    assert Picture.open(BytesIO(answer.getvalue())).size == (1200, 600)


@requirement("media.shared", "feeds.terms")
def test_feeds_are_given_the_copy(visitor: Visitor) -> None:
    image = store_image(LARGE, filename="photo.avif")
    body = f"![A quay](/blog/media/{image.sha256}/photo.avif)"
    save(title="Soil", body=body, cover_image={"image_id": image.pk}, publish=True)
    image.refresh_from_db()

    (item,) = visitor.get("/feed.json").json()["items"]
    atom = visitor.get("/feed.xml").content.decode()

    url = f"{ORIGIN}/blog{copy_path(image)}"
    assert item["image"] == url
    assert f'<img src="{url}"' in item["content_html"]
    assert f'<link rel="enclosure" type="image/jpeg" length="{image.shared_bytes}" href="{url}" />' in atom


@requirement("media.unchanged", "media.shared")
@pytest.mark.parametrize(
    ("data", "has_copy"),
    [(plain("WEBP"), True), (animation("WEBP", size=(600, 300)), True), (plain("PNG"), False), (animation(), False)],
    ids=["small WebP", "animated WebP", "small PNG", "animated GIF"],
)
def test_an_original_that_not_all_readers_show_has_the_copy_as_fallback(
    visitor: Visitor, data: bytes, has_copy: bool
) -> None:
    image = store_image(data, filename="photo")
    save(title="Soil", body=f"![A quay](/blog/media/{image.sha256}/photo)", publish=True)

    article = visitor.page("/soil").one("figure")

    original, width = f"/blog/media/{image.sha256}/photo", image.width
    assert article.one("img").attrs["src"] == (f"/blog{copy_path(image)}" if has_copy else original)
    if has_copy:
        source = {"type": "image/webp", "srcset": f"{original} {width}w"}
        assert source.items() <= article.one("source").attrs.items()


@requirement("media.shared.made", "pages.head.social-image.described")
def test_the_copy_of_an_image_of_an_earlier_version_is_drawn_on_its_request(
    visitor: Visitor, storage: Storage, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    image = store_image(LARGE)
    for name in storage.listdir(f"blog_engine/images/{image.sha256[:2]}")[1]:
        if "-w1200-" in name:
            storage.delete(f"blog_engine/images/{image.sha256[:2]}/{name}")
    forget(image)
    save(title="Soil", cover_image={"image_id": image.pk}, cover_alt="A quay", publish=True)

    page = visitor.page("/soil")
    with DECODER:
        waiting = visitor.get(copy_path(image))
    with django_assert_num_queries(1):
        answer = visitor.get(copy_path(image))

    assert meta(page, "og:image") == f"{ORIGIN}/blog{copy_path(image)}"
    assert not page.has("meta", property="og:image:width")
    assert (waiting.status_code, waiting.headers["Cache-Control"]) == (302, "no-store")
    assert waiting.headers["Location"] == f"/blog/media/{image.sha256}/quay.png"
    assert answer.headers["Content-Type"] == "image/jpeg"
    answer.getvalue()


@requirement("media.shared.urls")
def test_the_url_of_the_other_format_leads_to_the_copy(visitor: Visitor) -> None:
    opaque, clear = store_image(LARGE), store_image(plain(mode="RGBA", color=(9, 9, 9, 90)))
    forget(clear)

    for image, asked, given in [(opaque, "png", "jpg"), (clear, "jpg", "png")]:
        answer = visitor.get(copy_path(image, asked))

        assert (answer.status_code, answer.headers["Location"]) == (302, f"/blog{copy_path(image, given)}")


@requirement("media.shared.urls")
def test_an_image_that_is_too_large_to_draw_is_its_own_copy(visitor: Visitor) -> None:
    image = store_image(LARGE)
    set_shared_copy(image.pk, shared_type="none", shared_width=0, shared_height=0, shared_bytes=0)
    save(title="Soil", cover_image={"image_id": image.pk}, cover_alt="A quay", publish=True)

    page = visitor.page("/soil")
    (item,) = visitor.get("/feed.json").json()["items"]

    original = f"{ORIGIN}/blog/media/{image.sha256}/quay.png"
    assert [meta(page, "og:image"), item["image"]] == [original, original]
    assert [meta(page, f"og:image:{name}") for name in ("width", "type")] == ["1600", "image/avif"]


@requirement("media.lookup")
def test_an_original_with_the_name_of_a_copy_is_an_original(visitor: Visitor, storage: Storage) -> None:
    image = stored(new_image(filename="w1200.jpg", content_type="image/png"))
    storage.save(file_name(image.sha256, "image/png"), ContentFile(plain()))

    answer = visitor.get(copy_path(image))

    assert (answer.headers["Content-Type"], answer.getvalue()) == ("image/png", plain())


@requirement("media.social.made-once")
def test_a_picture_is_drawn_when_its_post_is_published(
    storage: Storage, django_capture_on_commit_callbacks: Any, settings: Settings
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        draft = save(title="Draft").post
        assert draft.pk
        post = save(title="Soil", publish=True).post

    assert file_names(storage) == [f"blog_engine/social/{post.pk}.png"]


@requirement("media.social.made-once")
def test_pictures_are_drawn_again_for_other_colours(visitor: Visitor, storage: Storage) -> None:
    post = save(title="Soil", publish=True).post
    image = store_image()
    save(title="Stone", cover_image={"image_id": image.pk}, publish=True)
    save(title="Draft")

    assert draw_social_pictures() == 1
    assert f"blog_engine/social/{post.pk}.png" in file_names(storage)


@requirement("media.social.undrawable")
def test_a_picture_that_cannot_be_drawn_never_fails_a_write_or_a_page(
    visitor: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(social_drawing, "draw_social_picture", lambda picture: 1 / 0)

    with django_capture_on_commit_callbacks(execute=True):
        save(title="Soil", publish=True)
    path = meta(visitor.page("/soil"), "og:image").removeprefix(f"{ORIGIN}/blog")

    assert visitor.get(path).status_code == 404
    with override_settings(BLOG_ENGINE=blog_settings(default_social_image_url="/card.png")):
        answer = visitor.get(path)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"{ORIGIN}/card.png")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "could not be drawn" in caplog.text
