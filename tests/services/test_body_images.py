"""The images of a body: which are fetched, and what a revision knows of them."""

import hashlib
from typing import Any

import pytest

from blog_engine.errors import ValidationFailed
from blog_engine.models import Image, Post
from blog_engine.services import publish_due
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, manifest_of, publish, save, update
from tests.support.hosts import blog_settings
from tests.support.images import BODY, gallery, picture_url, png
from tests.support.tables import new_image, refused, stored
from tests.support.web import Server, answer, by_path, serving

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@requirement("images.bodies.digest")
def test_an_external_image_of_the_body_is_known_by_its_digest_and_not_stored(quay: Server) -> None:
    written = save(body=BODY.format(url=picture_url(quay)))

    assert manifest_of(written.post) == [(picture_url(quay), digest(png()))]
    assert written.post.images_verified
    assert "image_unverified" not in [finding.code for finding in written.findings]
    assert not Image.objects.exists()


@requirement("images.bodies.unverified")
def test_an_external_image_that_cannot_be_fetched_costs_only_its_digest(quay: Server) -> None:
    written = save(
        body=BODY.format(url=picture_url(quay)) + BODY.format(url=picture_url(quay, "missing")), publish=True
    )

    assert manifest_of(written.post) == [(picture_url(quay), digest(png())), (picture_url(quay, "missing"), "")]
    assert not written.post.images_verified
    locations = {finding.code: finding.location for finding in written.findings}
    assert locations["image_unverified"] == "body.images[1]"


@requirement("images.bodies.digest")
@pytest.mark.parametrize(
    "fields",
    [{"title": "New"}, {"faq": [{"question": "Q?", "answer": "A."}]}, {"body": BODY}, {"cover_image": None}],
    ids=str,
)
def test_a_write_that_leaves_the_body_as_it_is_fetches_nothing(fields: dict[str, Any], quay: Server) -> None:
    post = save(body=BODY.format(url=picture_url(quay))).post
    asked = quay.hits()

    if "body" in fields:
        fields = {"body": BODY.format(url=picture_url(quay))}
    update(post, **fields)

    assert quay.hits() == asked
    assert manifest_of(post) == [(picture_url(quay), digest(png()))]


@requirement("images.bodies.digest")
def test_a_changed_body_is_fetched_again() -> None:
    with gallery(quay=png()) as server:
        post = save(body=BODY.format(url=picture_url(server))).post
        asked = server.hits()
        update(post, body="New. " + BODY.format(url=picture_url(server)))

        assert server.hits() == asked + 1
    update(post, body="Newer. " + BODY.format(url=picture_url(server)))
    assert manifest_of(post) == [(picture_url(server), "")]


def test_a_new_format_of_the_same_body_is_fetched(quay: Server, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])
    post = save(body=f'<p><img src="{picture_url(quay)}" alt="Quay"></p>').post
    assert manifest_of(post) == []

    update(post, body_format="rich_text")

    assert manifest_of(post) == [(picture_url(quay), digest(png()))]


@requirement("images.bodies.digest")
@pytest.mark.parametrize(
    "body",
    [
        "`![Quay]({url})`",
        "    ![Quay]({url})",
        "[Quay]({url})",
        '<img src="{url}">',
        "![Quay](/blog/media/{digest}/quay.png)",
        "![Quay](quay.png)",
        "![Quay](////[)",
    ],
)
def test_what_shows_no_image_of_another_host_is_not_fetched(body: str, quay: Server) -> None:
    save(body=body.format(url=picture_url(quay), digest="a" * 64))

    assert quay.hits() == 0


@requirement("images.references.own-media")
def test_media_of_this_blog_are_never_fetched_however_their_url_is_written(settings: Any) -> None:
    image = stored(new_image())
    with gallery() as server:
        here = f"http://127.0.0.1:{server.port}"
        settings.BLOG_ENGINE = blog_settings(public_base_url=here)
        path = f"/blog/media/{image.sha256}/quay.png"
        spellings = [here + path, path, here.upper() + path, f"//127.0.0.1:{server.port}{path}"]
        known = save(body=" ".join(f"![a]({url})" for url in spellings), slug="known").post
        unknown = save(body=f"![a]({here}/blog/media/{'ab' * 32}/quay.png)", slug="unknown").post

        assert server.hits() == 0
    assert manifest_of(known) == [(path, image.sha256)] * 4
    assert [sha256 for _, sha256 in manifest_of(unknown)] == [""]


@requirement("images.references.own-media", "images.bodies.digest")
def test_other_urls_of_this_site_and_media_of_another_blog_are_fetched(settings: Any) -> None:
    of_another_blog = f"/blog/media/{'ab' * 32}/quay.png"
    with serving(by_path({path: answer(png()) for path in ("/quay.png", of_another_blog)})) as server:
        here = f"http://127.0.0.1:{server.port}"
        foreign = save(slug="a", body=BODY.format(url=here + of_another_blog)).post
        settings.BLOG_ENGINE = blog_settings(public_base_url=here)
        own = save(slug="b", body=BODY.format(url=f"{here}/quay.png")).post

    assert manifest_of(foreign) == [(here + of_another_blog, digest(png()))]
    assert manifest_of(own) == [(f"{here}/quay.png", digest(png()))]


def test_a_body_over_the_limit_is_not_rendered_for_its_images(quay: Server, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(max_body_bytes=10)

    with refused(ValidationFailed, ["body"]):
        save(body=BODY.format(url=picture_url(quay)))

    assert quay.hits() == 0


@requirement("images.bodies.digest")
def test_releases_by_the_clock_and_approvals_fetch_nothing(quay: Server) -> None:
    post = save(body=BODY.format(url=picture_url(quay))).post
    publish(post, publish_at=LATER.isoformat(), now=NOW)
    asked = quay.hits()

    approve(post)
    publish_due(now=LATER)

    assert quay.hits() == asked
    assert manifest_of(post) == [(picture_url(quay), digest(png()))]


@requirement("label.cleared")
def test_verified_images_let_an_approval_clear_the_label(quay: Server) -> None:
    verified = save(slug="one", body=BODY.format(url=picture_url(quay)), publish=True).post
    unverified = save(slug="two", body=BODY.format(url=picture_url(quay, "missing")), publish=True).post

    assert [approve(post).label for post in (verified, unverified)] == ["none", "ai_unknown"]


def test_a_hook_that_leaves_the_images_alone_keeps_their_digests(quay: Server, settings: Any) -> None:
    def sign(post: Post, context: Any) -> None:
        post.body = post.body.removesuffix("\n\nSigned.") + "\n\nSigned."

    settings.BLOG_ENGINE = blog_settings(before_publish=sign)
    draft = save(slug="p", body=BODY.format(url=picture_url(quay))).post
    asked = quay.hits()

    post = publish(draft, tags=["harbour"]).post

    assert post.body.endswith("Signed.")
    assert manifest_of(post) == [(picture_url(quay), digest(png()))]
    assert quay.hits() == asked
