"""Files that no image refers to, and all the others, which stay."""

from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage
from django.db.models.signals import post_save
from django.test import Client, override_settings
from pytest_django import Settings

from blog_engine.errors import Unavailable
from blog_engine.images.files import image_folders
from blog_engine.models import Image
from blog_engine.services.images import Leftover, find_leftovers, remove_leftover
from tests.requirements import requirement
from tests.support.factories import save, store_image, unpublish
from tests.support.hosts import blog_settings, file_names, use_storage
from tests.support.images import encoded, halves
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db

DIGEST = "ab" * 32
HERE = f"blog_engine/images/ab/{DIGEST}"
ORPHANS = [
    f"{HERE}.png",
    f"{HERE}.avif",
    f"{HERE}_a1B2c3D.jpg",
    f"{HERE}-w480-0123456789abcdef.webp",
    f"{HERE}-w1600-0123456789abcdef_a1B2c3D.avif",
    f"{HERE}-w768-avif.txt",
    f"{HERE}-w768-webp_a1B2c3D.txt",
]
STRANGERS = [
    "blog_engine/images/readme.txt",
    f"blog_engine/images/{DIGEST}.png",
    f"blog_engine/images/cd/{DIGEST}.png",
    f"{HERE}.svg",
    f"{HERE}.PNG",
    f"{HERE}.png.bak",
    f"{HERE}",
    f"{HERE}-w480.webp",
    f"{HERE}-w480-0123456789abcdef.png",
    f"{HERE}-wide-avif.txt",
    f"blog_engine/images/ab/{'AB' * 32}.png",
    "blog_engine/images/ab/thumbs.db",
]
OUTSIDE = [f"{DIGEST}.png", "uploads/quay.png", f"blog_engine/images2/ab/{DIGEST}.png", f"blog_engine/{DIGEST}.png"]


def put(storage: Storage, *names: str) -> None:
    for name in names:
        assert storage.save(name, ContentFile(b"x")) == name


def clean() -> tuple[list[str], list[str]]:
    """What was removed, and what belongs to strangers."""
    removed, strangers = [], []
    for leftover in list(find_leftovers()):
        removed += remove_leftover(leftover).removed
        strangers += [] if leftover.is_ours else leftover.names
    return sorted(removed), sorted(strangers)


@requirement("images.storage.leftovers")
@pytest.mark.parametrize("name", ORPHANS)
def test_a_file_of_ours_without_an_image_is_removed(storage: Storage, name: str) -> None:
    put(storage, name)

    assert clean() == ([name], [])
    assert file_names(storage) == []


@requirement("images.storage.leftovers")
@pytest.mark.parametrize("name", STRANGERS)
def test_a_file_that_is_not_of_our_making_is_named_and_left(storage: Storage, name: str) -> None:
    put(storage, name)

    assert clean() == ([], [name])
    assert file_names(storage) == [name]


@requirement("images.storage.leftovers")
def test_folders_of_others_are_not_opened(storage: Storage) -> None:
    inside = [f"blog_engine/images/abc/{DIGEST}.png", f"blog_engine/images/AB/{DIGEST}.png", f"{HERE}/{DIGEST}.png"]
    put(storage, *inside)

    folders = ["blog_engine/images/AB/", "blog_engine/images/ab/" + DIGEST + "/", "blog_engine/images/abc/"]
    assert clean() == ([], folders)
    assert file_names(storage) == sorted(inside)


@requirement("images.storage.leftovers")
def test_drawn_pictures_stay_only_while_a_post_shows_them(storage: Storage) -> None:
    shown = save(title="Soil", publish=True).post
    withdrawn = unpublish(save(title="Oops", publish=True).post).post
    with_cover = save(title="Stone", cover_image={"image_id": store_image().pk}, publish=True).post
    of_images = file_names(storage)
    kept, *others = (f"blog_engine/social/{post.pk}.png" for post in (shown, withdrawn, with_cover))
    never = ["blog_engine/social/999999.png", f"blog_engine/social/{shown.pk}_a1B2c3D.png"]
    strangers = ["blog_engine/social/readme.txt", "blog_engine/social/x.png"]
    put(storage, kept, *others, *never, *strangers)

    assert clean() == (sorted([*others, *never]), strangers)
    assert file_names(storage) == sorted([*of_images, kept, *strangers])
    with override_settings(BLOG_ENGINE=blog_settings(social_pictures={"enabled": False})):
        assert clean() == ([kept], strangers)


