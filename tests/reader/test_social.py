"""The pictures of shared links on pages and at their URLs."""

from io import BytesIO

import pytest
from django.core.files.storage import Storage
from django.http import HttpResponse
from django.test import override_settings
from PIL import Image
from pytest_django import DjangoAssertNumQueries, Settings

from blog_engine.models import Post
from tests.reader.conftest import parent
from tests.requirements import requirement
from tests.support.factories import save, store_image, unpublish, update
from tests.support.hosts import HalfWriting, OutOfReach, Place, blog_settings, file_names, use_storage
from tests.support.images import encoded, halves
from tests.support.pages import Visitor, meta

pytestmark = pytest.mark.usefixtures("storage")

FOREVER = "max-age=31536000, public, immutable"


@pytest.fixture
def post(db: None) -> Post:
    return save(title="Winter garden", author={"name": "Ada Example"}, publish=True).post


def picture_url(visitor: Visitor, path: str = "/winter-garden") -> str:
    """Return the path of the picture below the mount."""
    url = meta(visitor.page(path), "og:image")
    assert url.startswith("https://example.com/blog/media/social/")
    return url.removeprefix("https://example.com/blog")


@requirement("media.social", "pages.head.social-image.described")
def test_a_post_without_an_image_has_a_picture(visitor: Visitor, post: Post) -> None:
    page = visitor.page("/winter-garden")
    answer = visitor.get(picture_url(visitor))

    drawn = Image.open(BytesIO(answer.content))
    assert (drawn.format, drawn.size) == ("PNG", (1200, 630))
    assert [meta(page, f"og:image:{name}") for name in ("width", "height", "type", "alt")] == [
        "1200",
        "630",
        "image/png",
        "Winter garden — Ada Example — The Example Journal",
    ]
    assert visitor.graph("/winter-garden")[0]["image"] == meta(page, "og:image")
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["Content-Length"] == str(len(answer.content))


@requirement("pages.head.social-image.described")
@override_settings(USE_THOUSAND_SEPARATOR=True)
def test_the_image_of_a_post_is_described(visitor: Visitor) -> None:
    image = store_image(encoded(halves(size=(1600, 300)), "PNG"))
    save(title="Soil", cover_image={"image_id": image.pk}, cover_alt="The quay", publish=True)
    save(title="Stone", social_image={"image_id": image.pk}, publish=True)

    soil, stone = visitor.page("/soil"), visitor.page("/stone")

    for page in (soil, stone):
        described = [meta(page, f"og:image:{name}") for name in ("width", "height", "type")]
        assert described == ["1200", "225", "image/jpeg"]
    assert meta(soil, "og:image:alt") == "The quay"
    assert not stone.has("meta", property="og:image:alt")


@requirement("media.social.kept")
def test_a_picture_is_kept_for_ever(visitor: Visitor, post: Post) -> None:
    path = picture_url(visitor)

    first = visitor.get(path)
    again = visitor.client.get(f"/blog{path}", headers={"if-none-match": first.headers["ETag"]})
    head = visitor.client.head(f"/blog{path}")

    for answer in (first, again, head):
        assert answer.headers["Cache-Control"] == FOREVER
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Security-Policy"] == "sandbox; default-src 'none'"
    assert [answer.status_code for answer in (first, again, head)] == [200, 304, 200]
    assert (again.content, head.content) == (b"", b"")


@requirement("media.social.digest", "media.social.made-once")
def test_a_picture_follows_the_title(visitor: Visitor, post: Post, storage: Storage) -> None:
    before = picture_url(visitor)
    visitor.get(before)
    update(post, title="Summer garden", change="substantive")
    after = picture_url(visitor)

    assert before != after
    assert [visitor.get(path).status_code for path in (before, after)] == [404, 200]
    assert file_names(storage) == [f"blog_engine/social/{post.pk}.png"]


@requirement("media.social.digest")
def test_other_urls_draw_nothing(visitor: Visitor, post: Post, storage: Storage, subtests: pytest.Subtests) -> None:
    digest = picture_url(visitor).rpartition("/")[2].removesuffix(".png")

    for made in [
        *(
            "/winter-garden/" + "0" * 32,
            "/summer-garden/{digest}",
            "/winter-garden/{upper}",
            "/winter-garden/{digest}x",
        ),
        *("/%00/{digest}", "/winter%00garden/{digest}", "/winter-garden%00/{digest}", "/WINTER-garden/{digest}"),
        *("/winter%0agarden/{digest}", "/%ff/{digest}", f"/{'a' * 5_000}/{{digest}}"),
    ]:
        with subtests.test(made=made):
            path = made.format(digest=digest, upper=digest.upper() if digest.upper() != digest else "A" * 32)

            answer = visitor.get(f"/media/social{path}.png")

            assert answer.status_code == 404
            assert "immutable" not in answer.headers.get("Cache-Control", "")
            assert file_names(storage) == []


