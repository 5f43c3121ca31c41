"""Forms that are sent twice count once."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from blog_engine.models import ApiToken, Approval, Post, Publication, Redirect, SentForm
from blog_engine.services.sent_forms import Begun, begin_form, end_form
from tests.admin.desk import EDITOR, address, desk, form_on, opened, page_of, send, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import NOW, propose, save, update
from tests.support.images import png

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_day_later")]

ONCE = "The form was sent twice, and counts once."


def form_of(client: Client, path: str, **changes: Any) -> dict[str, Any]:
    """The token of a page, and what a person enters."""
    page = client.get(path)
    return {"csrfmiddlewaretoken": str(page.context["csrf_token"]), **changes}


def twice(client: Client, path: str, sent: dict[str, Any]) -> list[Any]:
    return [client.post(path, sent) for _ in range(2)]


@requirement("desk.once")
def test_two_clicks_make_one_post(writer: Client) -> None:
    fields = opened(writer)

    first, second = (send(writer, address(None), fields, title="Night", body="Text") for _ in range(2))

    assert (first.status_code, second.status_code) == (302, 302)
    assert second.headers["Location"] == first.headers["Location"]
    assert Post.objects.count() == 1
    assert ONCE in text_of(writer.get(second.headers["Location"]))


@requirement("desk.once")
def test_two_pages_with_equal_values_make_two_posts(writer: Client) -> None:
    for _ in range(2):
        send(writer, address(None), opened(writer), title="Night", body="Text")

    assert [post.slug for post in Post.objects.order_by("pk")] == ["night", "night-2"]


@requirement("desk.once")
def test_other_values_of_one_page_are_another_form(writer: Client) -> None:
    fields = opened(writer)

    for title in ("One", "Two"):
        send(writer, address(None), fields, title=title)

    assert Post.objects.count() == 2


@requirement("desk.once")
def test_a_refused_form_can_be_sent_again(writer: Client) -> None:
    fields = opened(writer)
    theirs = save(title="Night").post

    refused = send(writer, address(None), fields, title="Night", slug="night")
    assert "opened" in form_on(refused)
    update(theirs, slug="day")

    assert send(writer, address(None), fields, title="Night", slug="night").status_code == 302
    assert not SentForm.objects.filter(leads_to="").exists()


@requirement("desk.once")
def test_two_clicks_change_a_public_post_once(editor: Client) -> None:
    public = save(body="Ten.", publish=True).post
    question = form_on(send(editor, address(public.pk), opened(editor, public.pk), body="Noon."))

    answers = [
        send(editor, address(public.pk), question, change="correction", note="Wrong.", confirmed="1") for _ in range(2)
    ]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Publication.objects.filter(post=public).count() == 2


@requirement("desk.once")
def test_two_clicks_sign_once(editor: Client) -> None:
    post = save().post
    path = url("post_review", post.pk)
    sent = form_of(
        editor, path, revision_identifier=post.current_revision_identifier, name="Ed Editor", facts_checked="yes"
    )

    twice(editor, path, sent)

    assert Approval.objects.count() == 1


@requirement("desk.once")
def test_an_equal_signature_from_another_page_is_the_same_one(editor: Client) -> None:
    post = save().post
    path = url("post_review", post.pk)
    sent = {"revision_identifier": post.current_revision_identifier, "name": "Ed Editor", "facts_checked": "yes"}

    answers = [editor.post(path, sent) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert (Approval.objects.count(), LogEntry.objects.count()) == (1, 1)
    version = stored(post).version
    editor.post(path, sent | {"facts_checked": "no"})
    editor.post(path, sent)
    assert (Approval.objects.count(), stored(post).version) == (3, version + 2)


@requirement("desk.once")
def test_a_later_signature_is_another_one(editor: Client) -> None:
    post = save().post
    sent = {"revision_identifier": post.current_revision_identifier, "name": "Ed Editor", "facts_checked": "yes"}

    for minutes in (0, 11):
        with time_machine.travel(NOW + timedelta(days=2, minutes=minutes), tick=False):
            editor.post(url("post_review", post.pk), sent)

    assert Approval.objects.count() == 2


@requirement("desk.once")
def test_an_equal_signature_under_a_proposal_is_the_same_one(editor: Client) -> None:
    public = save(body="Ten.", publish=True).post
    proposal = propose(public, body="Noon.", change="maintenance")
    path = url("post_proposal", public.pk, proposal)
    identifier = editor.get(path).context["form"].initial["revision_identifier"]
    sent = {"revision_identifier": identifier, "name": "Ed Editor", "facts_checked": "yes"}

    for _ in range(2):
        editor.post(path, sent)

    assert Approval.objects.count() == 1


@requirement("desk.once")
def test_two_clicks_make_one_token_and_show_its_secret() -> None:
    manager = desk("manage_tokens")
    path = url("apitoken_add")
    sent = form_of(manager, path, name="Agent", scopes=["read"])

    first, second = twice(manager, path, sent)

    assert first.context["secret"] == second.context["secret"]
    assert (ApiToken.objects.count(), LogEntry.objects.count()) == (1, 1)
    other = manager.post(path, form_of(manager, path, name="Agent", scopes=["read"]))
    assert other.context["secret"] != first.context["secret"]
    with time_machine.travel(NOW + timedelta(days=1, minutes=11), tick=False):
        late = manager.post(path, sent)
    assert late.status_code == 302
    assert first.context["secret"] not in page_of(manager, "apitoken_change", ApiToken.objects.earliest("pk").pk)


@requirement("desk.once")
def test_two_clicks_on_other_forms_lead_to_the_same_place(editor: Client, subtests: pytest.Subtests) -> None:
    category = save(category="Ships").post.category
    draft, public = save(title="Draft").post, save(title="Public", publish=True).post
    assert category is not None
    seen = {
        "expected_version": draft.version,
        "seen_status": "draft",
        "seen_revision": draft.current_revision_identifier,
    }
    forms: dict[str, dict[str, Any]] = {
        url("redirect_add"): {"old_path": "/old", "new_path": "/new"},
        url("category_add"): {"name": "Boats", "position": "0"},
        url("category_delete", category.pk): {"choice": "gone"},
        url("policypage_add"): {"kind": "editorial", "title": "How", "body": "So.", "status": "draft"},
        url("post_request_review", public.pk): {"wanted": "yes"},
        url("image_add"): {"images": SimpleUploadedFile("a.png", png("red"), "image/png")},
        url("post_publish", draft.pk): seen,
        url("post_delete", public.pk): {"expected_version": public.version + 1, "seen_status": "published"},
    }
    for path, sent in forms.items():
        with subtests.test(path=path):
            page = path if "request" not in path else url("post_history", public.pk)
            fields = form_of(editor, page, **sent)
            first = editor.post(path, fields)
            if "images" in fields:
                fields["images"].seek(0)
            second = editor.post(path, fields)
            assert (first.status_code, second.status_code) == (302, 302)
            assert first.headers["Location"] == second.headers["Location"]
    assert Redirect.objects.filter(old_path="/old").count() == 1


@requirement("desk.once")
def test_two_clicks_run_an_action_once(editor: Client) -> None:
    posts = [save(title=title).post for title in ("One", "Two")]
    path = url("post_changelist")
    sent = form_of(editor, path, action="publish_selected", _selected_action=[post.pk for post in posts], confirmed="1")
    sent |= {f"version_{post.pk}": post.version for post in posts}

    answers = twice(editor, path, sent)

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Publication.objects.count() == 2


def test_another_person_with_the_same_form_is_another_one(writer: Client) -> None:
    fields, other = opened(writer), desk(*EDITOR, name="Ed Editor")

    for client in (writer, other):
        send(client, address(None), fields, title="Night")

    assert Post.objects.count() == 2


def test_a_lost_request_does_not_keep_its_form_for_ever() -> None:
    assert begin_form("key", now=NOW).is_first
    assert not begin_form("key", now=NOW + timedelta(seconds=119)).is_first
    assert begin_form("key", now=NOW + timedelta(seconds=121)).is_first
    end_form("key", leads_to="/there/")
    assert begin_form("key", now=NOW + timedelta(hours=23)) == (False, "/there/")
    assert begin_form("key", now=NOW + timedelta(hours=25)).is_first


def test_a_form_that_is_still_at_work_is_named(writer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fields = opened(writer)
    monkeypatch.setattr("blog_engine.admin.once._LOOKS", 2)
    monkeypatch.setattr("blog_engine.admin.once.begin_form", lambda key, now: Begun(False))

    answer = send(writer, address(None), fields, title="Night")

    assert (answer.status_code, b"still at work" in answer.content) == (409, True)
    assert not Post.objects.exists()
