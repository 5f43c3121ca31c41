"""The library at the desk."""

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.core.files.storage import Storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine import services
from blog_engine.conf import get_settings
from blog_engine.enums import PolicyKind
from blog_engine.inputs.records import SavePage
from blog_engine.models import EmbeddedImage, Image
from blog_engine.queries.image_uses import MOST_USES
from tests.admin.desk import (
    EDITOR,
    desk,
    faults,
    logged,
    nothing_written,
    page_of,
    send,
    text_of,
    url,
)
from tests.requirements import requirement
from tests.support.factories import EDITOR as SERVICE_EDITOR
from tests.support.factories import NOW, edit_author, make_author, remove, save, store_image, update
from tests.support.hosts import Append, blog_settings, file_names, use_storage
from tests.support.images import png

pytestmark = pytest.mark.django_db

ORIGINS = Path(__file__).parents[1] / "images" / "origins"
AI_FILE = (ORIGINS / "ai.jpg").read_bytes()
AI = "trainedAlgorithmicMedia"


def file(name: str, data: bytes | None = None, content_type: str = "image/png") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, png("teal") if data is None else data, content_type)


def upload(client: Client, *files: SimpleUploadedFile) -> Any:
    return client.post(url("image_add"), {"images": list(files)})


def test_an_image_is_uploaded(writer: Client) -> None:
    answer = upload(writer, file("quay.png"))

    image = Image.objects.get()
    assert answer["Location"] == url("image_change", image.pk)
    assert (image.filename, image.uploaded_by) == ("quay.png", "Wanda Writer")
    assert logged() == [(1, "quay.png")]


def test_several_images_are_uploaded_at_once(writer: Client) -> None:
    answer = upload(writer, file("one.png", png("red")), file("two.png", png("blue")))

    assert answer["Location"] == url("image_changelist")
    assert set(Image.objects.values_list("filename", flat=True)) == {"one.png", "two.png"}


@requirement("desk.library")
def test_each_file_is_stored_or_refused_by_itself(writer: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=5_000)
    store_image(png("red"), filename="known.png")

    answer = upload(
        writer,
        file("good.png", png("blue")),
        file("again.png", png("red")),
        file("<b>text.png", b"text"),
        file("large.png", b"x" * 5_001),
    )
    page = answer.content.decode()

    assert answer.status_code == 200
    assert set(Image.objects.values_list("filename", flat=True)) == {"known.png", "good.png"}
    assert [(one.filename, one.is_new, bool(one.error)) for one, _ in answer.context["uploads"]] == [
        ("good.png", True, False),
        ("again.png", False, False),
        ("<b>text.png", False, True),
        ("large.png", False, True),
    ]
    assert "&lt;b&gt;text.png" in page
    assert "large.png has 4.9\xa0KB; at most 4.9\xa0KB." in page
    assert logged() == [(1, "good.png")]


@pytest.mark.parametrize("number", [0, 21])
def test_no_file_and_too_many_files_are_refused(writer: Client, number: int) -> None:
    with nothing_written():
        assert faults(upload(writer, *(file(f"{n}.png", png(f"rgb({n},1,1)")) for n in range(number)))) == ["images"]


def test_only_writers_upload() -> None:
    reader = desk("view_post")

    assert upload(reader, file("quay.png")).status_code == 403
    assert not Image.objects.exists()
    assert url("image_add") not in page_of(reader, "image_changelist")


@requirement("desk.library")
def test_images_are_found_by_file_name_with_a_thumbnail(writer: Client) -> None:
    quay = store_image(png("red"), filename="quay.png")
    store_image(png("blue"), filename="sea.png")

    page = writer.get(url("image_changelist"), {"q": "QUA"}).content.decode()

    assert "quay.png" in page
    assert "sea.png" not in page
    assert f"/blog/media/{quay.sha256}/" in page
    assert "Not used" in page


