"""The images of adopted articles."""

import hashlib
from collections.abc import Iterator

import pytest

from blog_engine.errors import AlreadyChangedInGem, IdentityConflict, ImageNotPermitted, ScopeRequired, SlugReserved
from blog_engine.images.files import open_original
from blog_engine.models import Image, Revision
from tests.requirements import requirement
from tests.support.factories import AGENT, LATER, WHOLE, adopt, save, update
from tests.support.images import gallery, picture_url, png
from tests.support.tables import everything_stored, refused
from tests.support.web import Server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]


@pytest.fixture
def old_site() -> Iterator[Server]:
    with gallery(quay=png("teal"), deck=png("navy"), other=png("red")) as server:
        yield server


def digest(colour: str) -> str:
    return hashlib.sha256(png(colour)).hexdigest()


@requirement("adoption.images")
def test_the_images_of_the_old_site_are_stored_and_those_of_the_body_known(old_site: Server) -> None:
    body = f"![The deck]({picture_url(old_site, 'deck')})"

    post = adopt(cover_image={"url": picture_url(old_site)}, cover_alt="The quay", body=body).post

    image = Image.objects.get()
    assert (post.cover_image, post.social_image) == (image, None)
    assert (image.sha256, image.source_url) == (digest("teal"), picture_url(old_site))
    with open_original(image) as file:
        assert file.read() == png("teal")
    payload = Revision.objects.get().payload
    assert [colour for colour in ("teal", "navy", "red") if digest(colour) in payload] == ["teal", "navy"]


@requirement("adoption.dry-run.images")
def test_a_dry_run_fetches_the_images_and_stores_none(old_site: Server) -> None:
    before = everything_stored()
    body = f"![The deck]({picture_url(old_site, 'deck')})"

    rehearsed = adopt(cover_image={"url": picture_url(old_site)}, body=body, dry_run=True)

    assert everything_stored() == before
    assert old_site.hits() == 2
    assert rehearsed.post.cover_image is not None
    assert rehearsed.post.cover_image.sha256 == digest("teal")
    adopted = adopt(cover_image={"url": picture_url(old_site)}, body=body)
    assert adopted.post.current_revision_identifier == rehearsed.post.current_revision_identifier


@requirement("adoption.dry-run.images")
def test_a_dry_run_keeps_the_file_of_an_image_that_is_stored(old_site: Server) -> None:
    adopt(cover_image={"url": picture_url(old_site)})

    adopt(cover_image={"url": picture_url(old_site)}, body="New", dry_run=True, now=LATER)

    with open_original(Image.objects.get()) as file:
        assert file.read() == png("teal")


@requirement("adoption.repeat.same")
def test_the_same_images_again_write_nothing(old_site: Server) -> None:
    images = {"cover_image": {"url": picture_url(old_site)}, "social_image": {"url": picture_url(old_site, "deck")}}
    body = f"![Other]({picture_url(old_site, 'other')})"
    adopt(WHOLE, **images, body=body)
    before, asked = everything_stored(), old_site.hits()

    again = adopt(WHOLE, **images, body=body, now=LATER)

    assert (again.baseline, everything_stored()) == (None, before)
    # An unchanged body is not asked about again.
    assert old_site.hits() == asked + len(images)


@requirement("adoption.repeat.compared")
def test_another_image_is_another_revision(old_site: Server) -> None:
    first = adopt(cover_image={"url": picture_url(old_site)})

    again = adopt(cover_image={"url": picture_url(old_site, "deck")}, now=LATER)

    assert again.baseline == "replaced"
    assert again.post.current_revision_identifier != first.post.current_revision_identifier


@requirement("adoption.cleared")
def test_an_image_that_is_left_out_goes(old_site: Server) -> None:
    adopt(cover_image={"url": picture_url(old_site)})

    assert adopt(now=LATER).post.cover_image is None


@requirement("adoption.images")
def test_an_image_that_cannot_be_fetched_refuses_the_adoption(old_site: Server) -> None:
    with refused(ImageNotPermitted, []):
        adopt(cover_image={"url": picture_url(old_site, "missing")}, tags=["Sea"])


@requirement("images.fetch.last")
def test_nothing_is_fetched_for_an_adoption_that_is_refused(old_site: Server) -> None:
    cover = {"url": picture_url(old_site)}
    save(slug="taken", publish=True)
    update(adopt().post, title="Changed here", change="maintenance")

    with refused(ScopeRequired):
        adopt(cover_image=cover, actor=AGENT)
    with refused(IdentityConflict):
        adopt(cover_image=cover, slug="taken", source_id="18")
    with refused(AlreadyChangedInGem):
        adopt(cover_image=cover)

    assert old_site.hits() == 0


@requirement("adoption.all-or-nothing")
def test_a_refusal_after_the_images_leaves_no_file(old_site: Server) -> None:
    save(slug="ferry")

    with refused(SlugReserved):
        adopt(cover_image={"url": picture_url(old_site)}, old_slugs=["ferry"])
