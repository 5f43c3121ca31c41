"""Times in answers are in UTC, whatever the time zone of the site."""

import pytest
from pytest_django import Settings

from blog_engine.operations import posts
from tests.requirements import requirement
from tests.support.clients import call_operation
from tests.support.factories import approve, save

pytestmark = pytest.mark.django_db


@requirement("posts.object.times")
def test_the_time_zone_of_the_site_does_not_show_in_answers(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"
    approve(save(slug="frost", publish=True).post)

    shown, records = (call_operation(operation, id="frost") for operation in (posts.get_post, posts.get_post_records))

    assert {shown[name] for name in ("created_at", "published_at", "modified_at")} == {"2026-11-21T12:00:00Z"}
    assert records["approvals"][0]["approved_at"] == "2026-11-21T12:00:00.711Z"