def test_the_page_of_an_image_has_its_url_and_markdown(writer: Client) -> None:
    image = store_image(filename="quay (north).png")

    page = page_of(writer, "image_change", image.pk)

    assert f'value="{get_settings().public_base_url}{image.url}"' in page
    assert f'value="![]({image.url})"' in page
    assert "quay%20%28north%29.png" in image.url
    assert "Nothing uses this image." in page


@requirement("desk.library")
def test_the_page_of_an_image_names_what_uses_it() -> None:
    editor = desk(*EDITOR)
    image = store_image()
    cover = save(title="Cover", cover_image={"image_id": image.pk}).post
    social = save(title="Social", social_image={"image_id": image.pk}).post
    body = save(title="Body", body=f"![x]({image.url})\n\n![y]({image.url})", publish=True).post
    author = make_author()
    edit_author(author.pk, avatar={"image_id": image.pk})

    page = page_of(editor, "image_change", image.pk)
    listed = page_of(editor, "image_changelist")

    for post in (cover, social, body):
        assert f'<a href="{url("post_change", post.pk)}">{post.title}</a>' in page
    assert f'<a href="{url("author_change", author.pk)}">{author.name}</a>' in page
    assert "Used as: cover, social media, text, author" in listed


def test_a_use_in_a_body_follows_the_body() -> None:
    one, two = store_image(png("red"), filename="one.png"), store_image(png("blue"), filename="two.png")
    post = save(body=f"![x]({one.url})").post
    assert [row.image for row in EmbeddedImage.objects.all()] == [one]

    update(post, body=f"![x]({two.url}) and ![y]({one.url})")
    assert {row.image for row in EmbeddedImage.objects.all()} == {one, two}

    update(post, body=f"![x]({two.url})")
    assert [row.image for row in EmbeddedImage.objects.all()] == [two]

    update(post, title="New")
    assert [row.image for row in EmbeddedImage.objects.all()] == [two]

    update(post, body="Words.")
    assert not EmbeddedImage.objects.exists()


def test_the_migration_finds_the_images_of_stored_bodies() -> None:
    one, two = store_image(png("red"), filename="one.png"), store_image(png("blue"), filename="two.png")
    first = save(title="First", body=f"![x]({one.url}) ![y]({two.url}) ![z]({one.url})").post
    save(title="Second", body="![x](/somewhere-else.png)")
    third = save(title="Third", body=f"![x]({two.url})").post
    EmbeddedImage.objects.all().delete()

    migration = import_module("blog_engine.migrations.0018_embedded_images")
    migration._find(apps, SimpleNamespace(connection=connection))

    rows = EmbeddedImage.objects.values_list("post", "image")
    assert sorted(rows) == sorted([(first.pk, one.pk), (first.pk, two.pk), (third.pk, two.pk)])


def test_the_uses_are_bounded(writer: Client) -> None:
    image = store_image()
    for number in range(MOST_USES + 2):
        save(title=f"Post {number}", cover_image={"image_id": image.pk})

    assert page_of(writer, "image_change", image.pk).count("/post/") <= MOST_USES + 10


@requirement("desk.library")
def test_no_image_is_changed() -> None:
    image = store_image()

    with nothing_written():
        answer = desk(*EDITOR).post(url("image_change", image.pk), {"post": "yes", "filename": "x.png"})

    assert answer.status_code == 405


def delete_page(client: Client, image: Image) -> Any:
    return client.get(url("image_delete", image.pk))


def token_of(page: Any) -> dict[str, list[str]]:
    return {"csrfmiddlewaretoken": [str(page.context["csrf_token"])]}


@requirement("desk.images.remove")
def test_an_image_that_nothing_uses_is_deleted_after_a_question(
    django_capture_on_commit_callbacks: Any, storage: Storage
) -> None:
    editor, image = desk(*EDITOR, name="Ed Editor"), store_image()
    asked = delete_page(editor, image)
    page = asked.content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        answer = send(editor, url("image_delete", image.pk), token_of(asked))

    assert f'<img src="/blog/media/{image.sha256}/' in page
    assert "Nothing uses this image." in page
    assert "has this image, and loses it" not in page
    assert answer["Location"] == url("image_changelist")
    assert not Image.objects.exists()
    assert file_names(storage) == []
    assert logged() == [(3, "quay.png")]
    assert "“quay.png” was deleted." in page_of(editor, "image_changelist")


