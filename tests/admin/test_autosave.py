"""Drafts that save themselves, and what the editor hears of other writers."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from blog_engine.models import Category, ConnectionDeclaration, Post
from blog_engine.queries.posts import tag_names
from tests.admin.desk import EDITOR, Fields, address, desk, nothing_written, opened, send, stored, url
from tests.requirements import requirement
from tests.support.factories import publish, save, update

pytestmark = pytest.mark.django_db


def autosave(writer: Client, post: Post | None, fields: Fields, **changes: Any) -> dict[str, Any]:
    path = url("post_autosave", post.pk) if post else url("post_autosave_new")
    answer: dict[str, Any] = send(writer, path, fields, **changes).json()  # type: ignore[attr-defined]
    return answer


@requirement("desk.autosave")
def test_a_new_draft_is_created_once_it_has_a_title(writer: Client) -> None:
    fields = opened(writer)
    assert autosave(writer, None, fields, body="Text")["state"] == "unchanged"
    assert not Post.objects.exists()

    reply = autosave(writer, None, fields, body="Text", title="Night")

    post = Post.objects.get()
    assert (reply["state"], reply["version"], reply["pages"]["change"]) == ("saved", post.version, address(post.pk))
    assert (post.title, post.body, post.slug, reply["values"]["slug"]) == ("Night", "Text", "night", "night")


@requirement("desk.autosave")
def test_typing_on_changes_the_same_draft_and_its_slug(writer: Client) -> None:
    fields = opened(writer)
    reply = autosave(writer, None, fields, title="Night")
    post = Post.objects.get()
    fields |= {"title": ["Night ferry"], **{name: [value] for name, value in reply["values"].items()}}

    again = autosave(writer, post, fields, version=str(reply["version"]), opened=reply["opened"])

    assert (again["state"], stored(post).title, stored(post).slug) == ("saved", "Night ferry", "night-ferry")
    assert (Post.objects.count(), again["version"], again["pages"]) == (1, reply["version"] + 1, {})


@requirement("desk.autosave")
def test_it_leaves_no_line_in_the_log(writer: Client) -> None:
    post = save().post

    autosave(writer, post, opened(writer, post.pk), body="Text")

    assert stored(post).body == "Text"
    assert not LogEntry.objects.exists()


@requirement("desk.autosave")
def test_names_of_new_records_and_declarations_wait(writer: Client) -> None:
    post = save().post
    sent = {"category": "Shi", "tags": "Se", "author": "Mi", "series": "Cr", "slug": "mine", "declared_by": "Mi"}

    reply = autosave(writer, post, opened(writer, post.pk), body="Text", **sent)

    assert (reply["state"], reply["is_complete"]) == ("saved", False)
    assert "Category" in reply["message"]
    assert (stored(post).body, Category.objects.exists(), ConnectionDeclaration.objects.exists()) == (
        "Text",
        False,
        False,
    )


def test_names_of_stored_records_are_saved(writer: Client) -> None:
    save(category="Ships", tags=["Sea"], series="Crossings", author="Mina Holt")
    post = save(title="Other").post
    sent = {"category": "Ships", "tags": "sea", "author": "Mina Holt", "series": "Crossings"}

    reply = autosave(writer, post, opened(writer, post.pk), **sent)

    kept = stored(post)
    assert reply["is_complete"]
    assert (str(kept.category), tag_names(kept), kept.author_name, str(kept.series)) == (
        "Ships",
        ["Sea"],
        "Mina Holt",
        "Crossings",
    )


def test_a_faulty_field_does_not_keep_the_text_from_being_saved(writer: Client) -> None:
    post = save().post

    reply = autosave(writer, post, opened(writer, post.pk), body="Text", canonical_url="nowhere")

    assert (reply["state"], reply["is_complete"], stored(post).body) == ("saved", False, "Text")
    assert "Original URL" in reply["message"]


def test_an_empty_title_saves_nothing(writer: Client) -> None:
    post = save().post

    with nothing_written():
        assert autosave(writer, post, opened(writer, post.pk), title="", body="Text")["state"] == "unchanged"


def test_another_writer_is_noticed(writer: Client) -> None:
    post = save().post
    fields = opened(writer, post.pk)
    update(post, body="Theirs")

    with nothing_written():
        reply = autosave(writer, post, fields, body="Mine")

    assert (reply["state"], "Ines Editor" in reply["message"]) == ("conflict", True)


def test_the_present_version_is_returned(writer: Client) -> None:
    post = save().post
    update(post, body="Theirs")

    reply = writer.get(url("post_current", post.pk)).json()

    assert reply["version"] == stored(post).version


@requirement("desk.autosave")
def test_only_drafts_save_themselves() -> None:
    writer, post = desk(*EDITOR), save().post
    publish(post)

    with nothing_written():
        assert autosave(writer, post, opened(writer, post.pk), body="Mine")["state"] == "refused"


def test_a_refusal_says_why(writer: Client) -> None:
    post = save().post

    with nothing_written():
        reply = autosave(writer, post, opened(writer, post.pk), body="x" * 262_145)

    assert (reply["state"], "262144" in reply["message"]) == ("refused", True)


def test_a_new_draft_whose_slug_is_taken_is_refused_with_a_sentence(writer: Client) -> None:
    save(title="Night ferry", body="Theirs")

    with nothing_written():
        reply = autosave(writer, None, opened(writer), title="Night ferry", body="Mine")

    assert (reply["state"], "last part of the URL" in reply["message"]) == ("refused", True)

    assert autosave(writer, None, opened(writer), title="Night ferry", slug="mine")["state"] == "saved"


def test_findings_come_with_the_answer(writer: Client) -> None:
    post = save().post

    reply = autosave(writer, post, opened(writer, post.pk), body="# One")

    assert '<a href="#id_body">The title is' in reply["findings"]
