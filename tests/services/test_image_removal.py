"""Removing an image: what keeps it, what loses it, and its files."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from django.core.files.storage import FileSystemStorage, Storage
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from blog_engine import services
from blog_engine.enums import PolicyKind
from blog_engine.errors import NotFound, ScopeRequired, ValidationFailed
from blog_engine.images.files import file_name, open_original
from blog_engine.inputs.images import FillUploadTicket, ImageBytes, UploadTicketFor
from blog_engine.inputs.records import SavePage
from blog_engine.models import DraftVersion, Image, Post, UploadTicket
from blog_engine.services.images import find_leftovers
from tests.requirements import requirement
from tests.support.factories import (
    AGENT,
    EDITOR,
    LATER,
    NOW,
    adopt,
    approve,
    declare,
    edit_author,
    make_author,
    propose,
    reject,
    remove,
    save,
    store_image,
    update,
)
from tests.support.hosts import Append, all_file_names, file_names, use_storage
from tests.support.images import encoded, halves, png
from tests.support.tables import refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("own_images")]


def drop(image: Image, **options: Any) -> services.RemovedImage:
    return services.remove_image(image.pk, **{"actor": EDITOR} | options)


def cover(image: Image) -> dict[str, Any]:
    return {"cover_image": {"image_id": image.pk}}


def save_page(body: str) -> None:
    services.save_page(SavePage(kind=PolicyKind.EDITORIAL, title="How", body=body), actor=EDITOR, now=NOW)


def save_avatar(image: Image) -> None:
    edit_author(make_author(name="Mina").pk, avatar={"image_id": image.pk})


USES: dict[str, Callable[[Image], object]] = {
    "cover": lambda image: save(**cover(image)),
    "social": lambda image: save(social_image={"image_id": image.pk}),
    "body": lambda image: save(body=f"![A quay]({image.url})"),
    "variant in a body": lambda image: save(body=f"![A quay](/blog/media/{image.sha256}/w480.webp)"),
    "link in a body": lambda image: save(body=f"[The photo]({image.url})"),
    "public post": lambda image: save(publish=True, **cover(image)),
    "avatar": save_avatar,
    "policy page": lambda image: save_page(f"![A quay]({image.url})"),
}


@requirement("images.removed")
@pytest.mark.parametrize("use", USES)
def test_what_uses_an_image_keeps_it(use: str) -> None:
    image = store_image()
    USES[use](image)

    with refused(ValidationFailed):
        drop(image)

    assert Image.objects.get() == image


def was_public(image: Image) -> None:
    post = save(publish=True, **cover(image)).post
    update(post, cover_image=None, change="maintenance")


def was_reviewed(image: Image) -> None:
    post = save(body=f"![A quay]({image.url})").post
    approve(post)
    update(post, body="Text.")


def was_linked(image: Image) -> None:
    post = save(publish=True, body=f"[The photo]({image.url})").post
    update(post, body="Text.", change="maintenance")


def was_proposed(image: Image) -> None:
    reject(propose(save(publish=True).post, change="maintenance", **cover(image)))


def is_evidence(image: Image) -> None:
    adopt(provenance="human_written", provenance_evidence=f"See {image.url}")


def is_declared(image: Image) -> None:
    connections = [{"party": "Quay Ltd", "relation": f"Took {image.url}"}]
    declare(save().post, connections=connections)


def is_a_note(image: Image) -> None:
    post = save(publish=True).post
    update(post, body="Corrected.", change="correction", note=f"The photo {image.url} was another one.")


RECORDS = [was_public, was_reviewed, was_linked, was_proposed, is_evidence, is_declared, is_a_note]


@requirement("images.removed", "history.protection.images")
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_what_the_history_names_stays(record: Callable[[Image], None]) -> None:
    image = store_image()
    record(image)

    with refused(ValidationFailed):
        drop(image)

    assert Image.objects.get() == image


@requirement("images.removed")
def test_an_image_that_nothing_keeps_is_gone(storage: Storage, client: Client) -> None:
    image, other = store_image(encoded(halves(), "PNG")), store_image(png("red"))
    client.get(f"/blog/media/{image.sha256}/w480.webp")
    before = len(file_names(storage))

    removed = drop(image)

    assert (removed.filename, removed.files_left) == ("quay.png", [])
    assert Image.objects.get() == other
    assert (before, file_names(storage)) == (4, [file_name(other.sha256, "image/png")])
    assert client.get(image.url).status_code == 404
    assert client.get(f"/blog/media/{image.sha256}/w480.webp").status_code == 404
    with refused(NotFound):
        drop(image)


@requirement("images.removed")
def test_an_image_that_a_draft_gave_up_is_gone() -> None:
    image = store_image()
    post = save(**cover(image), body=f"![A quay]({image.url})").post
    update(post, cover_image=None, body="Text.")

    drop(image)

    assert not Image.objects.exists()


@requirement("images.removed")
def test_the_same_bytes_are_stored_again() -> None:
    drop(first := store_image())

    second = store_image(filename="again.png")

    assert (second.sha256, second.filename) == (first.sha256, "again.png")
    assert second.pk != first.pk
    with open_original(second) as file:
        assert sha256(file.read()).hexdigest() == first.sha256


@requirement("images.removed")
def test_who_may_not_publish_removes_nothing() -> None:
    image = store_image()

    with refused(ScopeRequired):
        drop(image, actor=AGENT)


@requirement("images.removed")
def test_a_ticket_that_it_filled_is_deleted() -> None:
    sent = UploadTicketFor(filename="quay.png", content_type="image/png", byte_size=len(png()))
    new = services.open_upload_ticket(sent, actor=EDITOR, now=NOW)
    fill = FillUploadTicket(id=str(new.ticket.pk), secret=new.secret, file=ImageBytes(png(), "quay.png", "image/png"))
    image = services.fill_upload_ticket(fill, actor=EDITOR, now=NOW)
    services.open_upload_ticket(sent, actor=EDITOR, now=NOW)

    drop(image)

    assert UploadTicket.objects.get().image is None
    with pytest.raises(NotFound):
        services.fill_upload_ticket(fill, actor=EDITOR, now=NOW)


@requirement("images.removed.lost")
def test_a_removed_draft_comes_back_without_it() -> None:
    image = store_image()
    post = save(body=f"![A quay]({image.url})", **cover(image)).post
    remove(post)

    drop(image)
    back = services.bring_back(post.pk, actor=EDITOR, now=LATER)

    assert back.missing == ("cover_image",)
    returned = Post.objects.get()
    assert (returned.cover_image, returned.body) == (None, post.body)
    assert [entry["sha256"] for entry in returned.body_image_manifest] == [""]


@requirement("images.removed.lost")
def test_a_version_with_it_as_its_cover_cannot_be_restored() -> None:
    image = store_image()
    post = save(body="A long text about the quay. " * 20, **cover(image)).post
    update(post, cover_image=None, body="Short.")
    version = DraftVersion.objects.get()
    assert image.sha256 in version.payload

    drop(image)

    with pytest.raises(ValidationFailed) as refusal:
        update(post, restore=version.identifier)
    assert refusal.value.details == ["restore"]


@requirement("images.removed.files")
def test_files_stay_until_the_commit(storage: Storage) -> None:
    image = store_image()
    files = file_names(storage)

    with transaction.atomic():
        drop(image)
        inside = file_names(storage)

    assert inside == files
    assert file_names(storage) == []


@requirement("images.removed.files")
def test_a_removal_that_is_rolled_back_keeps_row_and_files(storage: Storage) -> None:
    image = store_image()
    files = file_names(storage)

    with transaction.atomic():
        drop(image)
        transaction.set_rollback(True)

    assert Image.objects.get() == image
    assert file_names(storage) == files


@requirement("images.removed.files")
def test_files_of_bytes_that_were_stored_again_stay() -> None:
    image = store_image()

    with transaction.atomic():
        drop(image)
        again = store_image(filename="again.png")

    assert Image.objects.get() == again
    with open_original(again) as file:
        assert sha256(file.read()).hexdigest() == image.sha256


class Unlisted(FileSystemStorage):
    """A storage whose credentials do not allow to list it."""

    def listdir(self, path: str) -> Any:
        raise PermissionError("listing is not allowed")


@requirement("images.removed.files")
@pytest.mark.parametrize("backend", [Append, Unlisted])
def test_a_file_that_cannot_be_deleted_is_logged_told_and_found_later(
    backend: type[Storage], storage: Storage, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    image = store_image()
    name, names, before = file_name(image.sha256, "image/png"), all_file_names(storage), settings.STORAGES
    use_storage(settings, backend)

    removed = drop(image)

    assert removed.files_left == ([name] if backend is Unlisted else names)
    assert not Image.objects.exists()
    assert "could not be deleted" in caplog.text
    settings.STORAGES = before
    assert [leftover.names for leftover in find_leftovers()] == [names]
