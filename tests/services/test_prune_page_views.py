"""Daily totals that are no longer wanted."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from pytest_django import Settings

from blog_engine.models import PageView
from blog_engine.services import prune_page_views
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)
TODAY = date(2026, 11, 21)


@pytest.fixture(autouse=True)
def _late_in_the_day(settings: Settings) -> None:
    """Half past eleven in UTC is the next day here."""
    settings.TIME_ZONE = "Europe/Berlin"


def keep(settings: Settings, days: int | None) -> None:
    settings.BLOG_ENGINE = blog_settings(page_view_retention_days=days)


def seen(*days_ago: int) -> None:
    post = save().post
    PageView.objects.bulk_create(PageView(post=post, day=TODAY - timedelta(days=ago), views=3) for ago in days_ago)


def left() -> list[int]:
    """How many days ago the days were that are still known."""
    return [(TODAY - day).days for day in PageView.objects.order_by("-day").values_list("day", flat=True)]


@requirement("page-views.pruning")
@pytest.mark.parametrize(
    ("days", "kept"), [(1, [-1, 0, 1]), (30, [-1, 0, 1, 2, 29, 30]), (31, [-1, 0, 1, 2, 29, 30, 31])]
)
def test_totals_from_before_the_days_to_keep_are_deleted(settings: Settings, days: int, kept: list[int]) -> None:
    seen(-1, 0, 1, 2, 29, 30, 31, 32, 400)
    keep(settings, days)

    assert prune_page_views(now=NOW) == 9 - len(kept)

    assert left() == kept


@requirement("page-views.pruning")
def test_without_the_setting_nothing_is_deleted(settings: Settings) -> None:
    seen(0, 30_000)
    keep(settings, None)

    assert prune_page_views(now=NOW) == 0

    assert left() == [0, 30_000]


def test_a_retention_longer_than_the_calendar_keeps_everything(settings: Settings) -> None:
    seen(0, 30_000)
    keep(settings, 10**12)

    assert (prune_page_views(now=NOW), left()) == (0, [0, 30_000])


def test_nothing_to_delete_is_no_fault(settings: Settings) -> None:
    keep(settings, 1)

    assert prune_page_views(now=NOW) == 0


@pytest.mark.heavy
def test_a_great_many_are_deleted_a_part_at_a_time(settings: Settings) -> None:
    seen(0, *range(2, 25_002))
    keep(settings, 1)
    deleted: list[int] = []

    def watch(execute: object, sql: str, params: object, many: bool, context: dict[str, object]) -> object:
        result = execute(sql, params, many, context)  # type: ignore[operator]
        if sql.startswith("DELETE"):
            deleted.append(context["cursor"].rowcount)  # type: ignore[attr-defined]
        return result

    with connection.execute_wrapper(watch):
        assert prune_page_views(now=NOW) == 25_000

    assert (left(), deleted) == ([0], [10_000, 10_000, 5_000, 0])
