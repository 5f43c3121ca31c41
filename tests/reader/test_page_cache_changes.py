"""A kept page shows every committed change, and nothing else; what changes without a write ends its life."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from pytest_django import Settings

from blog_engine import services
from blog_engine.models import Author, Category, Faq, Post, PostTag, Redirect, Tag
from tests.reader.conftest import TODAY
from tests.requirements import requirement
from tests.support.factories import (
    approve,
    declare,
    edit_category,
    publish,
    remove,
    save,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.kept import ask
from tests.support.tables import execute

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def post(transactional_db: None) -> Post:
    faq = [{"question": "When?", "answer": "At ten."}]
    save(title="Harbour", category="Garden", publish=True)
    return save(title="Quay", body="Text.", category="Garden", tags=["soil"], faq=faq, publish=True).post


def shown(path: str = "/blog/quay") -> str:
    """What readers get now."""
    text: str = ask(path).response.content.decode()
    return text


@pytest.fixture
def other() -> Iterator[Any]:
    """Another connection to the same database."""
    found = connection.copy()
    try:
        yield found
    finally:
        found.close()


@requirement("page-cache.fresh")
def test_another_connection_is_seen_when_it_commits(other: Any) -> None:
    before = shown()

    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE blog_engine_post SET title = 'Pier' WHERE slug = 'quay'")
        uncommitted = ask("/blog/quay")
        cursor.execute("COMMIT")
    committed = ask("/blog/quay")

    assert uncommitted.was_kept
    assert uncommitted.response.content.decode() == before
    assert not committed.was_kept
    assert "Pier" in committed.response.content.decode()


@requirement("page-cache.fresh")
def test_a_write_that_is_rolled_back_leaves_the_kept_page(other: Any) -> None:
    before = shown()

    with other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE blog_engine_post SET title = 'Pier' WHERE slug = 'quay'")
        cursor.execute("ROLLBACK")

    after = ask("/blog/quay")
    assert after.was_kept
    assert after.response.content.decode() == before


Change = Callable[[Post], object]
BY_SERVICE: dict[str, tuple[str, Change]] = {
    "content": ("/blog/quay", lambda post: update(post, body="Written anew.", change="substantive")),
    "correction": ("/blog/quay", lambda post: update(post, body="New.", change="correction", note="It said old.")),
    "approval": ("/blog/quay", approve),
    "declaration": ("/blog/quay", lambda post: declare(post, connections=[{"party": "X", "relation": "customer"}])),
    "tags": ("/blog/quay", lambda post: update(post, tags=["sea"])),
    "faq": ("/blog/quay", lambda post: update(post, faq=[], change="substantive")),
    "related": ("/blog/quay", lambda post: save(title="Another", category="Garden", publish=True)),
    "category": ("/blog/quay", lambda post: edit_category(post.category_id, name="Yard")),
    "unpublish": ("/blog/quay", unpublish),
    "removal": ("/blog/quay", remove),
    "index": ("/blog/", lambda post: save(title="Another", publish=True)),
    "feed": ("/blog/feed.xml", lambda post: update(post, title="Pier", change="substantive")),
    "markdown": ("/blog/quay.md", lambda post: update(post, body="Written anew.", change="substantive")),
    "sitemap": ("/blog/sitemap.xml", lambda post: save(title="Another", publish=True)),
}


@requirement("page-cache.fresh")
@pytest.mark.parametrize("name", BY_SERVICE)
def test_a_service_changes_the_page_at_once(post: Post, name: str) -> None:
    path, change = BY_SERVICE[name]
    before = ask(path).response

    change(post)

    after, again = ask(path).response, ask(path).response
    assert (after.status_code, after.content) != (before.status_code, before.content)
    assert (again.status_code, again.content) == (after.status_code, after.content)


BY_MODEL: dict[str, tuple[str, Callable[[], object]]] = {
    "category": ("/blog/category/garden", lambda: Category.objects.update(name="Yard")),
    "author": ("/blog/author/ada-example", lambda: Author.objects.update(bio="Writes.")),
    "tag": ("/blog/quay", lambda: Tag.objects.update(name="Earth")),
    "tagging": ("/blog/quay", lambda: PostTag.objects.all().delete()),
    "faq": ("/blog/quay", lambda: execute("UPDATE blog_engine_faq SET answer = 'At eleven.'")),
    "entry": ("/blog/quay", lambda: Faq.objects.get().discard()),
    "post": ("/blog/quay", lambda: execute("UPDATE blog_engine_post SET title = 'Pier'")),
    "related": ("/blog/quay", lambda: execute("UPDATE blog_engine_post SET title = 'Pier' WHERE slug = 'harbour'")),
}


@requirement("page-cache.fresh")
@pytest.mark.parametrize("name", BY_MODEL)
def test_code_and_sql_of_the_host_change_the_page_at_once(name: str) -> None:
    path, change = BY_MODEL[name]
    before = shown(path)

    change()

    assert shown(path) != before


@requirement("page-cache.fresh")
def test_a_redirect_in_place_of_a_withdrawn_page_is_seen(post: Post) -> None:
    ask("/blog/quay")
    unpublish(post)
    gone = ask("/blog/quay").response
    Redirect.objects.update(new_path="/blog/harbour")

    assert (gone.status_code, ask("/blog/quay").response.status_code) == (410, 301)


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
@pytest.mark.parametrize("path", ["/blog/quay", "/blog/", "/blog/feed.xml", "/blog/quay.md", "/blog/sitemap.xml"])
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
