"""The page of the desk about webhooks that were not delivered."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from blog_engine.admin.deliveries import EVENT_WORDS
from blog_engine.enums import EventType
from blog_engine.models import Delivery, Post
from blog_engine.queries.posts import read_post
from blog_engine.services._transaction import write_transaction
from blog_engine.services.deliveries import note_event
from tests.admin.desk import WRITER, desk, url
from tests.requirements import requirement
from tests.support.factories import save, unpublish
from tests.support.hosts import blog_settings
from tests.support.web import SECRET

pytestmark = pytest.mark.django_db

HOOK = {"url": "https://hooks.example/in?token=very-secret", "secret": SECRET}


@pytest.fixture(autouse=True)
def _receivers(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(notify={"webhooks": [HOOK], "websub_hub": "https://hub.example/"})


def page(client: Client) -> str:
    return client.get(url("post_deliveries")).content.decode()


def give_up() -> Post:
    """A post whose event was given up."""
    post = save(slug="p", title="Leeks", publish=True).post
    Delivery.objects.update(
        attempts=10,
        next_attempt_at=None,
        dead_at=timezone.now(),
        last_status=503,
        last_error="HTTP 503 <b>",
    )
    return post


def test_every_event_has_a_word() -> None:
    assert set(EVENT_WORDS) == set(EventType)


@requirement("webhooks.desk")
def test_it_lists_what_waits_and_what_was_given_up_with_the_reason(editor: Client) -> None:
    post = give_up()
    unpublish(post)

    text, link = page(editor), url("post_history", post.pk)

    assert "hooks.example, hub.example (websub-atom), hub.example (websub-json)" in text
    assert "Waiting: 3. Given up: 3." in text
    published, withdrawn = (f'<strong>{word}: <a href="{link}">Leeks</a>' for word in ("Published", "Withdrawn"))
    assert (text.count(published), text.count(withdrawn)) == (3, 3)
    assert text.rindex(published) < text.index(withdrawn)
    assert "HTTP 503 &lt;b&gt;" in text
    assert "10 attempts." in text


@requirement("webhooks.desk", "webhooks.secrets")
def test_it_shows_no_secret(editor: Client) -> None:
    give_up()

    text = page(editor)

    assert "very-secret" not in text
    assert "MfKQ9r8G" not in text


@requirement("webhooks.desk")
def test_one_event_is_sent_again(editor: Client) -> None:
    give_up()
    chosen = Delivery.objects.latest("pk")

    answer = editor.post(url("post_deliveries"), {"delivery": chosen.pk}, follow=True)

    assert "1 event is sent again." in answer.content.decode()
    again = Delivery.objects.get(dead_at=None)
    assert (again.pk, again.attempts) == (chosen.pk, 0)
    assert again.next_attempt_at is not None


@requirement("webhooks.desk")
def test_all_events_are_sent_again(editor: Client) -> None:
    give_up()

    answer = editor.post(url("post_deliveries"), {"delivery": "0"}, follow=True)

    assert "3 events are sent again." in answer.content.decode()
    assert not Delivery.objects.exclude(dead_at=None).exists()


@pytest.mark.parametrize("sent", [{}, {"delivery": "x"}, {"delivery": "-1"}, {"delivery": "99999"}])
def test_anything_else_sends_nothing(editor: Client, sent: dict[str, str]) -> None:
    give_up()

    answer = editor.post(url("post_deliveries"), sent)

    assert answer.status_code == 302
    assert Delivery.objects.exclude(dead_at=None).count() == 3


@requirement("webhooks.desk")
@pytest.mark.parametrize("permissions", [("view_post",), WRITER, (*WRITER, "publish_post", "approve_post")])
def test_it_needs_the_permission_to_manage(permissions: tuple[str, ...]) -> None:
    give_up()
    client = desk(*permissions)

    answers = [client.get(url("post_deliveries")), client.post(url("post_deliveries"), {"delivery": "0"})]

    assert [answer.status_code for answer in answers] == [403, 403]
    assert Delivery.objects.exclude(dead_at=None).count() == 3
    assert url("post_deliveries") not in client.get(url("post_changelist")).content.decode()


@requirement("webhooks.desk")
def test_without_receivers_it_says_so(editor: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(notify=...)

    text = page(editor)

    assert "No one is told when a public post changes" in text
    assert "Nothing waits, and nothing was given up." in text


def test_a_post_that_readers_have_not_seen_is_shown_by_its_id(editor: Client) -> None:
    post = save(title="Leeks").post
    with write_transaction():
        note_event(EventType.PROPOSED, read_post(post.pk), now=timezone.now())

    assert f'Change proposed: <a href="{url("post_history", post.pk)}">{post.pk}</a>' in page(editor)


def test_an_event_for_a_receiver_that_was_removed_is_shown(editor: Client, settings: Settings) -> None:
    save(publish=True)
    settings.BLOG_ENGINE = blog_settings(notify=...)

    assert page(editor).count("a receiver that the settings no longer have") == 3
