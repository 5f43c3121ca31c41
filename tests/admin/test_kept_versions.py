"""Versions of drafts at the desk: read, compared and continued from; and the bin."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.posts import PostRef
from blog_engine.models import DraftVersion, Post, Proposal, Publication, RemovedDraft
from blog_engine.queries.versions import versions_of
from tests.admin.desk import (
    WRITER,
    confirm,
    desk,
    form_on,
    nothing_written,
    page_of,
    send,
    sent,
    stored,
    text_of,
    url,
)
from tests.requirements import requirement
from tests.support.factories import NOW, publish, remove, save, store_image, update

pytestmark = pytest.mark.django_db

MINA = Actor("Mina Holt")
STORY = "The boats leave at nine, and come back at noon with cod and haddock. " * 3


def erased(**fields: Any) -> Post:
    """A draft whose story is gone but for a letter."""
    post = save(actor=MINA, title="Boats", body=STORY, **fields).post
    return update(post, actor=MINA, body="x", now=NOW + timedelta(seconds=4)).post


def version_url(post: Post, page: str = "post_revision") -> str:
    return url(page, post.pk, versions_of(post.pk)[0].identifier)


@requirement("desk.versions.read")
def test_the_history_lists_versions_which_are_read_and_compared(writer: Client) -> None:
    post = erased()

    history = writer.get(url("post_history", post.pk))

    assert "Version of Nov. 21, 2026, 12:00 by Mina Holt" in text_of(history)
    assert version_url(post) in history.content.decode()
    page = writer.get(version_url(post))
    assert "The boats leave at nine" in text_of(page)
    assert "Continue from this version" in text_of(page)
    compared = writer.get(f"{url('post_compare', post.pk)}?from={versions_of(post.pk)[0].identifier}&to=draft")
    assert "Version of Nov. 21, 2026, 12:00 by Mina Holt" in text_of(compared)
    assert "The boats leave at nine" in text_of(compared)


@requirement("desk.versions.continue")
def test_a_draft_continues_from_a_version_and_keeps_the_present_text(writer: Client) -> None:
    post = erased()
    form = {"continue": "1", "expected_version": post.version}

    answer = writer.post(version_url(post, "post_continue"), form, follow=True)

    assert "is the text again. The one before is kept in the history." in text_of(answer)
    assert stored(post).body == STORY
    assert stored(post).unrecorded_actor == "Wanda Writer"
    assert len(versions_of(post.pk)) == 2


@requirement("desk.versions.continue")
@pytest.mark.parametrize("version", ["1", "", "x", "99"])
def test_a_draft_that_was_changed_since_stays_as_it_is(writer: Client, version: str) -> None:
    post = erased()

    with nothing_written():
        answer = writer.post(version_url(post, "post_continue"), {"continue": "1", "expected_version": version})

    assert answer.status_code == 302
    assert "/compare/?from=" in answer["Location"]


@requirement("desk.versions.continue")
def test_a_public_post_is_continued_in_the_editor_by_the_kind_of_change(editor: Client) -> None:
    post = save(title="Boats", body=STORY, publish=True, faq=[{"question": "When?", "answer": "At nine."}]).post
    first = post.current_revision_identifier
    update(post, title="Ships", body="Other.", faq=[], change="substantive")
    path = url("post_continue", post.pk, first)

    with nothing_written():
        page = editor.get(path)
    assert "nothing is saved yet" in text_of(page)
    fields = form_on(page)
    assert (fields["title"], fields["body"], fields["faq_answer"][0]) == (["Boats"], [STORY], "At nine.")
    with nothing_written():
        asked = editor.post(path, fields | {"save": "1"})
    assert "This is what changes for readers as soon as you save" in text_of(asked)

    answer = send(editor, path, form_on(asked), change="correction", note="It was right.", save="1")

    assert answer.status_code == 302
    assert stored(post).current_revision_identifier == first
    assert Publication.objects.order_by("-id")[0].entry_type == "correction"


@requirement("desk.versions.continue")
def test_with_write_alone_it_becomes_a_proposal(writer: Client) -> None:
    post = save(title="Boats", body=STORY, publish=True).post
    first = post.current_revision_identifier
    update(post, body="Other.", change="substantive")
    path = url("post_continue", post.pk, first)

    asked = writer.post(path, form_on(writer.get(path)) | {"propose": "1"})
    send(writer, path, form_on(asked), change="maintenance", propose="1")

    assert Proposal.objects.get().revision.identifier == first
    assert stored(post).body == "Other."


@requirement("desk.versions.continue")
def test_nothing_is_continued_at_once_on_a_public_post(editor: Client) -> None:
    post = save(body=STORY, publish=True).post
    first = post.current_revision_identifier
    update(post, body="Other.", change="substantive")

    with nothing_written():
        answer = sent(editor, "post_continue", post.pk, first, **{"continue": "1", "expected_version": "2"})

    assert answer["Location"] == url("post_continue", post.pk, first)


@requirement("desk.versions.continue")
def test_pictures_come_back_in_the_editor(editor: Client, own_images: None) -> None:
    cover = store_image()
    post = save(body=STORY, cover_image={"image_id": cover.pk}, cover_alt="A quay", publish=True).post
    first = post.current_revision_identifier
    update(post, cover_image=None, cover_alt="", change="substantive")

    fields = form_on(editor.get(url("post_continue", post.pk, first)))

    assert (fields["cover_image"], fields["cover_alt"]) == ([str(cover.pk)], ["A quay"])


@requirement("desk.versions.continue")
def test_a_reader_continues_nothing() -> None:
    reader, post = desk("view_post", name="Rita Reader"), erased()

    assert "Continue from this version" not in text_of(reader.get(version_url(post)))
    with nothing_written():
        answer = reader.post(version_url(post, "post_continue"), {"continue": "1", "expected_version": post.version})
    assert answer.status_code == 403


def test_unknown_versions_are_not_found(writer: Client) -> None:
    post = erased()

    for identifier in ("f" * 64, "f" * 8, versions_of(post.pk)[0].identifier[:8]):
        assert writer.get(url("post_revision", post.pk, identifier)).status_code == 404
        assert writer.get(url("post_continue", post.pk, identifier)).status_code == 404


@requirement("desk.versions.reviewed")
def test_a_reviewer_compares_what_was_read_with_what_it_is_now(editor: Client) -> None:
    post = save(actor=MINA, body=f"{STORY}Fourteen boats.", made_by_ai=True).post
    identifier = post.current_revision_identifier
    update(post, actor=MINA, body=f"{STORY}Forty boats.", now=NOW + timedelta(seconds=30))

    form = {"revision_identifier": identifier, "name": "Ed Editor", "facts_checked": "yes"}
    answer = editor.post(url("post_review", post.pk), form)

    path = f"{url('post_compare', post.pk)}?from={identifier}&to=draft"
    for difference in (text_of(answer), text_of(editor.get(path))):
        assert "Fourteen" in difference
        assert "Forty" in difference


@requirement("desk.versions.reviewed")
def test_a_request_for_a_review_is_a_version_in_the_history(writer: Client) -> None:
    post = save(actor=MINA, body=STORY).post

    sent(writer, "post_request_review", post.pk, wanted="yes")

    assert [row.actor for row in versions_of(post.pk)] == ["Mina Holt"]
    services.request_review(PostRef(id=str(post.pk)), actor=MINA, now=NOW)
    assert len(versions_of(post.pk)) == 1


@requirement("desk.bin")
def test_a_removed_draft_is_in_the_bin_and_comes_back(editor: Client) -> None:
    post = save(actor=MINA, title="Boats & quays", body=STORY, tags=["sea"]).post

    answer = confirm(editor, "delete", post)

    assert answer.status_code == 302
    assert not Post.objects.exists()
    page = editor.get(url("post_bin"))
    assert "Ed Editor removed it on" in text_of(page)
    assert "Boats &amp; quays" in page.content.decode()
    back = editor.post(url("post_bring_back", post.pk), follow=True)
    assert "“Boats & quays” is a draft again." in text_of(back)
    assert stored(post).body == STORY
    assert "The bin is empty." in page_of(editor, "post_bin")


@requirement("desk.bin.back")
def test_the_desk_says_what_did_not_come_back(editor: Client) -> None:
    post = save(title="Boats", external_id="cms-7", category="Harbour").post
    remove(post, now=timezone.now())
    save(title="Boats", external_id="cms-7")
    services.delete_category(post.category_id, target_id=None, actor=MINA, now=NOW)

    text = text_of(editor.post(url("post_bring_back", post.pk), follow=True))

    assert "Another post has its URL, which now ends with “boats-2”." in text
    assert "Not there any more, or taken by another post: Category, Id of another program." in text


@requirement("desk.bin")
def test_the_bin_is_for_those_who_remove(editor: Client) -> None:
    writer = desk(*WRITER, name="Wim Writer")
    post = save().post
    remove(post, now=timezone.now())

    assert url("post_bin") in page_of(editor, "post_changelist")
    assert url("post_bin") not in page_of(writer, "post_changelist")
    with nothing_written():
        assert writer.get(url("post_bin")).status_code == 403
        assert writer.post(url("post_bring_back", post.pk)).status_code == 403
        answer = editor.post(url("post_bring_back", post.pk + 1), follow=True)
    assert "This draft is not in the bin any more." in text_of(answer)


def test_the_bin_has_pages(editor: Client) -> None:
    RemovedDraft.objects.bulk_create(
        RemovedDraft(post=number, title=f"Draft {number}", fields={}, removed_at=timezone.now())
        for number in range(1, 52)
    )

    assert page_of(editor, "post_bin").count("Bring back") == 50
    assert editor.get(f"{url('post_bin')}?page=2").content.decode().count("Bring back") == 1
    assert editor.get(f"{url('post_bin')}?page=x").status_code == 404


def test_a_removed_post_is_the_confirmation_of_a_bin(editor: Client) -> None:
    text = text_of(editor.get(url("post_delete", save().post.pk)))

    assert "it waits in the bin for 30 days" in text
    assert "cannot be restored" not in text
    assert not DraftVersion.objects.exists()


def test_a_scheduled_post_is_continued_in_the_editor(editor: Client) -> None:
    post = save(actor=MINA, body=STORY).post
    publish(post, publish_at=(timezone.now() + timedelta(days=3)).isoformat(), now=NOW)
    update(post, actor=MINA, body="x y z", now=NOW + timedelta(seconds=4))
    path = version_url(post, "post_continue")

    answer = send(editor, path, form_on(editor.get(path)), save="1")

    assert answer["Location"] == url("post_change", post.pk)
    assert stored(post).body == STORY
