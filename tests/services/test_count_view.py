"""One view more of a post."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.models import PageView, Post
from blog_engine.services import count_view, prune_page_views
from tests.requirements import requirement
from tests.support.factories import NOW, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


def totals(post: Post) -> list[tuple[date, int]]:
    return list(PageView.objects.filter(post=post).values_list("day", "views"))


@requirement("page-views.concurrency")
def test_a_view_is_one_statement_whether_the_day_had_any_or_not() -> None:
    post = save().post

    for number in (1, 2, 3):
        with CaptureQueriesContext(connection) as statements:
            count_view(post.pk, now=NOW)
        assert len(statements) == 1
        assert totals(post) == [(date(2026, 11, 21), number)]


@requirement("page-views.utc")
@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2026, 11, 22, 0, 30, tzinfo=timezone(timedelta(hours=1))), date(2026, 11, 21)),
        (datetime(2026, 11, 21, 23, 30, tzinfo=timezone(-timedelta(hours=1))), date(2026, 11, 22)),
        (datetime(2026, 11, 21, 23, 30, tzinfo=UTC), date(2026, 11, 21)),
    ],
)
def test_the_day_is_that_of_utc(moment: datetime, day: date) -> None:
    post = save().post

    count_view(post.pk, now=moment)

    assert totals(post) == [(day, 1)]


def test_other_posts_and_days_stay_as_they_are() -> None:
    one, other = save(slug="one").post, save(slug="other").post
    for post, moment in ((one, NOW), (other, NOW), (one, NOW - timedelta(days=1)), (one, NOW)):
        count_view(post.pk, now=moment)

    assert (totals(one), totals(other)) == (
        [(date(2026, 11, 20), 1), (date(2026, 11, 21), 2)],
        [(date(2026, 11, 21), 1)],
    )


@requirement("page-views.failures")
@pytest.mark.django_db(transaction=True)
def test_a_post_that_is_gone_counts_nothing() -> None:
    post = save().post
    gone = post.pk
    post.discard()

    count_view(gone, now=NOW)

    assert not PageView.objects.exists()


class ReadsElsewhere:
    """The routing of a host that reads from a standby, which this run does not have."""

    def db_for_read(self, model: type[Model], **hints: object) -> str:
        return "standby"

    def db_for_write(self, model: type[Model], **hints: object) -> str:
        return "default"


def test_views_are_counted_and_pruned_where_the_host_writes(settings: Settings) -> None:
    post = save().post
    settings.BLOG_ENGINE = blog_settings(page_view_retention_days=1)
    settings.DATABASE_ROUTERS = [ReadsElsewhere()]

    for ago in (0, 9):
        count_view(post.pk, now=NOW - timedelta(days=ago))
    deleted = prune_page_views(now=NOW)

    settings.DATABASE_ROUTERS = []
    assert (deleted, totals(post)) == (1, [(date(2026, 11, 21), 1)])
