"""What the doctor reports of webhooks."""

from datetime import timedelta
from typing import Any

import pytest
from pytest_django import Settings

from blog_engine.doctor.base import ProbeContext
from blog_engine.doctor.installation import probe_schedule
from blog_engine.models import Delivery
from tests.requirements import requirement
from tests.support.factories import NOW, save
from tests.support.hosts import blog_settings
from tests.support.web import SECRET

pytestmark = pytest.mark.django_db

HOOK = {"url": "https://hooks.example/in?token=very-secret", "secret": SECRET}
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _one_event(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(notify={"webhooks": [HOOK]})
    save(publish=True, now=NOW)


def verdict(**at: Any) -> tuple[str, str]:
    found = probe_schedule(ProbeContext(now=NOW + timedelta(**at), newest_posts=None))
    return found.status, found.message


@requirement("webhooks.doctor", "doctor.webhooks")
def test_an_event_can_wait_for_an_hour() -> None:
    assert verdict(hours=1) == ("ok", "Scheduled posts: 0. None is overdue.")


@requirement("webhooks.doctor", "doctor.webhooks")
def test_events_that_are_due_for_longer_are_a_warning_with_the_remedy() -> None:
    status, message = verdict(hours=1, seconds=1)

    assert (status, "1 events wait" in message, "2026-11-21T12:00:00+00:00" in message) == ("warning", True, True)
    assert "deliver_webhooks" in message


@requirement("webhooks.doctor", "doctor.webhooks")
def test_an_event_that_waits_for_its_next_attempt_is_ok() -> None:
    Delivery.objects.update(attempts=6, next_attempt_at=NOW + 10 * HOUR)

    assert verdict(hours=9)[0] == "ok"


@requirement("webhooks.doctor", "doctor.webhooks")
def test_events_that_were_given_up_are_a_warning_with_the_remedy() -> None:
    Delivery.objects.update(dead_at=NOW, next_attempt_at=None)

    status, message = verdict()

    assert (status, "given up: 1" in message, "RETRY=dead" in message) == ("warning", True, True)


@requirement("webhooks.doctor", "webhooks.secrets", "doctor.webhooks")
def test_events_for_a_receiver_that_was_removed_are_a_warning(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(notify=...)

    status, message = verdict()

    assert (status, "1 events wait for a receiver that notify no longer has" in message) == ("warning", True)
    assert "very-secret" not in message


@requirement("webhooks.doctor")
def test_faulty_settings_leave_the_schedule_to_be_checked(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(notify={"webhooks": 5})

    assert verdict(hours=2)[0] == "ok"
