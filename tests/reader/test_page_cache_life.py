"""What a page shows without a write, and a minute, end its life; ``max_stale`` lets it be older."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import transaction
from pytest_django import Settings

from blog_engine import services
from blog_engine.models import Post, Tag
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import (
    publish,
    save,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.pages import ask, save_kept, shown
from tests.support.tables import execute

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def post(transactional_db: None) -> Post:
    return save_kept()


@requirement("page-cache.life")
def test_a_scheduled_post_appears_when_it_is_published(clock: time_machine.Traveller) -> None:
    planned = save(title="Soon").post
    publish(planned, now=TODAY, publish_at=(TODAY + timedelta(seconds=30)).isoformat())
    assert "Soon" not in shown("/blog/")

    clock.shift(31)
    between = ask("/blog/")
    services.publish_due(now=TODAY + timedelta(seconds=31))

    assert between.was_kept
    assert "Soon" in shown("/blog/")


@requirement("page-cache.life")
def test_a_page_is_kept_for_a_minute(clock: time_machine.Traveller) -> None:
    ask("/blog/quay")

    clock.shift(59)
    young = ask("/blog/quay")
    clock.shift(1)
    old = ask("/blog/quay")

    assert (young.was_kept, old.was_kept) == (True, False)
    assert old.whole == young.whole


@requirement("page-cache.life")
def test_a_page_of_the_future_is_not_sent(clock: time_machine.Traveller) -> None:
    ask("/blog/quay")

    clock.shift(-3600)

    assert not ask("/blog/quay").was_kept


@requirement("page-cache.life")
@pytest.mark.parametrize("path", ["/blog/quay", "/blog/feed.xml", "/blog/quay.md", "/blog/sitemap.xml"])
def test_a_date_in_the_future_appears_when_it_comes(clock: time_machine.Traveller, path: str) -> None:
    soon = TODAY + timedelta(seconds=20)
    execute("UPDATE blog_engine_post SET modified_at = %s WHERE slug = 'quay'", soon)
    before = shown(path)

    clock.shift(19)
    still = shown(path)
    clock.shift(2)
    after, again = shown(path), ask(path)

    assert before == still != after
    assert again.was_kept


@requirement("page-cache.life")
def test_a_correction_in_the_future_appears_when_it_comes(post: Post, clock: time_machine.Traveller) -> None:
    update(post, body="New.", change="correction", note="It said old.", now=TODAY + timedelta(seconds=20))
    update(Post.objects.get(pk=post.pk), body="Newer.", change="substantive", now=TODAY)
    before = shown()

    clock.shift(19)
    still = ask("/blog/quay")
    clock.shift(2)

    assert "It said old." not in before
    assert still.was_kept
    assert "It said old." in shown()


@requirement("page-cache.life")
def test_the_year_changes_at_midnight_of_the_site(settings: Settings, clock: time_machine.Traveller) -> None:
    settings.TIME_ZONE = "Asia/Tokyo"
    clock.move_to(datetime(2026, 12, 31, 14, 59, 40, tzinfo=UTC))
    before = shown()

    clock.shift(19)
    last = ask("/blog/quay")
    clock.shift(1)
    after = shown()

    assert last.was_kept
    assert ("© 2026" in before, "© 2027" in after) == (True, True)


@requirement("page-cache.life")
def test_an_empty_feed_changes_its_date_at_midnight(clock: time_machine.Traveller) -> None:
    path = "/blog/tag/empty/feed.xml"
    Tag.objects.create(name="Empty", key="empty", slug="empty")
    clock.move_to(datetime(2026, 11, 23, 23, 59, 50, tzinfo=UTC))
    before = shown(path)

    clock.shift(9)
    assert ask(path).was_kept
    clock.shift(1)

    assert "2026-11-23T00:00:00Z" in before
    assert "2026-11-24T00:00:00Z" in shown(path)


@requirement("page-cache.max-stale")
def test_with_max_stale_the_database_is_asked_once_in_that_time(
    settings: Settings, clock: time_machine.Traveller
) -> None:
    settings.BLOG_ENGINE = blog_settings(page_cache={"max_stale": 2})
    ask("/blog/quay")
    ask("/blog/")
    execute("UPDATE blog_engine_post SET title = 'Pier' WHERE slug = 'quay'")

    clock.shift(1.9)
    stale = ask("/blog/quay")
    clock.shift(0.2)
    fresh = ask("/blog/quay")

    assert (stale.queries, b"Pier" in stale.response.content) == (0, False)
    assert (fresh.was_kept, b"Pier" in fresh.response.content) == (False, True)
    assert ask("/blog/quay").queries == 0
    assert b"Pier" in ask("/blog/").response.content


@requirement("page-cache.max-stale", "page-cache.version.transactions")
def test_with_max_stale_an_open_transaction_sees_its_own_writes(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(page_cache={"max_stale": 60})
    ask("/blog/quay")

    with transaction.atomic():
        execute("UPDATE blog_engine_post SET title = 'Pier' WHERE slug = 'quay'")
        inside = ask("/blog/quay").response.content

    assert b"Pier" in inside