@requirement("desk.images.remove")
def test_the_question_says_what_loses_the_image() -> None:
    editor, image = desk(*EDITOR), store_image()
    for slug in ("a", "b"):
        update(save(slug=slug, body="Long. " * 99, cover_image={"image_id": image.pk}).post, body="x", cover_image=None)
    remove(save(title="Binned", slug="c", body=f"![]({image.url})").post)

    page = delete_page(editor, image).content.decode()

    assert "2 earlier versions of drafts have this image, and lose it." in page
    assert "1 draft in the bin has this image, and loses it." in page
    assert 'type="submit" value="Delete"' in page


@requirement("desk.images.remove")
def test_an_image_that_is_in_use_is_kept_and_its_page_says_what_to_do() -> None:
    editor, image = desk(*EDITOR, name="Ed Editor"), store_image()
    post = save(title="Quay <b>", cover_image={"image_id": image.pk}).post
    author = edit_author(make_author(name="Mina").pk, avatar={"image_id": image.pk})
    sent = SavePage(kind=PolicyKind.EDITORIAL, title="Our rules", body=f"![A quay]({image.url})")
    rules = services.save_page(sent, actor=SERVICE_EDITOR, now=NOW).page
    was_public = save(title="Old", publish=True, cover_image={"image_id": image.pk}).post
    update(was_public, cover_image=None, change="maintenance")
    asked = delete_page(editor, image)
    page = asked.content.decode()

    with nothing_written():
        answer = send(editor, url("image_delete", image.pk), token_of(asked))

    assert 'value="Delete"' not in page
    assert "Quay &lt;b&gt;" in page
    for path in (
        url("post_change", post.pk),
        url("author_change", author.pk),
        url("policypage_change", rules.pk),
        url("post_history", was_public.pk),
    ):
        assert f'href="{path}"' in page
    assert "ask the person who runs the server" in page
    assert faults(answer) == ["__all__"]
    assert "The image is in use. Nothing was deleted." in text_of(answer)


@requirement("desk.images.remove", "desk.permissions")
@pytest.mark.parametrize("permission", ["view_post", "write_post", "approve_post", "manage_supporting"])
def test_only_who_may_publish_deletes_an_image(permission: str) -> None:
    client, image = desk(permission), store_image()

    with nothing_written():
        answers = [delete_page(client, image), client.post(url("image_delete", image.pk), {})]

    assert [answer.status_code for answer in answers] == [403, 403]
    if permission != "manage_supporting":
        page = page_of(client, "image_change", image.pk)
        assert url("image_delete", image.pk) not in page
        assert "Who may publish can delete it." in page


@requirement("desk.images.remove")
def test_who_may_not_manage_records_gets_no_link_to_them() -> None:
    image = store_image()
    author = edit_author(make_author(name="Mina").pk, avatar={"image_id": image.pk})

    page = delete_page(desk("publish_post"), image).content.decode()

    assert "Mina" in page
    assert url("author_change", author.pk) not in page


@requirement("desk.images.remove", "desk.queries")
def test_the_question_takes_few_queries() -> None:
    editor, image = desk(*EDITOR), store_image()
    page_of(editor, "image_delete", image.pk)

    with CaptureQueriesContext(connection) as queries:
        delete_page(editor, image)

    assert len(queries) <= 13


@requirement("images.removed.files", "desk.images.remove")
def test_a_file_that_stays_in_the_storage_is_told(django_capture_on_commit_callbacks: Any, settings: Settings) -> None:
    editor, image = desk(*EDITOR), store_image()
    asked = delete_page(editor, image)
    use_storage(settings, Append)

    with django_capture_on_commit_callbacks(execute=True):
        answer = send(editor, url("image_delete", image.pk), token_of(asked))

    assert answer["Location"] == url("image_changelist")
    assert not Image.objects.exists()


