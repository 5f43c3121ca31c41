"""A signature at the desk and a write to the same post at once."""

from typing import Any

import pytest
from django.test import Client

from blog_engine.models import Approval, Post, Publication
from tests.admin.desk import EDITOR, confirm, desk, seen, text_of, url
from tests.concurrency.races import Held, race
from tests.requirements import requirement
from tests.support.factories import publish, save, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def _sign(client: Client, post: Post, identifier: str) -> Any:
    sent = {"revision_identifier": identifier, "name": "Ed Editor", "facts_checked": "yes"}
    return client.post(url("post_review", post.pk), sent)


def test_a_signature_that_waits_for_a_writer_is_refused(held: Held) -> None:
    editor = desk(*EDITOR, name="Ed Editor")
    post = save(publish=True, body="It leaves at nine.").post
    identifier = post.current_revision_identifier

    answer: Any
    _, answer = race(
        held,
        lambda: update(post, body="It leaves at ten.", change="substantive"),
        lambda: _sign(editor, post, identifier),
    )

    assert answer.status_code == 200
    assert "Nothing was signed." in text_of(answer)
    assert not Approval.objects.exists()


@requirement("desk.seen-version")
def test_a_publication_that_waits_for_a_writer_is_refused(held: Held) -> None:
    editor = desk(*EDITOR, name="Ed Editor")
    post = save(body="It leaves at nine.").post
    form = seen(post)

    answer: Any
    _, answer = race(
        held,
        lambda: publish(post, body="It leaves at ten."),
        lambda: editor.post(url("post_publish", post.pk), form),
    )

    assert "The post was changed in the meantime. Nothing was done." in text_of(answer)
    assert Publication.objects.get().released_by == "Ines Editor"


@requirement("desk.seen-version")
def test_two_editors_publish_at_once(held: Held) -> None:
    ed, ines = desk(*EDITOR, name="Ed Editor"), desk(*EDITOR, name="Ina Editor")
    post = save().post
    form = seen(post)

    one: Any
    other: Any
    one, other = race(
        held,
        lambda: confirm(ed, "publish", post, **form),
        lambda: ines.post(url("post_publish", post.pk), form),
    )

    assert (one.status_code, other.status_code) == (302, 200)
    assert Publication.objects.get().released_by == "Ed Editor"
