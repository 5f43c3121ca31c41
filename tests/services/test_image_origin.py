"""What images say of where they come from: read once, also for images of an earlier version, and kept in variants."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import Storage
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from PIL import Image as Picture

from blog_engine import services
from blog_engine.images.files import file_name, files_of_image
from blog_engine.images.inspect import inspect_image
from blog_engine.images.variants import variant
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import UpdateImage
from blog_engine.inputs.records import SavePage
from blog_engine.models import Image, PolicyPage, Post
from blog_engine.models.image import set_origin
from blog_engine.services import refresh
from blog_engine.services.images import find_leftovers
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, save, store_image
from tests.support.hosts import all_file_names, file_names
from tests.support.images import encoded, halves, plain, png
from tests.support.web import answer, by_path, serving

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_images")]

AI_FILE = (Path(__file__).parents[1] / "images" / "origins" / "ai.jpg").read_bytes()
AI = "trainedAlgorithmicMedia"
CREDIT = "Ann Lee / Quay Press"


def origin(image: Image | None = None) -> tuple[str, str | None, str | None, str | None]:
    row = Image.objects.get(pk=image.pk) if image else Image.objects.get()
    return row.credit, row.digital_source_type, row.source_type_from, row.source_type_in_file


def as_an_earlier_version_stored_it(image: Image, **said: str | None) -> None:
    unread = {"credit": "", "digital_source_type": None, "source_type_from": None, "source_type_in_file": None}
    set_origin(image, **(unread | said))


@requirement("images.origin.earlier", "host.upgrade.completed")
@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, (CREDIT, AI, "file", AI)),
        ({"credit": "Rosa"}, ("Rosa", AI, "file", AI)),
        ({"source_type_from": "sent"}, (CREDIT, None, "sent", AI)),
        ({"digital_source_type": "print", "source_type_from": "sent"}, (CREDIT, "print", "sent", AI)),
    ],
)
def test_images_of_an_earlier_version_are_read(said: dict[str, str], expected: object) -> None:
    as_an_earlier_version_stored_it(store_image(AI_FILE), **said)

    call_command("render_posts")

    assert origin() == expected
    assert services.read_origins() == 0


@requirement("images.origin.earlier")
def test_the_next_upload_reads_the_file_as_well() -> None:
    as_an_earlier_version_stored_it(store_image(AI_FILE))

    store_image(AI_FILE)

    assert origin() == (CREDIT, AI, "file", AI)


@requirement("images.origin.earlier")
def test_a_file_that_cannot_be_read_is_left_and_the_others_are_read(storage: Storage) -> None:
    lost, damaged, silent = store_image(AI_FILE), store_image(png("red")), store_image(png("blue"))
    for image in (lost, damaged, silent):
        as_an_earlier_version_stored_it(image)
    storage.delete(file_name(lost.sha256, lost.content_type))
    name = file_name(damaged.sha256, damaged.content_type)
    storage.delete(name)
    with storage.open(name, "wb") as file:
        file.write(b"no image")

    assert services.read_origins() == 1
    assert [origin(image)[3] for image in (lost, damaged, silent)] == [None, None, ""]


@requirement("images.origin.file")
def test_an_image_that_is_fetched_says_where_it_comes_from() -> None:
    with serving(by_path({"/ai.jpg": answer(AI_FILE)})) as server:
        post = save(cover_image={"url": f"http://127.0.0.1:{server.port}/ai.jpg"}).post

    assert origin(post.cover_image) == (CREDIT, AI, "file", AI)


@requirement("media.origin")
def test_a_variant_is_made_anew_when_something_else_is_said(storage: Storage) -> None:
    image = store_image(AI_FILE)
    names = [variant(image, width=480, format="webp")]

    for sent in ({"credit": "Rosa"}, {"digital_source_type": None}, {"credit": CREDIT, "digital_source_type": AI}):
        changed = services.update_image(UpdateImage.model_validate({"id": image.pk, **sent}), actor=EDITOR, now=NOW)
        names.append(variant(changed, width=480, format="webp"))

    said = [_said(storage, name or "") for name in names]
    assert said == [(CREDIT, AI), ("Rosa", AI), ("Rosa", None), (CREDIT, AI)]
    assert names[3] == names[0]
    assert {one.rpartition("/")[2][:64] for one in file_names(storage)} == {image.sha256}


@requirement("media.origin")
def test_a_variant_of_an_earlier_version_stays_for_an_image_that_says_nothing(storage: Storage) -> None:
    image = store_image(encoded(halves(), "PNG"))
    name = variant(image, width=480, format="webp")

    notes = [one for one in file_names(storage) if one.endswith(".txt")]
    assert [one.rpartition("/")[2] for one in notes] == [f"{image.sha256}-w480-webp.txt"]
    with storage.open(name or "") as file:
        assert "xmp" not in Picture.open(file).info


@requirement("media.origin", "images.storage.leftovers")
def test_variants_of_a_marked_image_are_no_leftovers_and_belong_to_it(storage: Storage) -> None:
    image = store_image(AI_FILE)
    variant(image, width=480, format="webp")

    assert list(find_leftovers()) == []
    assert sorted(files_of_image(image.sha256)) == all_file_names(storage)


def _said(storage: Storage, name: str) -> tuple[str, str | None]:
    with storage.open(name) as file:
        read = inspect_image(file.read(), filename="quay").origin
    return read.credit, read.source_type


def showing(image: Image, *, number: int = 1) -> None:
    """Publish posts with an image in the body."""
    for one in range(number):
        save(title=f"Post {one}", publish=True, body=f"![A quay]({image.url})")


def set_credit(image: Image, credit: str) -> Image:
    """``PATCH /images/:id``."""
    return services.update_image(UpdateImage(id=image.pk, credit=credit), actor=EDITOR, now=LATER)


def outdated() -> set[str]:
    return set(Post.objects.filter(rendered_with="").values_list("title", flat=True))


@requirement("images.notes.changed")
def test_what_shows_an_image_is_rendered_again_when_something_else_is_said(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "MOST_AT_ONCE", 2)
    image, other = store_image(), store_image(plain(color="red"))
    showing(image, number=3)
    save(title="Draft", body=f"![A quay]({image.url})")
    save(title="Cover", publish=True, body="Text.", cover_image={"image_id": image.pk})
    save(title="Other", publish=True, body=f"![A quay]({other.url})")
    about = {"kind": "editorial", "title": "Page", "body": f"![A quay]({image.url})"}
    services.save_page(parse(SavePage, about), actor=EDITOR, now=NOW)

    set_credit(image, "Ann Lee")

    assert outdated() == {"Post 0", "Draft"}
    assert "Ann Lee" in Post.objects.get(title="Post 2").body_html
    page = PolicyPage.objects.get()
    assert (page.rendered_with != "", "Ann Lee" in page.body_html) == (True, True)
    assert services.render_posts() == 2


@requirement("images.notes.changed")
def test_long_bodies_are_left_for_later(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refresh, "MOST_CHARACTERS", 100)
    image = store_image()
    showing(image, number=3)

    set_credit(image, "Ann Lee")

    assert outdated() == {"Post 0"}


@requirement("images.notes.changed")
def test_a_repeated_change_renders_nothing(storage: Storage) -> None:
    image = store_image()
    showing(image)
    set_credit(image, "Ann Lee")

    with CaptureQueriesContext(connection) as captured:
        set_credit(image, "Ann Lee")

    assert not [one for one in captured.captured_queries if "rendered_with" in one["sql"]]


@requirement("images.notes.changed")
def test_a_rendering_that_fails_undoes_no_change(storage: Storage, caplog: pytest.LogCaptureFixture) -> None:
    image = store_image()
    showing(image)

    def fail(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith("UPDATE") and "body_html" in sql:
            raise OperationalError("The disk is full.")
        return execute(sql, *rest)

    with connection.execute_wrapper(fail):
        set_credit(image, "Ann Lee")

    assert (Image.objects.get().credit, outdated()) == ("Ann Lee", {"Post 0"})
    assert "run render_posts" in caplog.text
