"""Saying something else of an image while others show it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from blog_engine import services
from blog_engine.enums import PolicyKind, PolicyStatus
from blog_engine.inputs.records import SavePage
from blog_engine.models import Image, PolicyPage, Post
from blog_engine.models.image import set_origin
from blog_engine.rendering.stored import page_html, pages_that_differ, rendered_body, renderings_that_differ
from tests.concurrency.races import Held, race, slowly
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, save, store_image, update

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("own_images"),
    pytest.mark.postgres,
]


def say(image: Image) -> None:
    with transaction.atomic():
        set_origin(image, digital_source_type="trainedAlgorithmicMedia")


def new_post(image: Image) -> Callable[[], object]:
    save(slug="first")  # stores the author
    return lambda: save(body=f"![A quay]({image.url})", publish=True)


def public_post(image: Image) -> Callable[[], object]:
    post = save(publish=True).post
    return lambda: update(post, body=f"![A quay]({image.url})", change="maintenance")


def post_that_shows_it(image: Image) -> Callable[[], object]:
    post = save(body=f"![A quay]({image.url})", publish=True).post
    return lambda: update(post, body=f"Words. ![A quay]({image.url})", change="maintenance")


def policy_page(image: Image) -> Callable[[], object]:
    sent = SavePage(
        kind=PolicyKind.EDITORIAL, title="How", body=f"![A quay]({image.url})", status=PolicyStatus.PUBLISHED
    )
    return lambda: services.save_page(sent, actor=EDITOR, now=NOW)


ALL = pytest.mark.parametrize(
    "show", [new_post, public_post, post_that_shows_it, policy_page], ids=lambda show: show.__name__
)


def is_shown() -> bool:
    """Return whether the note is on everything that shows the image, and no stored rendering lacks it."""
    shown = [rendered_body(post).html for post in Post.objects.exclude(body="")]
    shown += [page_html(page) for page in PolicyPage.objects.all()]
    differ = [*renderings_that_differ(most=99), *pages_that_differ()]
    return bool(shown) and all("Image made with AI" in html for html in shown) and not differ


@requirement("images.notes.racing")
@ALL
def test_a_write_that_waits_for_the_change_shows_it(show: Any) -> None:
    image, held = store_image(), Held()
    write = show(image)

    _, written = race(held, slowly(held, lambda: say(image)), write)

    assert not isinstance(written, type)
    assert is_shown()


@requirement("images.notes.racing")
@ALL
def test_a_change_that_waits_for_a_write_outdates_it(show: Any) -> None:
    image, held = store_image(), Held()
    write = show(image)

    written, _ = race(held, slowly(held, write), lambda: say(image))

    assert not isinstance(written, type)
    assert is_shown()
