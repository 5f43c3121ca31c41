"""E19 E and the social image of F: the bytes that readers get are the recorded ones."""

from itertools import pairwise

import pytest
from django.test import override_settings

from blog_engine.enums import ReportResult
from blog_engine.images.files import file_name, image_storage
from blog_engine.models import Image, Post
from blog_engine.surface_report.content import judge_content
from blog_engine.surface_report.observation import Observation
from tests.requirements import requirement
from tests.support.factories import approve
from tests.support.hosts import blog_settings
from tests.support.images import BODY, gallery, picture_url, png
from tests.support.web import Server
from tests.surface_report.conftest import (
    Staged,
    answer,
    approved,
    asked,
    inspect,
    look,
    looked,
    original,
    parts,
    picture,
    save,
    site,
    wrong,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

MEDIA = "/media/blog_engine/images/"
CDN = "https://cdn.example/quay.png"


@pytest.fixture
def image() -> Image:
    return picture()


@pytest.fixture
def post(image: Image) -> Post:
    return approved(body=f"Text\n\n![Quay]({original(image)})")


def bytes_of(image: Image) -> bytes:
    with image_storage().open(file_name(image.sha256, image.content_type), "rb") as file:
        return bytes(file.read())


def redirected(post: Post, staged: Staged) -> Observation:
    with override_settings(BLOG_ENGINE=blog_settings(image_delivery="redirect")):
        return look(judge_content, post, staged=staged)


@requirement("surface-report.e19.bytes")
def test_an_image_with_the_recorded_bytes_passes(post: Post) -> None:
    assert wrong(looked(post)) == ""


@requirement("surface-report.e19.bytes", "surface-report.e19.tampering")
def test_other_bytes_in_the_storage_are_seen(post: Post, image: Image) -> None:
    name = file_name(image.sha256, image.content_type)
    with image_storage().open(name, "wb") as file:
        file.write(png())

    found = looked(post)

    assert (found.result, wrong(found)) == (ReportResult.FAIL, "E")


@requirement("surface-report.e19.bytes")
def test_an_image_that_is_gone_fails(post: Post, image: Image) -> None:
    image_storage().delete(file_name(image.sha256, image.content_type))

    found = looked(post)

    assert (found.result, wrong(found)) == (ReportResult.FAIL, "E")
    assert "answered 404" in found.reason


@requirement("surface-report.e19.bytes")
def test_an_image_without_an_answer_is_not_verified(post: Post, image: Image) -> None:
    found = looked(post, staged={original(image): None})

    assert (found.result, wrong(found)) == (ReportResult.NOT_VERIFIED, "E")


@requirement("surface-report.e19.bytes")
@pytest.mark.parametrize("location", ["https://cdn.example/a.png?signed=1", "/media/a.png", "../../../media/a.png"])
@pytest.mark.parametrize(("is_right", "result"), [(True, "pass"), (False, "fail")])
def test_a_redirect_to_the_storage_is_followed(
    post: Post, image: Image, location: str, is_right: bool, result: str
) -> None:
    stored = answer(bytes_of(image) if is_right else png())
    found = redirected(
        post,
        {
            original(image): answer(status=302, location=location),
            location: stored,
            "/media/a.png": stored,
        },
    )

    assert parts(found)["E"] == result


@requirement("surface-report.e19.bytes")
def test_the_redirect_of_the_blog_itself_is_followed(post: Post, image: Image) -> None:
    path = f"{MEDIA}{image.sha256[:2]}/{image.sha256}.png"

    assert wrong(redirected(post, {path: answer(bytes_of(image))})) == ""


@requirement("surface-report.e19.bytes")
@pytest.mark.parametrize("location", ["http://10.0.0.1/a.png", "http://[", "ftp://cdn.example/a.png", ""])
def test_a_redirect_to_where_nothing_is_fetched_is_not_verified(post: Post, image: Image, location: str) -> None:
    found = redirected(post, {original(image): answer(status=302, location=location)})

    assert (found.result, wrong(found)) == (ReportResult.NOT_VERIFIED, "E")


def test_a_second_redirect_to_the_storage_is_not_followed(post: Post, image: Image) -> None:
    further = "https://cdn.example/further.png"
    way = {original(image): answer(status=302, location=CDN), CDN: answer(status=302, location=further)}

    found = redirected(post, way | {further: answer(bytes_of(image))})

    assert (found.result, wrong(found)) == (ReportResult.NOT_VERIFIED, "E")


def external(server: Server, **fields: object) -> Post:
    """An article that shows a picture of another site, recorded with the bytes that it had."""
    return approved(body=BODY.format(url=picture_url(server)), **fields)


@requirement("surface-report.e19.bytes")
@pytest.mark.parametrize(("colour", "result"), [("teal", "pass"), ("red", "fail")])
def test_a_picture_of_another_site_has_the_bytes_that_it_had(quay: Server, colour: str, result: str) -> None:
    post = external(quay)

    found = looked(post, staged={picture_url(quay): answer(png(colour))})

    assert (parts(found)["D"], parts(found)["E"]) == ("pass", result)


@requirement("surface-report.e19.bytes")
@pytest.mark.parametrize(("hops", "result"), [(3, "pass"), (4, "not verified")])
def test_redirects_of_another_site_are_followed_as_often_as_at_the_import(quay: Server, hops: int, result: str) -> None:
    post = external(quay)
    way = [picture_url(quay), *(f"https://cdn.example/{hop}.png" for hop in range(hops))]
    staged = {here: answer(status=302, location=there) for here, there in pairwise(way)}

    found = looked(post, staged=staged | {way[-1]: answer(png())})

    assert parts(found)["E"] == result


@requirement("surface-report.e19.bytes")
def test_a_picture_that_cannot_be_fetched_now_is_not_verified(quay: Server) -> None:
    assert wrong(looked(external(quay), staged={picture_url(quay): None})) == "E"


@requirement("surface-report.e19.bytes")
def test_a_picture_whose_bytes_were_never_recorded_is_not_verified() -> None:
    with gallery() as server:
        url = picture_url(server, "other")
    post = approved(body=BODY.format(url=url))

    found = looked(post, staged={url: answer(png())})

    assert (found.result, wrong(found)) == (ReportResult.NOT_VERIFIED, "E")


@requirement("surface-report.e19.images", "surface-report.e19.tampering")
def test_another_stored_image_in_its_place_is_seen(post: Post, image: Image) -> None:
    other = picture("other.png", left="gold")

    assert wrong(looked(post, (image.sha256, other.sha256))) == "DE"


@requirement("surface-report.e19.images", "surface-report.e19.tampering")
def test_another_image_for_browsers_that_choose_is_seen(post: Post, image: Image) -> None:
    other = picture("other.png", left="gold")
    avif = f"{image.sha256}/w480.avif"

    assert wrong(looked(post, (avif, avif.replace(image.sha256, other.sha256)))) == "DE"


@requirement("surface-report.e19.images", "surface-report.e19.tampering")
@pytest.mark.parametrize(
    "name", ["../../../../uploads/a.png", "%2e%2e", "..", "a/b.png", "..\\a.png", "", "w480.webp/../../a"]
)
def test_a_url_that_only_looks_like_the_image_is_seen(post: Post, image: Image, name: str) -> None:
    assert wrong(looked(post, (f"{image.sha256}/w768.webp", f"{image.sha256}/{name}"))) == "DE"


@pytest.mark.parametrize("name", ["w1200.webp", "quay.png", "any.png?version=2", "..a.png", "%2e%2e%2e"])
def test_another_size_of_the_same_image_is_the_same_image(post: Post, image: Image, name: str) -> None:
    assert wrong(looked(post, (f"{image.sha256}/w768.webp", f"{image.sha256}/{name}"))) == ""


@requirement("surface-report.e19.head")
def test_the_social_image_of_the_revision_passes() -> None:
    cover, social = picture(), picture("card.png", left="gold")

    for fields in ({}, {"social_image": {"image_id": social.pk}}):
        post = approved(title=f"Soil {len(fields)}", cover_image={"image_id": cover.pk}, **fields)
        assert wrong(looked(post)) == ""


@requirement("surface-report.e19.head")
@pytest.mark.parametrize(
    ("content", "result"),
    [
        ("{origin}{same}", "pass"),
        (CDN, "pass"),
        ("https://cdn.example/other.png", "fail"),
        ("{origin}{other}", "fail"),
        ("https://cdn.example/silent.png", "not verified"),
        ("", "fail"),
    ],
)
def test_the_bytes_of_the_social_image_decide(content: str, result: str) -> None:
    image, other = picture(), picture("other.png", left="gold")
    post = approved(social_image={"image_id": image.pk})
    staged = {CDN: answer(bytes_of(image)), "https://cdn.example/other.png": answer(png())}
    url = content.format(origin="https://example.com", same=original(image), other=original(other))
    copy = f"https://example.com/blog/media/{image.sha256}/w1200.jpg"

    found = looked(post, (f'image" content="{copy}"', f'image" content="{url}"'), staged=staged)

    assert parts(found)["F"] == result


@requirement("surface-report.e19.head")
def test_a_head_without_the_social_image_fails() -> None:
    found = looked(approved(social_image={"image_id": picture().pk}), ('"og:image"', '"og:picture"'))

    assert (found.result, wrong(found)) == (ReportResult.FAIL, "F")


def test_the_image_of_the_site_is_no_part_of_a_revision() -> None:
    assert wrong(looked(approved(), default_social_image_url="/static/card.png")) == ""


@requirement("surface-report.fetched-once")
def test_each_image_is_fetched_once() -> None:
    image = picture()
    text = f"![Quay]({original(image)})\n\n![Again]({original(image)})"
    post = approved(body=text, cover_image={"image_id": image.pk})
    with override_settings(BLOG_ENGINE=blog_settings(image_delivery="proxy")):
        here = site()
        inspection = inspect(post, on=here)

        assert judge_content(inspection.articles[0], inspection).result == "pass"
    assert asked(here) == ["https://example.com/blog/soil", f"https://example.com{original(image)}"]


def test_an_unreviewed_article_still_has_its_images_looked_at(image: Image) -> None:
    post = save(title="Soil", body=f"![Quay]({original(image)})", publish=True).post
    image_storage().delete(file_name(image.sha256, image.content_type))

    assert wrong(looked(post)) == "AE"
    approve(post)
    assert wrong(looked(post)) == "E"
