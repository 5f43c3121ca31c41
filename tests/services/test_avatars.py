"""The avatar of an author: where it comes from, and what a refusal leaves behind."""

from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from blog_engine.errors import ImageNotPermitted, NotFound, Refusal, ValidationFailed
from blog_engine.models import Author, Image
from blog_engine.public import sign_stored_file
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, edit_author, make_author
from tests.support.images import gallery, picture_url, png
from tests.support.tables import new_image, refused, stored
from tests.support.web import Server

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]


def at(server: Server) -> dict[str, str]:
    return {"url": picture_url(server)}


@requirement("images.references")
def test_a_stored_image_becomes_the_avatar() -> None:
    image = stored(new_image())

    assert make_author(avatar={"image_id": image.pk}).avatar == image
    assert Image.objects.count() == 1


@requirement("images.references")
def test_a_url_is_fetched_and_kept_as_an_image(quay: Server) -> None:
    author = make_author(avatar=at(quay))

    image = Image.objects.get()
    assert Author.objects.get().avatar == author.avatar == image
    assert (image.filename, image.source_url) == ("quay.png", at(quay)["url"])
    assert (image.uploaded_by, image.created_at) == (EDITOR.name, NOW)


@requirement("images.references")
def test_a_file_of_the_host_is_imported() -> None:
    name = default_storage.save("portraits/mina.png", ContentFile(png()))

    author = make_author(avatar={"signed_id": sign_stored_file(name)})

    assert author.avatar == Image.objects.get(filename="mina.png")


def test_equal_pictures_of_two_authors_are_one_image(quay: Server) -> None:
    make_author(name="One", avatar=at(quay))
    edit_author(make_author(name="Two").pk, avatar=at(quay))

    (image,) = Image.objects.all()
    assert list(Author.objects.values_list("avatar", flat=True)) == [image.pk, image.pk]
    assert image.created_at == NOW != LATER


@requirement("taxonomy.authors.avatar")
def test_an_edit_keeps_the_avatar_replaces_it_or_clears_it() -> None:
    one, two = stored(new_image()), stored(new_image())
    author = make_author(avatar={"image_id": one.pk})
    seen = []

    for fields in ({"bio": "New."}, {"avatar": {"image_id": two.pk}}, {"slug": "m"}, {"avatar": None}):
        edit_author(author.pk, **fields)
        seen.append(Author.objects.get().avatar)

    assert seen == [one, two, two, None]
    assert Image.objects.count() == 2


@requirement("taxonomy.authors.host-file")
def test_clearing_the_avatar_leaves_the_file_of_the_host_alone() -> None:
    author = make_author()
    author.avatar_file.save("mina.png", ContentFile(png()))

    edit_author(author.pk, avatar=None)

    assert Author.objects.get().avatar_file.name == author.avatar_file.name
    assert default_storage.exists(author.avatar_file.name)


@requirement("images.references.missing")
@pytest.mark.parametrize(
    ("avatar", "refusal"),
    [
        ({"image_id": 999_999}, NotFound),
        ({"image_id": 10**30}, NotFound),
        ({"signed_id": "made-up"}, ImageNotPermitted),
        ({"url": "ftp://127.0.0.1/a.png"}, ImageNotPermitted),
    ],
)
def test_an_image_that_cannot_be_had_leaves_nothing_behind(avatar: dict[str, Any], refusal: type[Refusal]) -> None:
    author = make_author(avatar={"image_id": stored(new_image()).pk})

    with refused(refusal, []):
        make_author(name="Other", avatar=avatar)
    with refused(refusal, []):
        edit_author(author.pk, bio="New.", avatar=avatar)


def test_what_is_no_picture_leaves_nothing_behind() -> None:
    with gallery(quay=b"<svg xmlns='http://www.w3.org/2000/svg'/>") as server, refused(ImageNotPermitted, []):
        make_author(avatar=at(server))


@requirement("images.fetch.last", "taxonomy.authors.avatar-last")
def test_nothing_is_fetched_for_an_author_who_is_refused_anyway(quay: Server) -> None:
    make_author(name="Mina Holt")
    other = make_author(name="Other")

    with refused(ValidationFailed, ["slug"]):
        make_author(name="New", slug="mina-holt", avatar=at(quay))
    with refused(ValidationFailed, ["name"]):
        make_author(name="Mina Holt", avatar=at(quay))
    with refused(ValidationFailed, ["slug"]):
        edit_author(other.pk, slug="mina-holt", avatar=at(quay))
    with refused(NotFound, []):
        edit_author(other.pk + 1, avatar=at(quay))

    assert quay.hits() == 0
