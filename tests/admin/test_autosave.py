"""Drafts that save themselves, and what the editor hears of other writers."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.test import Client

from blog_engine.models import Author, Category, ConnectionDeclaration, Post
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
def test_a_new_draft_is_created_as_soon_as_it_has_something(writer: Client) -> None:
    fields = opened(writer)
    assert autosave(writer, None, fields)["state"] == "unchanged"
    assert not Post.objects.exists()

    reply = autosave(writer, None, fields, body="Text", title="Night")

    post = Post.objects.get()
    assert (reply["state"], reply["version"], reply["created"]["change"]) == ("saved", post.version, address(post.pk))
    assert (post.title, post.body, post.slug, reply["values"]["slug"]) == ("Night", "Text", "night", "night")


@requirement("desk.autosave")
def test_a_new_draft_without_a_title_gets_one_for_now(writer: Client) -> None:
    fields = opened(writer)

    reply = autosave(writer, None, fields, body="Text")

    post = Post.objects.get()
    assert (post.title, post.body, post.slug) == ("Untitled", "Text", "untitled")
    assert (reply["state"], reply["is_complete"], reply["created"]["title"]) == ("saved", True, "Untitled")
    assert autosave(writer, None, fields, body="Another")["values"]["slug"] == "untitled-2"


@requirement("desk.autosave")
def test_save_also_makes_new_names(writer: Client) -> None:
    fields = opened(writer)

    reply = autosave(writer, None, fields, title="Night", category="Boats", whole="1")

    assert (reply["state"], reply["is_complete"], Post.objects.get().category.name) == ("saved", True, "Boats")  # type: ignore[union-attr]


def test_save_leaves_a_line_in_the_log(writer: Client) -> None:
    autosave(writer, None, opened(writer), title="Night", whole="1")
    post = Post.objects.get()
    autosave(writer, post, opened(writer, post.pk), body="Text", whole="1")

    assert [line.get_change_message() for line in LogEntry.objects.order_by("pk")] == ["Added.", "Changed."]


@requirement("desk.copies")
def test_a_copy_that_is_put_back_writes_nothing_and_keeps_its_key(writer: Client) -> None:
    user = get_user_model().objects.get().pk
    fields = opened(writer)

    with nothing_written():
        pages = [
            send(writer, url("post_add"), fields, body="Text", back="1", copy=copy).context["copy"]  # type: ignore[attr-defined]
            for copy in (f"{user}:new:abc", f"{user + 1}:new:abc")
        ]

    assert pages[0] == f"{user}:new:abc"
    assert pages[1].startswith(f"{user}:new:")
    assert pages[1] != f"{user}:new:abc"


def test_save_of_a_faulty_field_writes_nothing(writer: Client) -> None:
    post = save().post

    with nothing_written():
        reply = autosave(writer, post, opened(writer, post.pk), body="Text", canonical_url="nowhere", whole="1")

    assert (reply["state"], "Original URL" in reply["message"]) == ("refused", True)


@requirement("desk.autosave")
def test_typing_on_changes_the_same_draft_and_its_slug(writer: Client) -> None:
    fields = opened(writer)
    reply = autosave(writer, None, fields, title="Night")
    post = Post.objects.get()
    fields |= {name: [value] for name, value in reply["values"].items()} | {"title": ["Night ferry"]}

    again = autosave(writer, post, fields, version=str(reply["version"]), opened=reply["opened"])

    assert (again["state"], stored(post).title, stored(post).slug) == ("saved", "Night ferry", "night-ferry")
    assert (Post.objects.count(), again["version"], again["created"]) == (1, reply["version"] + 1, None)


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


def test_an_empty_title_stays_as_it_is(writer: Client) -> None:
    post = save(title="Night").post

    reply = autosave(writer, post, opened(writer, post.pk), title="", body="Text")

    assert (stored(post).title, stored(post).body, reply["is_complete"]) == ("Night", "Text", False)
    assert ("Title" in reply["message"], "title" in reply["values"], reply["created"]) == (True, False, None)


def test_another_writer_is_noticed(writer: Client) -> None:
    post = save().post
    fields = opened(writer, post.pk)
    update(post, body="Theirs")

    with nothing_written():
        reply = autosave(writer, post, fields, body="Mine")

    assert (reply["state"], "Ines Editor" in reply["message"]) == ("conflict", True)


THREE = "Para one.\n\nPara two.\n\nPara three.\n"


@requirement("desk.autosave")
def test_what_others_changed_comes_in(writer: Client) -> None:
    post = save(body=THREE).post
    fields = opened(writer, post.pk)
    faq = [{"question": "Why?", "answer": "So."}]
    update(post, body=THREE.replace("one.", "ONE."), title="Theirs", featured=True, faq=faq)

    mine = THREE.replace("three.", "3.")
    reply = autosave(writer, post, fields, body=mine, description="Mine")

    kept = stored(post)
    assert (kept.body, kept.title, kept.description) == ("Para ONE.\n\nPara two.\n\nPara 3.\n", "Theirs", "Mine")
    assert (reply["state"], reply["lines"], reply["base"]) == ("saved", [[0, 1, "Para ONE.\n"]], kept.body)
    assert (reply["values"]["title"], reply["values"]["featured"]) == ("Theirs", True)
    assert "Ines Editor changed this post while you were writing: Title, Text, Questions" in reply["message"]
    # The page does not show their questions yet, and does not take them away.
    fields |= {"title": ["Theirs"], "body": [kept.body], "base": [reply["base"]], "description": ["Mine again"]}
    fields |= {"version": [str(reply["version"])], "opened": [reply["opened"]], "featured": ["on"]}
    again = autosave(writer, post, fields)
    assert (again["state"], stored(post).faqs.count()) == ("saved", 1)


@requirement("desk.autosave")
def test_a_page_without_changes_takes_in_what_others_changed(writer: Client) -> None:
    post = save(body=THREE).post
    fields = opened(writer, post.pk)
    update(post, body=THREE.replace("one.", "ONE."))

    with nothing_written():
        reply = autosave(writer, post, fields)

    assert (reply["state"], reply["lines"], reply["is_complete"]) == ("merged", [[0, 1, "Para ONE.\n"]], True)


def test_my_other_window_is_called_that(writer: Client) -> None:
    post = save().post
    fields = opened(writer, post.pk)
    autosave(writer, post, opened(writer, post.pk), body="In one.")

    with nothing_written():
        reply = autosave(writer, post, fields, body="In the other.")

    assert (reply["state"], "in another window" in reply["message"]) == ("conflict", True)


@requirement("desk.autosave")
def test_what_save_would_refuse_is_said_at_once(writer: Client, subtests: pytest.Subtests) -> None:
    post = save().post
    half = {"faq_question": ["Why?"], "faq_answer": [""]}
    for name, sent in {
        "canonical_url": {"canonical_url": "no"},
        "series_position": {"series_position": "0"},
        "faq": half,
    }.items():
        with subtests.test(field=name):
            assert list(autosave(writer, post, opened(writer, post.pk), **sent)["errors"]) == [name]


def test_a_check_writes_nothing(editor: Client) -> None:
    public = save(publish=True).post

    with nothing_written():
        reply = autosave(editor, public, opened(editor, public.pk), canonical_url="no", title="T", check="1")

    assert (reply["state"], list(reply["errors"])) == ("checked", ["canonical_url"])


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


@requirement("desk.new-post")
def test_a_new_draft_whose_slug_is_taken_gets_a_number(writer: Client) -> None:
    theirs = save(title="Night ferry", body="Theirs").post

    replies = [autosave(writer, None, opened(writer), title="Night ferry", body="Mine") for _ in range(2)]

    assert [reply["values"]["slug"] for reply in replies] == ["night-ferry-2", "night-ferry-3"]
    assert stored(theirs).body == "Theirs"
    with nothing_written():
        reply = autosave(writer, None, opened(writer), title="Night ferry", slug="night-ferry")
    assert reply["state"] == "refused"


def test_the_answer_without_a_post_has_a_token(writer: Client) -> None:
    reply = writer.get(url("post_current_new")).json()

    assert (reply["version"], len(reply["token"])) == (None, 64)


def test_the_window_for_signing_in_closes_itself(writer: Client) -> None:
    assert b"desk/signed-in" in writer.get(url("post_signed_in")).content


@requirement("desk.paste")
def test_pasted_html_becomes_markdown(writer: Client) -> None:
    reply = writer.post(url("post_paste"), {"html": "<h2>Tides</h2><p><img src='file:///C:/a.png'></p>"}).json()

    assert reply == {"markdown": "## Tides\n\n(a.png)", "message": "1 image was not on the clipboard: upload it."}


@requirement("desk.paste")
def test_html_that_is_too_long_stays_plain_text(writer: Client) -> None:
    answer = writer.post(url("post_paste"), {"html": "<p>word</p>" * 40_000})

    assert (answer.status_code, "plain text" in answer.json()["message"]) == (422, True)


def test_findings_come_with_the_answer(writer: Client) -> None:
    post = save().post

    reply = autosave(writer, post, opened(writer, post.pk), body="# One")

    assert '<a href="#id_body">The title is' in reply["findings"]


@requirement("desk.autosave.waits")
def test_what_waits_for_save_stays_on_the_page(writer: Client) -> None:
    post = save(author="Mina Holt", coauthors=["Ben Ray"]).post
    fields = opened(writer, post.pk)
    sent = {"author": "Somebody new", "coauthors": "Ben Ray, Another", "slug": "mine"}

    reply = autosave(writer, post, fields, body="Text", **sent)

    assert reply["state"] == "saved"
    assert "Further authors" in reply["message"]
    assert reply["values"].keys() & sent.keys() == set()
    fields |= {name: [reply[name]] for name in ("version", "opened")}
    again = autosave(writer, post, fields, body="Text", **sent, whole="1")
    assert again["is_complete"]
    assert stored(post).byline == ("Somebody new", "Ben Ray", "Another")


def test_further_authors_who_are_stored_are_saved_at_once(writer: Client) -> None:
    save(title="Other", author="Ute Ort")
    post = save(author="Mina Holt", coauthors=["Ben Ray"]).post
    Author.objects.filter(name="Ben Ray").update(name="Benjamin Ray")

    reply = autosave(writer, post, opened(writer, post.pk), coauthors="Ben Ray, ute ort, Mina Holt")

    assert (reply["state"], reply["is_complete"], reply["values"]["coauthors"]) == ("saved", True, "Ben Ray, Ute Ort")
    assert stored(post).byline == ("Mina Holt", "Ben Ray", "Ute Ort")
    assert Author.objects.count() == 3
