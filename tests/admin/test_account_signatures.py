"""Signatures where only people approve: under the name of the account, and by another than the writer."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import Settings

from blog_engine.actor import Actor
from blog_engine.enums import ActorKind
from blog_engine.models import Approval, Post
from blog_engine.queries.posts import read_post
from tests.admin.desk import EDITOR, desk, logged, page_of, text_of, url
from tests.requirements import requirement
from tests.support.factories import approve, proposed_for, save, seen
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

AI: dict[str, Any] = {"provenance": "ai_assisted", "made_by_ai": True, "body": "It leaves at ten."}
BOT = Actor("Bot", id="token:3", kind=ActorKind.TOKEN)


@pytest.fixture(autouse=True)
def people(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(approvals_by="people", require_approval=True)


def signature(post: Post, **fields: Any) -> dict[str, Any]:
    seen_form = {"expected_version": post.version, "seen_status": post.status, "then": "nothing"}
    return {"revision_identifier": post.current_revision_identifier, "facts_checked": "yes"} | seen_form | fields


@requirement("desk.signature.account")
def test_the_form_shows_the_name_of_the_account_and_takes_no_other(editor: Client) -> None:
    post = save(actor=BOT, **AI).post

    page = page_of(editor, "post_review", post.pk)
    editor.post(url("post_review", post.pk), signature(post, name="Nobody Inparticular"))

    assert 'value="Ed Editor"' in page
    assert "disabled" in page.split('name="name"')[1].split(">")[0]
    stored = Approval.objects.get()
    assert (stored.reviewer_name, stored.actor_kind) == ("Ed Editor", "person")


@requirement("desk.signature.account")
def test_it_is_signed_and_published_in_one_step(editor: Client) -> None:
    post = save(actor=BOT, **AI).post

    answer = editor.post(url("post_review", post.pk), signature(post, then="publish", name="Nobody"))

    assert answer.status_code == 302
    assert (Post.objects.get().status, Approval.objects.get().reviewer_name) == ("published", "Ed Editor")


@requirement("desk.signature.account")
def test_a_changed_account_signs_under_its_present_name(editor: Client) -> None:
    post = save(actor=BOT, **AI).post
    assert "Ed Editor" in page_of(editor, "post_review", post.pk)
    get_user_model().objects.update(first_name="Edith")

    editor.post(url("post_review", post.pk), signature(post, name="Ed Editor"))

    assert Approval.objects.get().reviewer_name == "Edith Editor"


@requirement("desk.signature.account")
def test_a_signature_that_does_not_count_says_so(editor: Client, settings: Settings) -> None:
    post = save(actor=BOT, **AI).post
    strict = settings.BLOG_ENGINE
    settings.BLOG_ENGINE = blog_settings(approvals_by="anyone", require_approval=False)
    approve(post, actor=BOT)
    words = "It does not count here: no person signed it with an account of this site."
    assert words not in text_of(editor.get(url("post_review", post.pk)))

    settings.BLOG_ENGINE = strict
    pages = [url("post_review", post.pk), url("post_history", post.pk)]
    pages.append(url("post_revision", post.pk, post.current_revision_identifier))
    assert all(words in text_of(editor.get(page)) for page in pages)

    editor.post(url("post_review", post.pk), signature(read_post(post.pk)))
    assert text_of(editor.get(url("post_review", post.pk))).count(words) == 1


@requirement("desk.signature.account")
def test_a_proposal_is_signed_with_the_account(editor: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=False)
    post, proposal = proposed_for()
    identifier = seen(proposal).post.current_revision_identifier
    page = url("post_proposal", post.pk, proposal)

    editor.post(page, {"revision_identifier": identifier, "facts_checked": "yes", "name": "Nobody"})

    assert Approval.objects.get().reviewer_name == "Ed Editor"


@requirement("approvals.people")
@pytest.mark.parametrize("change", [{"is_active": False}, {"is_staff": False}])
def test_a_user_who_was_shut_out_signs_nothing(editor: Client, change: dict[str, bool]) -> None:
    post = save(actor=BOT, **AI).post
    assert editor.get(url("post_review", post.pk)).status_code == 200
    get_user_model().objects.update(**change)

    answer = editor.post(url("post_review", post.pk), signature(post, then="publish"))

    assert answer.status_code == 302
    assert "/login/" in answer["Location"]
    assert not Approval.objects.exists()


@requirement("approvals.people")
@pytest.mark.parametrize(
    ("lost", "status"), [(["approve_post"], 403), (["approve_post", "publish_post"], 403), (["publish_post"], 200)]
)
def test_a_user_who_lost_the_permission_signs_nothing(editor: Client, lost: list[str], status: int) -> None:
    post = save(actor=BOT, **AI).post
    assert editor.get(url("post_review", post.pk)).status_code == 200
    user = get_user_model().objects.get()
    user.user_permissions.remove(*user.user_permissions.filter(codename__in=lost))

    answer = editor.post(url("post_review", post.pk), signature(post, then="publish"))

    assert answer.status_code == status
    assert not Approval.objects.exists()
    assert Post.objects.get().status == "draft"


@requirement("desk.signature.distinct")
def test_the_writer_is_told_that_another_person_signs(editor: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(distinct_reviewer=True)
    user = get_user_model().objects.get()
    post = save(actor=Actor("Ed Editor", kind=ActorKind.PERSON, user_id=user.pk), **AI).post
    words = "You wrote this version"

    page = editor.get(url("post_review", post.pk))
    answer = editor.post(url("post_review", post.pk), signature(post))

    assert words in text_of(page)
    assert words in text_of(answer)
    assert b"facts_checked" not in page.content
    assert not Approval.objects.exists()
    other = desk(*EDITOR, name="Ina Editor")
    assert words not in text_of(other.get(url("post_review", post.pk)))
    assert other.post(url("post_review", post.pk), signature(post)).status_code == 302
    assert Approval.objects.get().reviewer_name == "Ina Editor"


@requirement("desk.signature.distinct")
def test_the_proposer_is_told_as_well(editor: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(distinct_reviewer=True, require_approval=False)
    user = get_user_model().objects.get()
    me = Actor("Ed Editor", kind=ActorKind.PERSON, user_id=user.pk)
    post, proposal = proposed_for(actor=me, body="One!", change="maintenance")
    page = url("post_proposal", post.pk, proposal)

    assert "You wrote this version" in text_of(editor.get(page))
    sent = {"revision_identifier": seen(proposal).post.current_revision_identifier, "facts_checked": "yes"}
    editor.post(page, sent)

    assert not Approval.objects.exists()
    assert not logged()
