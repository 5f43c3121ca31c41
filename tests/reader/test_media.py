"""Original images and variants, redirected to the storage or streamed."""

import logging
from io import BytesIO
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import Storage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import override_settings
from django.views import View
from PIL import Image as Picture
from pytest_django import DjangoAssertNumQueries, Settings

from blog_engine.content import figures
from blog_engine.images._decoding import DECODER
from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.factories import store_image
from tests.support.hosts import OutOfReach, blog_settings, file_names, use_storage
from tests.support.images import animation, encoded, halves, plain
from tests.support.pages import Visitor, text_of
from tests.support.tables import undone

pytestmark = pytest.mark.usefixtures("storage")

FOREVER = "max-age=31536000, public, immutable"
NOT_KEPT = "max-age=0, private, must-revalidate"
ARABIC = "w\u0664\u0668\u0660.avif"
LARGE = encoded(halves(size=(600, 300)), "PNG")


@pytest.fixture
def proxy(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")


class Wall(View):
    """A host's parent class that requires a key."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return super().dispatch(request, *args, **kwargs) if "key" in request.GET else HttpResponse(status=403)


def stored_at(image: Image) -> str:
    return f"/media/blog_engine/images/{image.sha256[:2]}/{image.sha256}"


@requirement("media.lookup", "media.redirect.lifetime")
def test_an_original_redirects_to_the_storage_whatever_its_name(visitor: Visitor, subtests: pytest.Subtests) -> None:
    image = store_image()

    for filename in ["quay.png", "other.gif", "a%20b", "w480", "w480.png", "%F0%9F%9A%A2"]:
        with subtests.test(filename=filename), undone():
            answer = visitor.get(f"/media/{image.sha256}/{filename}")

            assert (answer.status_code, answer.headers["Location"]) == (302, f"{stored_at(image)}.png")
            assert answer.headers["Cache-Control"] == "max-age=86400, public"


@requirement("media.variant-urls")
@pytest.mark.parametrize(("format", "width"), [("avif", 480), ("webp", 768)])
def test_a_variant_redirects_to_the_storage(visitor: Visitor, storage: Storage, format: str, width: int) -> None:
    image = store_image(LARGE)

    answer = visitor.get(f"/media/{image.sha256}/w{width}.{format}")

    url = answer.headers["Location"]
    assert (answer.status_code, answer.headers["Cache-Control"]) == (302, "max-age=86400, public")
    assert url.startswith(f"{stored_at(image)}-w{width}-")
    assert storage.exists(url.removeprefix("/media/"))


@requirement("media.proxy", "media.proxy.harmless")
@pytest.mark.usefixtures("proxy")
def test_the_original_is_streamed_unchanged(visitor: Visitor) -> None:
    image = store_image(plain("JPEG"), filename='Quay "at" Dusk — 埠.html')

    answer = visitor.get(f"/media/{image.sha256}/x")

    assert (answer.status_code, answer.streaming, answer.getvalue()) == (200, True, plain("JPEG"))
    assert {name: answer.headers[name] for name in ("Content-Type", "Content-Length", "Accept-Ranges", "ETag")} == {
        "Content-Type": "image/jpeg",
        "Content-Length": str(len(plain("JPEG"))),
        "Accept-Ranges": "bytes",
        "ETag": f'"{image.sha256}"',
    }
    assert answer.headers["Cache-Control"] == FOREVER
    assert answer.headers["Content-Disposition"] == (
        "inline; filename*=utf-8''Quay%20-at-%20Dusk%20%E2%80%94%20%E5%9F%A0.html"
    )
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"


@requirement("media.proxy", "media.variant-urls")
@pytest.mark.usefixtures("proxy")
@pytest.mark.parametrize(("format", "media_type"), [("avif", "image/avif"), ("webp", "image/webp")])
def test_a_variant_is_streamed(visitor: Visitor, format: str, media_type: str) -> None:
    image = store_image(LARGE, filename="quay.large.png")

    answer = visitor.get(f"/media/{image.sha256}/w480.{format}")

    data = answer.getvalue()
    assert (answer.headers["Content-Type"], answer.headers["Cache-Control"]) == (media_type, FOREVER)
    assert answer.headers["Content-Disposition"] == f'inline; filename="quay.large-480.{format}"'
    assert answer.headers["Content-Length"] == str(len(data))
    assert Picture.open(BytesIO(data)).size == (480, 240)
    again = visitor.get(f"/media/{image.sha256}/w480.{format}", if_none_match=answer.headers["ETag"])
    assert again.status_code == 304


@requirement("media.missing")
@pytest.mark.parametrize("delivery", ["redirect", "proxy"])
@pytest.mark.parametrize(
    "path",
    [
        *("{unknown}/x.png", "{unknown}/w480.webp", "{short}/x.png", "{upper}/x.png"),
        *("{known}", "{known}/", "{known}/a/b.png"),
    ],
)
def test_what_is_no_image_is_not_found(visitor: Visitor, settings: Settings, delivery: str, path: str) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery=delivery)
    known = store_image(LARGE).sha256

    answer = visitor.get("/media/" + path.format(known=known, unknown="0" * 64, short=known[:63], upper=known.upper()))

    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, NOT_KEPT)
    assert "<h1" in text_of(answer)


@requirement("media.variant-urls")
@pytest.mark.parametrize("delivery", ["redirect", "proxy"])
@pytest.mark.parametrize("name", ["w479.webp", "w1200.webp", "w0480.webp", "w0.avif", ARABIC, f"w{'9' * 5000}.avif"])
def test_other_widths_are_not_found(visitor: Visitor, settings: Settings, delivery: str, name: str) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery=delivery)
    image = store_image(LARGE)

    answer = visitor.get(f"/media/{image.sha256}/{name}")

    # Digits of another script are part of a file name.
    assert answer.status_code == (404 if name.isascii() else 302 if delivery == "redirect" else 200)
    answer.getvalue()


@requirement("media.variant-urls")
def test_a_format_that_this_pillow_does_not_write_is_not_found(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = store_image(LARGE)
    monkeypatch.setattr(figures, "has_codec", lambda name: name != "avif")

    statuses = [visitor.get(f"/media/{image.sha256}/w480.{format}").status_code for format in ("avif", "webp")]

    assert statuses == [404, 302]


@requirement("media.unchanged")
@pytest.mark.parametrize("data", [plain(), animation(size=(600, 300))], ids=["small", "animated"])
def test_small_images_and_animations_have_no_variants(visitor: Visitor, storage: Storage, data: bytes) -> None:
    image = store_image(data)

    answer = visitor.get(f"/media/{image.sha256}/w480.webp")

    assert answer.status_code == 404
    assert len(file_names(storage)) == 1


@requirement("media.missing")
@pytest.mark.parametrize("name", ["quay.png", "w480.webp"])
def test_a_missing_file_is_not_found(visitor: Visitor, storage: Storage, settings: Settings, name: str) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery="proxy")
    image = store_image(LARGE)
    for file in file_names(storage):
        storage.delete(file)

    answer = visitor.get(f"/media/{image.sha256}/{name}")

    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, NOT_KEPT)


@requirement("media.out-of-reach")
@pytest.mark.parametrize("delivery", ["redirect", "proxy"])
@pytest.mark.parametrize("name", ["quay.png", "w480.webp"])
def test_an_unavailable_storage_is_503(
    visitor: Visitor, settings: Settings, caplog: pytest.LogCaptureFixture, delivery: str, name: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery=delivery)
    image = store_image(LARGE)
    use_storage(settings, OutOfReach)

    with caplog.at_level(logging.ERROR, "blog_engine"):
        answer = visitor.get(f"/media/{image.sha256}/{name}")

    assert (answer.status_code, answer.headers["Cache-Control"], answer.headers["Retry-After"]) == (
        503,
        "no-store",
        "5",
    )
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [ConnectionError]


def test_a_storage_that_does_not_exist_is_the_hosts_mistake(visitor: Visitor, settings: Settings) -> None:
    image = store_image()
    settings.BLOG_ENGINE = blog_settings(storage="nowhere")

    with pytest.raises(ImproperlyConfigured):
        visitor.get(f"/media/{image.sha256}/quay.png")


@requirement("media.without-urls")
def test_images_of_a_host_without_media_url_are_streamed(visitor: Visitor, settings: Settings) -> None:
    settings.MEDIA_URL = ""

    answer = visitor.get(f"/media/{store_image().sha256}/quay.png")

    assert (answer.status_code, answer.getvalue()) == (200, plain())


@requirement("media.queries")
@pytest.mark.parametrize("delivery", ["redirect", "proxy"])
@pytest.mark.parametrize("name", ["quay.png", "w480.webp"])
def test_an_image_costs_one_query(
    visitor: Visitor,
    settings: Settings,
    django_assert_num_queries: DjangoAssertNumQueries,
    delivery: str,
    name: str,
) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery=delivery)
    image = store_image(LARGE)

    with django_assert_num_queries(1):
        visitor.get(f"/media/{image.sha256}/{name}").getvalue()


@requirement("media.parent-class", "pages.parent-class")
def test_images_pass_through_the_parent_class(visitor: Visitor) -> None:
    image = store_image(LARGE)

    with override_settings(BLOG_ENGINE=blog_settings(parent_controller=Wall)):
        statuses = [
            visitor.get(f"/media/{image.sha256}/{name}").status_code for name in ("q.png?key", "q.png", "w480.webp")
        ]

    assert statuses == [302, 403, 403]


@requirement("media.proxy.harmless")
@pytest.mark.usefixtures("proxy")
def test_bytes_after_an_image_cannot_run(visitor: Visitor) -> None:
    image = store_image(plain("JPEG") + b"<script>alert(1)</script>", filename="page.html")

    answer = visitor.get(f"/media/{image.sha256}/page.html")

    assert answer.getvalue().endswith(b"</script>")
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"


@requirement("media.no-waiting")
@pytest.mark.parametrize("delivery", ["redirect", "proxy"])
def test_a_variant_that_is_not_drawn_yet_redirects_to_the_original(
    visitor: Visitor, settings: Settings, delivery: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(image_delivery=delivery)
    image = store_image(LARGE, filename="old quay.png")

    with DECODER:
        early = visitor.get(f"/media/{image.sha256}/w480.avif")

    assert (early.status_code, early.headers["Cache-Control"]) == (302, "no-store")
    assert early.headers["Location"] == f"/blog/media/{image.sha256}/old%20quay.png"
    later = visitor.get(f"/media/{image.sha256}/w480.avif")
    later.close()
    assert later.headers["Cache-Control"] != "no-store"


@requirement("media.no-waiting", "images.bytes.memory")
def test_a_variant_that_is_too_large_to_draw_redirects_to_the_original(visitor: Visitor, settings: Settings) -> None:
    image = store_image(LARGE)
    settings.BLOG_ENGINE = blog_settings(max_image_pixels=600 * 300 - 1)

    answer = visitor.get(f"/media/{image.sha256}/w480.webp")

    assert (answer.status_code, answer.headers["Cache-Control"]) == (302, "max-age=86400, public")
    assert answer.headers["Location"] == f"/blog/media/{image.sha256}/quay.png"
