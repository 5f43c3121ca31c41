"""Removing an image while others take it."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from blog_engine import services
from blog_engine.enums import PolicyKind
from blog_engine.errors import Busy, NotFound, ValidationFailed
from blog_engine.inputs.records import SavePage
from blog_engine.models import Image, PolicyPage, Post, Revision
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, edit_author, make_author, propose, publish, save, store_image, update

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]


def drop(image: Image) -> services.RemovedImage:
    return services.remove_image(image.pk, actor=EDITOR)


def cover_of_a_new_post(image: Image) -> Callable[[], object]:
    save(slug="first")  # stores the author
    return lambda: save(cover_image={"image_id": image.pk})


def cover_of_a_published_post(image: Image) -> Callable[[], object]:
    post = save().post
    return lambda: publish(post, cover_image={"image_id": image.pk})


def social_image(image: Image) -> Callable[[], object]:
    post = save().post
    return lambda: update(post, social_image={"image_id": image.pk})


def body_of_a_new_post(image: Image) -> Callable[[], object]:
    save(slug="first")
    return lambda: save(body=f"![A quay]({image.url})")


def body_of_a_public_post(image: Image) -> Callable[[], object]:
    post = save(publish=True).post
    return lambda: update(post, body=f"![A quay]({image.url})", change="maintenance")


def proposed_cover(image: Image) -> Callable[[], object]:
    post = save(publish=True).post
    return lambda: propose(post, cover_image={"image_id": image.pk}, change="maintenance")


def proposed_body(image: Image) -> Callable[[], object]:
    post = save(publish=True).post
    return lambda: propose(post, body=f"![A quay]({image.url})", change="maintenance")


def avatar(image: Image) -> Callable[[], object]:
    author = make_author(name="Mina")
    return lambda: edit_author(author.pk, avatar={"image_id": image.pk})


def policy_page(image: Image) -> Callable[[], object]:
    sent = SavePage(kind=PolicyKind.EDITORIAL, title="How", body=f"![A quay]({image.url})")
    return lambda: services.save_page(sent, actor=EDITOR, now=NOW)


TAKES = [
    *(cover_of_a_new_post, cover_of_a_published_post, social_image, body_of_a_new_post, body_of_a_public_post),
    *(proposed_cover, proposed_body, avatar),
]
ALL = pytest.mark.parametrize("take", TAKES, ids=lambda take: take.__name__)


def lost_digests() -> set[str]:
    """The digests of images that something names as stored although they are not."""
    stored = set(Image.objects.values_list("sha256", flat=True))
    named = {entry["sha256"] for post in Post.objects.all() for entry in post.body_image_manifest if entry["sha256"]}
    for payload in Revision.objects.values_list("payload", flat=True):
        named |= {entry["sha256"] for entry in json.loads(payload)["images"] if entry["sha256"]}
    return named - stored


@requirement("images.removed.racing")
@pytest.mark.postgres
@ALL
def test_a_removal_waits_for_a_write_that_takes_the_image_and_is_refused(take: Any) -> None:
    image, held = store_image(), Held()
    write = take(image)

    written, removed = race(held, slowly(held, write), lambda: drop(image))

    assert not isinstance(written, type)
    # Past the checks if the write has only a foreign key, which is looked at when the removal commits.
    assert removed in (ValidationFailed, Busy)
    assert Image.objects.get() == image
    assert lost_digests() == set()


@requirement("images.removed.racing")
@pytest.mark.postgres
@ALL
def test_a_write_waits_for_the_removal_of_its_image_and_is_refused(take: Any) -> None:
    image, held = store_image(), Held()
    write = take(image)
    posts = Post.objects.count()

    removed, written = race(held, slowly(held, lambda: drop(image)), write)

    assert isinstance(removed, services.RemovedImage)
    assert written in (NotFound, Busy)
    assert not Image.objects.exists()
    assert Post.objects.count() == posts
    assert lost_digests() == set()
    with pytest.raises(NotFound):
        drop(image)


@requirement("images.removed.racing")
@pytest.mark.postgres
def test_a_removal_waits_for_a_policy_page_that_shows_the_image() -> None:
    image, held = store_image(), Held()

    _, removed = race(held, slowly(held, policy_page(image)), lambda: drop(image))

    assert removed is ValidationFailed
    assert PolicyPage.objects.get().body == f"![A quay]({image.url})"


@requirement("images.removed.racing")
@ALL
def test_of_a_removal_and_a_write_at_once_one_is_refused_or_comes_second(take: Any) -> None:
    image = store_image()
    write = take(image)

    removed, _written = together(lambda: drop(image), write)

    assert (removed in (ValidationFailed, Busy)) == Image.objects.filter(pk=image.pk).exists()
    assert lost_digests() == set()


@requirement("images.removed.racing")
def test_of_many_removals_one_removes_it() -> None:
    image = store_image()

    outcomes = together(*[lambda: drop(image)] * 4)

    assert [one for one in outcomes if isinstance(one, services.RemovedImage)] != []
    assert outcomes.count(NotFound) == 3


@requirement("images.removed.racing", "images.removed.files")
def test_bytes_that_are_stored_again_at_once_have_their_file(storage: Any) -> None:
    for _ in range(4):
        image = store_image()

        together(lambda: drop(image), store_image)  # noqa: B023  called at once

        for stored in Image.objects.all():
            assert storage.exists(f"blog_engine/images/{stored.sha256[:2]}/{stored.sha256}.png")