@requirement("media.social.digest")
def test_a_post_that_is_not_public_has_no_picture(visitor: Visitor, post: Post, storage: Storage) -> None:
    path = picture_url(visitor)
    unpublish(post)

    assert visitor.get(path).status_code == 404
    assert file_names(storage) == []


@requirement("media.social.digest")
def test_a_post_with_an_image_has_no_picture(visitor: Visitor, post: Post) -> None:
    path = picture_url(visitor)
    image = store_image(encoded(halves(size=(600, 300)), "PNG"))
    update(post, cover_image={"image_id": image.pk}, cover_alt="The quay", change="substantive")

    assert visitor.get(path).status_code == 404


@requirement("media.social.no-font")
def test_without_a_font_the_default_image_is_shown(visitor: Visitor, no_system_fonts: None) -> None:
    save(title="\U00016f00 \U00016f00", slug="soil", publish=True)

    with override_settings(BLOG_ENGINE=blog_settings(default_social_image_url="/card.png")):
        page = visitor.page("/soil")

    assert meta(page, "og:image") == "https://example.com/card.png"
    assert not page.has("meta", property="og:image:width")


@requirement("media.social.off")
def test_pictures_can_be_switched_off(visitor: Visitor, post: Post) -> None:
    path = picture_url(visitor)

    with override_settings(BLOG_ENGINE=blog_settings(social_pictures={"enabled": False})):
        page, answer = visitor.page("/winter-garden"), visitor.get(path)

    assert not page.has("meta", property="og:image")
    assert answer.status_code == 404


@requirement("media.social.out-of-reach")
def test_a_storage_out_of_reach_is_503(visitor: Visitor, post: Post, settings: Settings) -> None:
    path = picture_url(visitor)
    use_storage(settings, OutOfReach, alias="away")
    settings.BLOG_ENGINE = blog_settings(storage="away")

    answer = visitor.get(path)

    assert answer.status_code == 503
    assert answer.headers["Cache-Control"] == "no-store"
    assert int(answer.headers["Retry-After"]) > 0


@requirement("media.social.unsaved")
def test_a_storage_that_takes_no_files_sends_the_picture(
    visitor: Visitor, post: Post, storage: Storage, settings: Settings
) -> None:
    path = picture_url(visitor)
    use_storage(settings, HalfWriting, alias="full")
    settings.BLOG_ENGINE = blog_settings(storage="full")

    answers = [visitor.get(path) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert Image.open(BytesIO(answers[1].content)).size == (1200, 630)


@requirement("media.social.language", "media.social.digest")
def test_a_picture_follows_the_language(visitor: Visitor, post: Post) -> None:
    before = picture_url(visitor)
    update(post, language="de", change="substantive")
    after = picture_url(visitor)

    assert [visitor.get(path).status_code for path in (before, after)] == [404, 200]


@requirement("media.social.queries")
def test_a_picture_takes_one_query(
    visitor: Visitor, post: Post, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path = picture_url(visitor)

    with django_assert_num_queries(1):
        assert visitor.get(path).status_code == 200
    with django_assert_num_queries(1):
        assert visitor.get(path).status_code == 200


@requirement("media.social")
def test_a_picture_is_found_at_every_mount(place: Place) -> None:
    save(title="Soil", publish=True)
    page = place.get("/soil").content.decode()

    url = page.partition('property="og:image" content="https://example.com')[2].partition('"')[0]

    assert url.startswith(f"{place.prefix}/media/social/soil/")
    assert place.get(url.removeprefix(place.prefix)).headers["Content-Type"] == "image/png"


@requirement("media.parent-class")
def test_pictures_are_behind_the_parent_controller(visitor: Visitor, post: Post) -> None:
    path = picture_url(visitor)

    with override_settings(BLOG_ENGINE=blog_settings(parent_controller=parent(lambda *_: HttpResponse(status=403)))):
        assert visitor.get(path).status_code == 403
