import re
from datetime import datetime, timedelta

import pytest

from blog_engine.doctor.installation import probe_schedule
from blog_engine.services import publish_due
from tests.requirements import requirement
from tests.support.assertions import verdict_of
from tests.support.factories import LATER, NOW, save

pytestmark = pytest.mark.django_db


def schedule(title: str, due: datetime) -> None:
    save(title=title, publish=True, publish_at=due.isoformat(), now=NOW)


def test_without_scheduled_posts_there_is_nothing_to_release() -> None:
    save(publish=True)

    status, message = verdict_of(probe_schedule)

    assert (status, re.findall(r"\d+", message)) == ("ok", ["0"])


@requirement("doctor.schedule")
@pytest.mark.parametrize("late", [-timedelta(days=1), timedelta(0), timedelta(minutes=5)])
def test_a_post_may_wait_for_five_minutes(late: timedelta) -> None:
    schedule("Soil", LATER - late)

    status, message = verdict_of(probe_schedule)

    assert (status, re.findall(r"\d+", message)) == ("ok", ["1"])


@requirement("doctor.schedule")
def test_overdue_posts_are_a_warning_with_their_number_and_the_first_time() -> None:
    schedule("Soil", LATER - timedelta(minutes=5, seconds=1))
    schedule("Sea", LATER - timedelta(minutes=20))
    schedule("Air", LATER + timedelta(hours=1))

    status, message = verdict_of(probe_schedule)

    assert status == "warning"
    assert re.findall(r"[\d:T+-]*\d", message) == ["2", "3", "2026-11-21T12:40:00+00:00"]
    assert "publish_due_posts" in message


def test_what_it_advises_mends_it() -> None:
    schedule("Sea", LATER - timedelta(minutes=20))

    publish_due(now=LATER)

    assert verdict_of(probe_schedule)[0] == "ok"
