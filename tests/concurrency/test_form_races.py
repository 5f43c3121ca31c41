"""The same form of the desk in two processes at once."""

from threading import Barrier
from typing import Any

import pytest
from django.test import Client

from blog_engine.models import ApiToken, Approval, Post, Publication
from tests.admin.desk import EDITOR, Fields, address, desk, opened, seen, send, url
from tests.concurrency.races import together
from tests.requirements import requirement
from tests.support.factories import save

pytestmark = [pytest.mark.django_db(transaction=True)]
EVERYTHING = (*EDITOR, "manage_tokens")


def at_once(client: Client, path: str, fields: Fields, **changes: Any) -> list[Any]:
    """Send a form twice at the same time, each from a client of its own with the same session."""
    ready = Barrier(2)

    def click() -> Any:
        twin = Client()
        twin.cookies = client.cookies
        ready.wait(20)
        return send(twin, path, fields, **changes)

    return together(click, click)


def token_of(client: Client, path: str) -> Fields:
    return {"csrfmiddlewaretoken": [str(client.get(path).context["csrf_token"])]}


@requirement("desk.once")
def test_a_new_post_is_made_once() -> None:
    writer = desk(*EVERYTHING)

    first, second = at_once(writer, address(None), opened(writer), title="Night", body="Text")

    assert (first.status_code, second.status_code) == (302, 302)
    assert first.headers["Location"] == second.headers["Location"] == address(Post.objects.get().pk)


@requirement("desk.once")
def test_a_version_is_signed_once() -> None:
    editor, post = desk(*EVERYTHING, name="Ed Editor"), save().post
    path = url("post_review", post.pk)
    sent = {"revision_identifier": post.current_revision_identifier, "name": "Ed Editor", "facts_checked": "yes"}

    answers = at_once(editor, path, token_of(editor, path), **sent)

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Approval.objects.count() == 1


@requirement("desk.once")
def test_equal_signatures_of_two_pages_are_one() -> None:
    editor, post = desk(*EVERYTHING, name="Ed Editor"), save().post
    sent = {"revision_identifier": post.current_revision_identifier, "name": "Ed Editor", "facts_checked": "yes"}

    answers = at_once(editor, url("post_review", post.pk), {}, **sent)

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Approval.objects.count() == 1


@requirement("desk.once")
def test_a_post_is_published_once() -> None:
    editor, post = desk(*EVERYTHING, name="Ed Editor"), save().post
    path = url("post_publish", post.pk)

    answers = at_once(editor, path, token_of(editor, path), **seen(post))

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Publication.objects.count() == 1


@requirement("desk.once")
def test_a_token_is_made_once() -> None:
    manager = desk(*EVERYTHING)
    path = url("apitoken_add")

    first, second = at_once(manager, path, token_of(manager, path), name="Agent", scopes=["read"])

    assert first.context["secret"] == second.context["secret"]
    assert ApiToken.objects.count() == 1