@requirement("desk.images.origin")
def test_the_page_of_an_image_says_where_it_comes_from(writer: Client) -> None:
    said = store_image(AI_FILE, filename="ai.jpg")
    silent = store_image(png("red"), filename="quay.png")

    pages = [text_of(writer.get(url("image_change", image.pk))) for image in (said, silent)]

    assert "Ann Lee / Quay Press" in pages[0]
    assert "Made by AI (the file says so)" in pages[0]
    assert "How it was made not known" in pages[1]


@requirement("desk.images.origin")
def test_credit_and_kind_are_changed_at_the_desk(writer: Client) -> None:
    image = store_image(AI_FILE, filename="ai.jpg")

    answer = send(writer, url("image_origin", image.pk), {"credit": "Rosa", "digital_source_type": "humanEdits"})

    assert answer["Location"] == url("image_change", image.pk)
    changed = Image.objects.get()
    assert (changed.credit, changed.digital_source_type, changed.source_type_from) == ("Rosa", "humanEdits", "sent")
    page = text_of(writer.get(url("image_change", image.pk)))
    assert "Edited by people, without AI that makes pictures (set by hand)" in page
    assert "The file says Made by AI" in page
    assert logged() == [(2, "ai.jpg")]


@requirement("desk.images.origin")
@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"credit": "Rosa", "digital_source_type": AI}, ("Rosa", AI, "file")),
        ({"credit": "", "digital_source_type": ""}, ("", None, "sent")),
        ({"credit": "Ann Lee / Quay Press", "digital_source_type": AI}, ("Ann Lee / Quay Press", AI, "file")),
    ],
)
def test_a_kind_that_is_left_alone_stays_the_word_of_the_file(
    writer: Client, sent: dict[str, str], expected: object
) -> None:
    image = store_image(AI_FILE, filename="ai.jpg")

    send(writer, url("image_origin", image.pk), sent)

    changed = Image.objects.get()
    assert (changed.credit, changed.digital_source_type, changed.source_type_from) == expected


@requirement("desk.images.origin")
def test_a_retired_kind_of_a_file_can_be_kept(writer: Client) -> None:
    image = store_image((ORIGINS / "retired.png").read_bytes(), filename="retired.png")

    send(writer, url("image_origin", image.pk), {"credit": "Rosa", "digital_source_type": "digitalArt"})

    changed = Image.objects.get()
    assert (changed.credit, changed.digital_source_type, changed.source_type_from) == ("Rosa", "digitalArt", "file")


@requirement("desk.images.origin")
@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ({"digital_source_type": "painted"}, ["digital_source_type"]),
        ({"digital_source_type": "digitalArt"}, ["digital_source_type"]),
        ({"credit": "x" * 501}, ["credit"]),
        ({"credit": f"a{chr(0x301) * 99}"}, ["credit"]),
    ],
)
def test_a_kind_or_credit_that_cannot_be_is_refused(writer: Client, sent: dict[str, str], fields: list[str]) -> None:
    image = store_image(png(), filename="quay.png")

    with nothing_written():
        assert faults(send(writer, url("image_origin", image.pk), sent)) == fields


@requirement("desk.images.origin")
def test_only_writers_change_where_an_image_comes_from() -> None:
    image, reader = store_image(AI_FILE, filename="ai.jpg"), desk("view_post")

    assert send(reader, url("image_origin", image.pk), {"credit": "Rosa"}).status_code == 403
    assert url("image_origin", image.pk) not in page_of(reader, "image_change", image.pk)
    assert Image.objects.get().credit == "Ann Lee / Quay Press"


@requirement("desk.images.origin")
def test_an_upload_of_an_image_by_ai_says_so(writer: Client) -> None:
    answer = upload(writer, file("ai.jpg", AI_FILE, "image/jpeg"))

    page = writer.get(answer["Location"]).content.decode()
    assert "The file says that AI made or changed this image: " in page
