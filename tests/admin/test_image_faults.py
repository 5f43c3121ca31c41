"""What the desk says about files that are no images it can show."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from blog_engine.models import Image as StoredImage
from tests.admin.desk import EDITOR, desk, nothing_written, opened, send, text_of, url
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.support.images import animation, plain, png

pytestmark = pytest.mark.django_db

HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 40


FILES = {
    "photo.heic": (HEIC, "photo.heic is a HEIC photo, which browsers cannot show. Save it as JPEG, and add it again."),
    "photo.jpg": (HEIC, "photo.jpg is a HEIC photo"),
    "drawing.svg": (b"\xef\xbb\xbf\n<svg xmlns='http://www.w3.org/2000/svg'/>", "drawing.svg is an SVG drawing"),
    "old.svg": (b"<?xml version='1.0'?><svg/>", "old.svg is an SVG drawing"),
    "paper.pdf": (b"%PDF-1.7\n", "paper.pdf is a PDF document, not an image."),
    "notes.png": (b"Notes of the week", "notes.png is not an image that can be shown here."),
    "cut.png": (png("teal")[:-20], "cut.png is damaged or was cut off."),
    "film.gif": (
        animation(frames=12, size=(40, 40)),
        "film.gif has too many pixels, those of all frames of an animation together",
    ),
    "large.jpg": (b"x" * 30_001, "large.jpg has 29.3\xa0KB; at most 29.3\xa0KB."),
    "a" + "\u0301" * 31 + ".png": (b"x", "The name of this file cannot be used. Rename it to one such as photo.jpg."),
}
of_each_file = pytest.mark.parametrize("name", FILES)


@pytest.fixture(autouse=True)
def _limits(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=30_000, max_image_pixels=10_000)


def file(name: str) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, FILES[name][0], "image/png")


def no_words_of_programs(shown: str) -> None:
    for word in ("bytes", "30000", "the url", "image/", "not permitted"):
        assert word not in shown


@requirement("desk.images.refused")
@of_each_file
def test_the_editor_says_what_kind_of_file_it_is(writer: Client, name: str) -> None:
    with nothing_written():
        answer = writer.post(url("post_upload"), {"file": file(name)})

    assert answer.status_code == 422
    assert FILES[name][1] in answer.json()["message"]
    no_words_of_programs(answer.json()["message"])


@requirement("desk.images.refused")
@of_each_file
def test_the_library_says_it_without_scripts(writer: Client, name: str) -> None:
    with nothing_written():
        answer = writer.post(url("image_add"), {"images": [file(name)]})

    said = answer.context["uploads"][0][0].error
    assert FILES[name][1] in said
    assert " ".join(said.split()) in text_of(answer)
    no_words_of_programs(said)


@requirement("desk.images.refused")
@of_each_file
@pytest.mark.parametrize("field", ["cover_image_file", "social_image_file"])
def test_the_form_of_a_post_says_it_at_the_field(writer: Client, name: str, field: str) -> None:
    with nothing_written():
        answer = send(writer, url("post_add"), opened(writer), title="Quay", **{field: file(name)})

    assert FILES[name][1] in " ".join(answer.context["form"].errors[field])


@requirement("desk.images.refused")
@of_each_file
def test_the_form_of_an_author_says_it_at_the_field(name: str) -> None:
    editor = desk(*EDITOR)

    with nothing_written():
        answer = editor.post(url("author_add"), {"name": "Mina", "type": "person", "avatar_upload": file(name)})

    assert FILES[name][1] in " ".join(answer.context["form"].errors["avatar_upload"])


def test_a_file_with_the_ending_of_another_kind_is_stored(writer: Client) -> None:
    renamed = SimpleUploadedFile("photo.png", plain("JPEG"), "image/png")

    assert writer.post(url("post_upload"), {"file": renamed}).status_code == 201
    assert StoredImage.objects.get().content_type == "image/jpeg"


def test_a_kind_that_the_blog_does_not_accept_is_no_damaged_file(writer: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(image_content_types=["image/jpeg"])
    sent: dict[str, Any] = {"file": SimpleUploadedFile("quay.png", png("teal"), "image/png")}

    answer = writer.post(url("post_upload"), sent)

    assert answer.json()["message"] == "quay.png is not an image that can be shown here."
