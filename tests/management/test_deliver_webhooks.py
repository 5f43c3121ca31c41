"""The command ``deliver_webhooks``."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from pytest_django import Settings

from blog_engine.models import Delivery
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.web import Mailbox, mailbox, telling

pytestmark = pytest.mark.django_db


@pytest.fixture
def box(settings: Settings) -> Iterator[Mailbox]:
    with mailbox() as opened:
        settings.BLOG_ENGINE = telling(opened, indexnow_key="abcdef12", indexnow_url=opened.url)
        yield opened


def publish(slug: str) -> str:
    """Publish a post, and return the id of its event."""
    save(slug=slug, publish=True, now=timezone.now())
    return Delivery.objects.latest("pk").event_id


@requirement("webhooks.command")
def test_it_reports_each_request(box: Mailbox, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = publish("a"), publish("b")

    call_command("deliver_webhooks")

    assert sorted(capsys.readouterr().out.splitlines()) == sorted(
        [
            f"Delivered post.published {first} to 127.0.0.1",
            f"Delivered post.published {second} to 127.0.0.1",
            "Delivered 2 post.published to 127.0.0.1 (indexnow)",
        ]
    )
    assert len(box.got) == 3


@requirement("webhooks.command", "webhooks.secrets")
def test_failures_are_reported_and_repeated(box: Mailbox, capsys: pytest.CaptureFixture[str]) -> None:
    box.status = 500
    event = publish("a")

    call_command("deliver_webhooks")

    out, err = capsys.readouterr()
    assert out == ""
    assert sorted(err.splitlines()) == [
        f"Failed post.published {event} to 127.0.0.1 (indexnow): HTTP 500",
        f"Failed post.published {event} to 127.0.0.1: HTTP 500",
    ]


@requirement("webhooks.command", "webhooks.retry-dead")
def test_what_is_given_up_fails_the_command_and_can_be_sent_again(
    box: Mailbox, capsys: pytest.CaptureFixture[str]
) -> None:
    box.status = 410
    event = publish("a")

    with pytest.raises(CommandError, match="RETRY=dead"):
        call_command("deliver_webhooks")
    box.status = 200
    call_command("deliver_webhooks", "RETRY=dead")

    out, err = capsys.readouterr()
    assert f"Gave up post.published {event} to 127.0.0.1: HTTP 410" in err
    assert out.splitlines()[0] == "Due again: 2"
    assert not Delivery.objects.filter(delivered_at=None).exists()


@requirement("webhooks.retry-dead")
def test_another_value_of_retry_is_refused() -> None:
    with pytest.raises(CommandError, match="only the value dead"):
        call_command("deliver_webhooks", "RETRY=all")


@requirement("webhooks.kept")
def test_it_deletes_what_is_old(box: Mailbox) -> None:
    publish("a")
    Delivery.objects.update(next_attempt_at=None, delivered_at=timezone.now() - timedelta(days=31))

    call_command("deliver_webhooks")

    assert not Delivery.objects.exists()
