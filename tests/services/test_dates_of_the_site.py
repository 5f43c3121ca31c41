"""Times without an offset, and today, are those of the site."""

from datetime import UTC, date, datetime

import pytest
from pytest_django import Settings

from blog_engine.models import ConnectionDeclaration, Redirect
from tests.requirements import requirement
from tests.support.factories import declare, publish, remove, save

pytestmark = pytest.mark.django_db

LATE = datetime(2026, 11, 21, 20, tzinfo=UTC)


@pytest.fixture(autouse=True)
def kathmandu(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"


@requirement("posts.schedule.time")
@pytest.mark.parametrize("sent", ["2027-01-01T05:45", "2027-01-01T00:00:00Z", "2027-01-01T01:00:00+01:00"])
def test_a_publication_time_without_offset_is_local(sent: str) -> None:
    post = save().post

    assert publish(post, publish_at=sent).post.publish_at == datetime(2027, 1, 1, tzinfo=UTC)


@requirement("history.connections.today")
def test_a_declaration_without_a_date_is_of_today() -> None:
    declare(save().post, now=LATE)
    declare(save(title="Other").post, now=LATE, declared_on="2026-01-31")

    assert [row.declared_on for row in ConnectionDeclaration.objects.all()] == [date(2026, 11, 22), date(2026, 1, 31)]


def test_a_removal_is_of_today() -> None:
    remove(save(publish=True).post, now=LATE)

    assert Redirect.objects.get().occurred_on == date(2026, 11, 22)
