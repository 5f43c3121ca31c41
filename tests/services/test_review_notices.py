"""Who is told of a review: signals, webhook events and e-mail."""

import json
import logging
import smtplib
from collections.abc import Iterator
from typing import Any

import django
import pytest
from django.contrib.auth.models import Permission, User
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.test import override_settings

from blog_engine import services, signals
from blog_engine.actor import Actor
from blog_engine.inputs.conversation import AddRemark, RequestReview, ReturnReview
from blog_engine.models import Delivery, Post
from blog_engine.services import Written, rehearsal
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, publish, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db(transaction=True)

RITA = Actor("Rita Reviewer", id="user:8")
HOOK = {"url": "https://hooks.example.net/blog", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}


@pytest.fixture
def mails() -> Iterator[list[Any]]:
    own = blog_settings(public_base_url="https://example.com", notify={"review_mail": True})
    with override_settings(BLOG_ENGINE=own, **sent_with("django.core.mail.backends.locmem.EmailBackend")):
        yield mail.outbox


def sent_with(backend: str) -> dict[str, Any]:
    """The settings of a site whose mail goes out by a backend."""
    return {"MAILERS": {"default": {"BACKEND": backend}}} if django.VERSION >= (6, 1) else {"EMAIL_BACKEND": backend}


@pytest.fixture
def writer() -> User:
    return User.objects.create_user("wanda", "wanda@example.com", first_name="Wanda", last_name="Writer")


@pytest.fixture
def reviewer() -> User:
    user = User.objects.create_user("rita", "rita@example.com", first_name="Rita", last_name="Reviewer", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="approve_post"))
    return user


def actor_of(user: User) -> Actor:
    return Actor(user.get_full_name(), id=f"user:{user.pk}")


def ask(post: Post, note: str = "", person: str = "", *, actor: Actor = RITA) -> Written:
    return services.request_review(RequestReview(id=str(post.pk), note=note, person=person), actor=actor, now=NOW)


def send_back(post: Post, note: str = "A source, please.", *, actor: Actor = RITA) -> Written:
    return services.return_review(ReturnReview(id=str(post.pk), note=note), actor=actor, now=LATER)


@requirement("reviews.signals", "host.signals")
def test_the_host_hears_of_requests_and_returns() -> None:
    heard: list[tuple[str, dict[str, Any]]] = []
    names = ("review_requested", "review_returned", "post_updated")
    receivers = {name: lambda name=name, **sent: heard.append((name, sent)) for name in names}
    post = save().post
    for name, receiver in receivers.items():
        getattr(signals, name).connect(receiver, weak=False)
    try:
        asked, again = ask(post, "Please."), ask(post, "Please.")
        services.add_remark(AddRemark(id=str(post.pk), text="Why?"), actor=RITA, now=LATER)
        back = send_back(post)
    finally:
        for name, receiver in receivers.items():
            getattr(signals, name).disconnect(receiver)

    assert again.remark is None
    assert [name for name, _ in heard] == ["review_requested", "review_returned"]
    for (_, sent), written in zip(heard, (asked, back), strict=True):
        assert (sent["sender"], sent["actor"], sent["outcome"]) == (Post, RITA, written)
        assert sent["outcome"].remark == written.remark


@requirement("reviews.events", "webhooks.types", "webhooks.payload", "webhooks.drafts", "webhooks.receivers")
@pytest.mark.parametrize("is_public", [False, True])
def test_receivers_hear_of_requests_and_returns_without_their_words(is_public: bool) -> None:
    notify = {"webhooks": [HOOK], "websub_hub": "https://hub.example.net/", "indexnow_key": "3f8c1a9e7b2d4c60"}
    post = publish(save(slug="p").post).post if is_public else save(slug="p").post
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url="https://example.com", notify=notify)):
        ask(post, "Secret words.")
        send_back(post, "Secret words.")

    rows = Delivery.objects.order_by("id")
    assert [row.type for row in rows] == ["review.requested", "review.returned"]
    for row in rows:
        data = json.loads(row.payload)["data"]
        assert (data["id"], data["slug"]) == (post.pk, "p" if is_public else None)
        assert "Secret" not in row.payload


@requirement("reviews.mail")
def test_who_is_asked_and_who_asked_get_a_mail(mails: list[Any], writer: User, reviewer: User) -> None:
    post = save(title="Leeks").post

    ask(post, "The numbers, please.", "rita", actor=actor_of(writer))
    send_back(post, "A source, please.", actor=actor_of(reviewer))

    first, second = mails
    assert (first.to, first.subject) == (["rita@example.com"], "Wanda Writer asks you to review “Leeks”")
    page = f"https://example.com/admin/blog_engine/post/{post.pk}"
    assert first.body == f"Wanda Writer asks you to review “Leeks”.\n\nThe numbers, please.\n\n{page}/review/\n"
    assert (second.to, second.subject) == (["wanda@example.com"], "Rita Reviewer sent “Leeks” back to you")
    assert second.body.endswith(f"A source, please.\n\n{page}/change/\n")
    assert {one.content_subtype for one in mails} == {"plain"}


@requirement("reviews.mail")
def test_no_one_is_told_who_is_not_concerned(mails: list[Any], writer: User, reviewer: User) -> None:
    post = save().post

    ask(post, "Anyone?", actor=actor_of(writer))
    ask(post, "I do it myself.", "rita", actor=actor_of(reviewer))
    send_back(post, actor=actor_of(reviewer))
    ask(post, actor=Actor("Agent", id="token:3"))
    send_back(post, "Again.")
    User.objects.filter(pk=writer.pk).update(email="")
    ask(post, actor=actor_of(writer))
    send_back(post, "And again.")

    assert mails == []


@requirement("reviews.mail")
def test_no_mail_is_sent_unless_the_host_wants_it(writer: User, reviewer: User) -> None:
    ask(save().post, person="rita", actor=actor_of(writer))

    assert mail.outbox == []


@requirement("reviews.mail")
def test_a_mail_waits_for_the_commit(mails: list[Any], writer: User, reviewer: User) -> None:
    post = save().post

    with transaction.atomic():
        ask(post, person="rita", actor=actor_of(writer))
        assert mails == []
    assert len(mails) == 1

    with rehearsal():
        ask(post, "Again.", person="rita", actor=actor_of(writer))
    assert len(mails) == 1


class _Broken(EmailBackend):
    """A mail server that refuses everything."""

    def send_messages(self, messages: Any) -> int:
        raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")


@requirement("reviews.mail.faults")
def test_a_mail_server_that_fails_changes_nothing(
    mails: list[Any], writer: User, reviewer: User, caplog: pytest.LogCaptureFixture
) -> None:
    post = save().post

    with override_settings(**sent_with(f"{__name__}._Broken")), caplog.at_level(logging.ERROR, logger="blog_engine"):
        written = ask(post, person="rita", actor=actor_of(writer))

    assert written.remark is not None
    assert Post.objects.get().review_asked == str(reviewer.pk)
    assert f"The mail about the review of the post {post.pk} was not sent." in caplog.text


@requirement("reviews.mail.faults")
def test_titles_and_names_add_no_header(mails: list[Any], writer: User, reviewer: User) -> None:
    post = save(title="Leeks\r\nBcc: all@example.com").post

    ask(post, person="rita", actor=Actor("Wanda\nBcc: more@example.com", id=f"user:{writer.pk}"))

    (sent,) = mails
    message = sent.message()
    assert (sent.recipients(), message["Bcc"], "\n" in sent.subject) == (["rita@example.com"], None, False)
    assert sent.subject == "Wanda Bcc: more@example.com asks you to review “Leeks Bcc: all@example.com”"