@requirement("images.storage.leftovers")
def test_files_outside_of_our_folder_are_not_even_looked_at(storage: Storage) -> None:
    put(storage, *OUTSIDE)

    assert clean() == ([], [])
    assert file_names(storage) == sorted(OUTSIDE)


@requirement("images.storage.leftovers")
def test_whatever_belongs_to_an_image_stays(storage: Storage, client: Client) -> None:
    image = store_image(encoded(halves(), "PNG"))
    client.get(f"/blog/media/{image.sha256}/w480.webp")
    its_own = file_names(storage)
    put(storage, *ORPHANS)

    assert clean() == (sorted(ORPHANS), [])
    assert file_names(storage) == its_own
    assert len(its_own) == 3


@requirement("images.storage.leftovers")
def test_cleaning_changes_nothing_in_the_database(storage: Storage) -> None:
    store_image()
    put(storage, *ORPHANS)
    before, saved = everything_stored() | {"files": ...}, []
    post_save.connect(receiver := lambda **kwargs: saved.append(kwargs), sender=Image)

    try:
        clean()
    finally:
        post_save.disconnect(receiver, sender=Image)

    assert (everything_stored() | {"files": ...}, saved) == (before, [])


@requirement("images.storage.cleaned-meanwhile")
def test_an_image_that_was_stored_since_the_look_keeps_its_files(storage: Storage) -> None:
    image = store_image()
    (name,) = file_names(storage)

    removal = remove_leftover(Leftover([name], image.sha256))

    assert (removal.removed, removal.failed) == ([], {})
    assert file_names(storage) == [name]


def test_the_files_of_one_digest_are_one_leftover(storage: Storage) -> None:
    put(storage, *ORPHANS)

    assert list(find_leftovers()) == [Leftover(sorted(ORPHANS), DIGEST)]


def test_what_somebody_else_removed_meanwhile_is_not_told_as_ours(storage: Storage) -> None:
    put(storage, *ORPHANS[:2])
    (leftover,) = find_leftovers()
    storage.delete(ORPHANS[0])

    assert remove_leftover(leftover).removed == [ORPHANS[1]]


def test_before_the_first_image_there_is_nothing(storage: Storage) -> None:
    assert list(find_leftovers()) == []


def test_a_file_that_cannot_be_removed_does_not_keep_the_others(storage: Storage, settings: Settings) -> None:
    put(storage, *ORPHANS)
    use_storage(settings, Stubborn)
    (leftover,) = find_leftovers()

    removal = remove_leftover(leftover)

    assert sorted([*removal.removed, *removal.failed]) == sorted(ORPHANS)
    assert {name: type(fault) for name, fault in removal.failed.items()} == {f"{HERE}.png": PermissionError}
    assert file_names(storage) == [f"{HERE}.png"]


class Stubborn(FileSystemStorage):
    """A storage that keeps one file."""

    def delete(self, name: str) -> None:
        if name.endswith(f"{DIGEST}.png"):
            raise PermissionError(name)
        super().delete(name)


class Looked(FileSystemStorage):
    """A storage that remembers which folders it was asked for."""

    asked: list[str]

    def listdir(self, path: str) -> Any:
        type(self).asked.append(path)
        return super().listdir(path)


def test_no_folder_is_listed_before_it_is_needed(storage: Storage, settings: Settings) -> None:
    put(storage, HERE + ".png", "blog_engine/images/cd/" + "cd" * 32 + ".png")
    use_storage(settings, Looked)
    Looked.asked = []

    folders = image_folders()
    prefixes = [next(folders).prefix, next(folders).prefix]

    assert prefixes == ["", "ab"]
    assert Looked.asked == ["blog_engine/images", "blog_engine/images/ab"]


class Unlistable(FileSystemStorage):
    """A storage whose credentials do not allow to list."""

    def listdir(self, path: str) -> Any:
        raise PermissionError("listing is not allowed")


@pytest.mark.parametrize("backend", [Unlistable, Storage])
def test_a_storage_that_cannot_be_listed_is_told(storage: Storage, settings: Settings, backend: type[Storage]) -> None:
    put(storage, *ORPHANS)
    use_storage(settings, backend)

    with pytest.raises(Unavailable):
        list(find_leftovers())

    assert file_names(storage) == sorted(ORPHANS)
