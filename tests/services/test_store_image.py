"""Storing an image of its own: uploads, imports, and what a refusal leaves behind."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.forms.models import model_to_dict

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import IdentityConflict, ImageNotPermitted, ScopeRequired, Unavailable
from blog_engine.images.files import open_original
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.models import Image
from tests.requirements import requirement
from tests.support.factories import AGENT, EDITOR, LATER, NOW, adopt, save
from tests.support.hosts import all_file_names, blog_settings, file_names
from tests.support.images import photo, picture_url, png
from tests.support.tables import refused
from tests.support.web import Server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

READER = Actor("Reader", scopes=["read", "publish"])


def upload(data: bytes, filename: str = "quay.png", content_type: str | None = None, **given: Any) -> Image:
    file = ImageBytes(data=data, filename=filename, content_type=content_type)
    return services.store_image(UploadImage(file=file), **{"actor": EDITOR, "now": NOW} | given)


def fetch(url: str, *, actor: Actor = EDITOR) -> Image:
    return services.store_image(UploadImage(url=url), actor=actor, now=NOW)


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@requirement("images.identity")
def test_an_upload_is_kept_byte_for_byte_under_its_digest() -> None:
    image = upload(photo(), filename="C:\\photos\\quay wall.jpg", content_type="image/jpeg")

    stored = Image.objects.get()
    assert stored == image
    assert model_to_dict(stored, exclude=["id"]) == {
        "sha256": hashlib.sha256(photo()).hexdigest(),
        "filename": "quay wall.jpg",
        "content_type": "image/jpeg",
        "byte_size": len(photo()),
        "width": 20,
        "height": 30,
        "is_animated": False,
        "has_location": True,
        "source_url": None,
        "credit": "",
        "digital_source_type": None,
        "source_type_from": None,
        "source_type_in_file": "",
        "shared_type": "jpg",
        "shared_width": 20,
        "shared_height": 30,
        "shared_bytes": stored.shared_bytes,
        "uploaded_by": EDITOR.name,
    }
    assert stored.created_at == NOW
    with open_original(stored) as file:
        assert file.read() == photo()


def test_a_url_is_imported_and_remembered(quay: Server) -> None:
    image = fetch(picture_url(quay))

    assert (image.filename, image.source_url) == ("quay.png", picture_url(quay))
    with open_original(image) as file:
        assert file.read() == png()


@requirement("images.upload.status", "images.identity.reuse")
def test_known_bytes_give_the_image_that_has_them(quay: Server, tmp_path: Path) -> None:
    first = upload(png(), filename="first.png")

    again = [upload(png(), filename="second.png", actor=AGENT, now=LATER), fetch(picture_url(quay), actor=AGENT)]

    assert again == [first, first]
    assert list(Image.objects.values_list("filename", "uploaded_by", "created_at", "source_url")) == [
        ("first.png", EDITOR.name, NOW, None)
    ]
    assert len(files(tmp_path)) == 3  # with its copy for networks, and the note about it


@requirement("images.storage.restored")
@pytest.mark.parametrize("left", [None, b"", png()[:-1]], ids=["lost", "empty", "cut"])
def test_a_lost_file_is_written_again_with_the_same_bytes(left: bytes | None, storage: Storage) -> None:
    first = upload(png(), filename="first.png")
    name = f"blog_engine/images/{first.sha256[:2]}/{first.sha256}.png"
    storage.delete(name)
    if left is not None:
        storage.save(name, ContentFile(left))

    again = upload(png(), filename="second.png", actor=AGENT, now=LATER)

    assert (again, again.filename) == (first, "first.png")
    assert file_names(storage) == [name]
    with open_original(first) as file:
        assert file.read() == png()


@requirement("images.storage.restored")
def test_a_lost_file_stays_restored_when_the_write_is_refused(storage: Storage, quay: Server) -> None:
    first = upload(png())
    storage.delete(*file_names(storage))
    save(slug="taken", title="Taken", publish=True)

    with pytest.raises(IdentityConflict):
        save(title="Taken", cover_image={"url": picture_url(quay)})

    with open_original(first) as file:
        assert file.read() == png()


@requirement("images.storage.restored", "adoption.dry-run.images")
def test_a_dry_run_restores_nothing(storage: Storage, quay: Server) -> None:
    upload(png())
    for name in all_file_names(storage):
        storage.delete(name)

    adopt(cover_image={"url": picture_url(quay)}, dry_run=True)

    assert all_file_names(storage) == []


@requirement("images.bytes.type", "refusals.image")
@pytest.mark.parametrize(
    ("data", "filename", "content_type"),
    [
        (b"", "a.png", None),
        (b"not an image", "a.png", "image/png"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "a.svg", "image/svg+xml"),
        (png()[:-20], "a.png", "image/png"),
        (png(), "a.png", "image/jpeg"),
        (png(), " ", "image/png"),
    ],
    ids=["empty", "text", "svg", "cut short", "other type", "nameless"],
)
def test_what_is_not_an_image_as_it_says_is_refused(data: bytes, filename: str, content_type: str | None) -> None:
    with refused(ImageNotPermitted, []):
        upload(data, filename=filename, content_type=content_type)


@requirement("images.bytes.size")
def test_an_image_over_the_limit_is_refused(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=len(png()))
    assert upload(png()).byte_size == len(png())

    settings.BLOG_ENGINE = blog_settings(max_image_bytes=len(png("red")) - 1)
    with refused(ImageNotPermitted, []):
        upload(png("red"))


def test_a_url_without_an_image_is_refused(quay: Server) -> None:
    with refused(ImageNotPermitted, []):
        fetch(picture_url(quay, "missing"))


@requirement("images.fetch.public")
def test_only_public_ip_addresses_are_asked_unless_the_host_opens_the_door(quay: Server, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(image_fetch_policy="public_only")

    with refused(ImageNotPermitted, []):
        fetch(picture_url(quay))
    assert quay.hits() == 0


@requirement("images.upload.scope")
def test_nothing_is_fetched_without_the_scope_to_write(quay: Server) -> None:
    with refused(ScopeRequired, ["write"]):
        fetch(picture_url(quay), actor=READER)

    assert quay.hits() == 0


@requirement("refusals.nothing-written", "images.storage.row-and-file")
@pytest.mark.usefixtures("failing_storage")
def test_a_storage_that_fails_leaves_neither_row_nor_file() -> None:
    with refused(Unavailable, []):
        upload(png())
