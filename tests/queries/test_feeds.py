"""Entries of feeds: order, dates, summaries and ids."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.db.models import QuerySet
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from blog_engine.enums import Label, ListKind
from blog_engine.models import Author, Category, Post, Series
from blog_engine.queries.feeds import FeedEntry, feed_entries, last_change
from tests.requirements import requirement
from tests.support.blogs import publish_crowd
from tests.support.factories import (
    DECLARATION,
    FIRST,
    LATER,
    MODIFIED,
    NOW,
    adopt,
    approve,
    declare,
    save,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.tables import NOON, new_publication, stored, undone

AFTER = LATER + timedelta(days=1)
FUTURE = AFTER + timedelta(days=1)
FAR = FUTURE + timedelta(days=1)


def entries(now: datetime = AFTER) -> tuple[FeedEntry, ...]:
    return feed_entries(now=now)


def dates(now: datetime = AFTER) -> tuple[datetime | None, datetime]:
    (entry,) = entries(now)
    return entry.published, entry.updated


@requirement("feeds.dates")
def test_only_a_real_change_moves_the_date(db: None, subtests: pytest.Subtests) -> None:
    post = save(title="Soil", body="Text.", publish=True).post

    for change, moment in [("substantive", LATER), ("correction", LATER), ("maintenance", NOW), (None, NOW)]:
        with subtests.test(change=change, moment=moment), undone():
            if change:
                update(post, body="New.", change=change, note="It was old.", now=LATER)
            else:
                update(post, title="Soil", featured=True, now=LATER)

            assert dates() == (NOW, moment)


@requirement("feeds.dates")
def test_what_lies_in_the_future_is_not_known_yet(db: None) -> None:
    post = save(title="Soil", publish=True, now=FUTURE).post

    assert dates(now=AFTER) == (None, AFTER)
    assert dates(now=FUTURE) == (FUTURE, FUTURE)

    update(post, body="New.", change="substantive", now=FAR)

    assert dates(now=FUTURE) == (FUTURE, FUTURE)
    assert dates(now=FAR) == (FUTURE, FAR)


@requirement("feeds.adopted")
def test_an_undated_article_has_the_time_of_its_adoption(db: None) -> None:
    post = adopt(now=NOW).post
    update(post, body="Tidier.", change="maintenance", now=LATER)

    assert dates() == (None, NOW)

    update(post, body="New.", change="substantive", now=LATER)

    assert dates() == (None, LATER)


@requirement("feeds.adopted")
@pytest.mark.parametrize(
    "sent", [{"first_published_at": FIRST}, {"first_published_at": FIRST, "last_modified_at": MODIFIED}]
)
def test_known_dates_of_an_adopted_article_count(db: None, sent: dict[str, str]) -> None:
    adopt(**sent, **{f"{name.removesuffix('_at')}_evidence": "Dump" for name in sent})

    first = datetime(2019, 5, 6, 7, 8, 9, 123000, tzinfo=UTC)
    assert dates() == (first, datetime(2020, 6, 7, 8, 9, 10, tzinfo=UTC) if len(sent) == 2 else first)


def test_a_declared_first_date_counts(db: None) -> None:
    adopt(declaration=DECLARATION | {"declared_first_published_at": FIRST})

    assert dates() == (datetime(2019, 5, 6, 7, 8, 9, 123000, tzinfo=UTC),) * 2


@requirement("feeds.dates")
def test_without_a_modification_date_the_history_has_it(db: None, subtests: pytest.Subtests) -> None:
    post = save(title="Soil", publish=True).post
    publish_crowd(1, like=post)
    unpublish(post)
    # Without the services: posts that they publish have dates.
    QuerySet(Post).filter(slug="crowd-0").update(modified_at=None, published_at=None, created_at=NOW)
    bare = Post.objects.get(slug="crowd-0")

    for rows, updated in [
        ([], NOW),
        ([("first", NOON)], NOON),
        ([("adopted", NOON), ("maintenance", LATER)], NOON),
        ([("first", NOON), ("substantive", LATER), ("correction", NOON)], LATER),
        ([("first", NOON), ("correction", FUTURE)], NOON),
        ([("maintenance", LATER)], NOW),
        ([("correction", FUTURE)], NOW),
    ]:
        with subtests.test(rows=rows, updated=updated), undone():
            for entry_type, moment in rows:
                stored(
                    new_publication(bare, bare.revisions.get(), entry_type=entry_type, occurred_at=moment, note="Old.")
                )

            assert dates() == (None, updated)


def test_what_is_from_the_future_altogether_was_updated_now(db: None) -> None:
    save(title="Soil", publish=True, now=FUTURE)
    QuerySet(Post).update(modified_at=None, published_at=None)

    assert dates() == (None, AFTER)


@requirement("feeds.summary")
@pytest.mark.parametrize("description", ["", " \n\t"])
def test_a_blank_description_is_replaced_by_sixty_words(db: None, description: str) -> None:
    save(title="Soil", description=description, body="**word** " * 61, publish=True)

    assert entries()[0].summary == " ".join(["word"] * 60) + "…"


@requirement("feeds.summary")
def test_a_description_is_the_summary_as_it_was_sent(db: None) -> None:
    save(title="Soil", description=" All about *it*. ", search_description="Other.", body="Text.", publish=True)

    assert entries()[0].summary == " All about *it*. "


@requirement("feeds.label")
def test_the_label_and_the_payment_are_those_of_the_article(db: None) -> None:
    post = save(title="Soil", provenance="ai_assisted", publish=True).post
    declare(post, third_party_paid=True)
    declare(save(title="Stone", provenance="human_written", publish=True).post, third_party_paid=False)
    save(title="Root", publish=True)

    assert [(entry.post.slug, entry.label, entry.is_paid) for entry in entries()] == [
        ("root", Label.AI_UNKNOWN, False),
        ("stone", Label.NONE, False),
        ("soil", Label.AI_ASSISTED, True),
    ]

    approve(post)
    declare(post, third_party_paid=False)
    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={"responsible_party": "/about"})):
        soil = entries()[-1]
    assert (soil.label, soil.is_paid) == (Label.NONE, False)


@requirement("feeds.size")
def test_the_newest_come_first_and_no_more_than_asked_for(db: None) -> None:
    adopt(slug="undated")
    for number in range(3):
        save(title=f"Post {number}", publish=True, now=NOW - timedelta(days=number % 2))
    save(title="Draft")
    unpublish(save(title="Gone", publish=True).post)

    def found(size: int) -> list[str]:
        with override_settings(BLOG_ENGINE=blog_settings(feed_size=size)):
            return [entry.post.slug for entry in entries()]

    assert found(20) == ["post-2", "post-0", "post-1", "undated"]
    assert found(2) == ["post-2", "post-0"]


@requirement("feeds.size", "feeds.records")
def test_a_series_is_newest_first_too(db: None) -> None:
    for number in (1, 2, 3):
        save(title=f"Part {number}", series="Ground", series_position=4 - number, publish=True)
    series = Series.objects.get()

    assert [entry.post.slug for entry in feed_entries(ListKind.SERIES, series.pk, now=AFTER)] == [
        "part-3",
        "part-2",
        "part-1",
    ]


@requirement("feeds.queries")
def test_a_summary_loads_no_bodies(db: None) -> None:
    save(title="Soil", body="Text.", publish=True)

    (entry,) = entries()

    heavy = {"body", "body_html", "outline", "body_facts", "indexed_body", "indexed_faq", "body_image_manifest"}
    assert heavy <= entry.post.get_deferred_fields()


def count_queries() -> int:
    with CaptureQueriesContext(connection) as queries:
        entries()
    return len(queries)


@requirement("feeds.queries")
def test_only_a_post_without_a_permanent_id_or_a_known_date_needs_its_history(db: None) -> None:
    save(title="Soil", publish=True)
    complete = count_queries()

    QuerySet(Post).update(modified_at=None)
    undated = count_queries()
    QuerySet(Post).update(modified_at=NOW, feed_id=None)

    assert (complete, undated, count_queries()) == (4, 5, 5)


@requirement("feeds.queries", "feeds.label")
def test_reviews_are_read_only_for_labels_that_they_can_clear(db: None) -> None:
    post = save(title="Soil", provenance="human_written", publish=True).post
    named = blog_settings(policy_urls={"responsible_party": "/about"})
    with override_settings(BLOG_ENGINE=named):
        by_people = count_queries()

    update(post, provenance="ai_assisted", change="maintenance", now=LATER)
    with override_settings(BLOG_ENGINE=named):
        with_ai = count_queries()
        approve(post)
        (cleared,) = entries()

    assert with_ai == by_people + 1
    assert cleared.label is Label.NONE


@requirement("feeds.label")
def test_an_approval_of_other_content_clears_no_label_of_a_feed(db: None) -> None:
    post = save(title="Soil", provenance="ai_assisted", publish=True).post
    approve(post)
    QuerySet(Post).update(current_revision_identifier="other")

    with override_settings(BLOG_ENGINE=blog_settings(policy_urls={"responsible_party": "/about"})):
        (entry,) = entries()

    assert entry.label is Label.AI_ASSISTED


def test_an_empty_blog_has_no_last_change(db: None) -> None:
    assert entries() == ()
    assert last_change(()) is None


def rename_category(post: Post) -> None:
    category = Category.objects.get()
    category.name = "Yard"
    category.save()


def rename_author(post: Post) -> None:
    author = Author.objects.get()
    author.slug = "ada"
    author.save()


CHANGES: dict[str, Callable[[Post], object]] = {
    "approval": lambda post: approve(post, now=LATER),
    "declaration": lambda post: declare(post, third_party_paid=True, now=LATER),
    "title": lambda post: update(post, description="New.", change="maintenance", now=LATER),
    "unpublished": lambda post: unpublish(Post.objects.get(slug="stone"), now=LATER),
    "category": rename_category,
    "author": rename_author,
}


@requirement("feeds.validators")
def test_the_last_change_moves_with_whatever_is_shown(db: None, subtests: pytest.Subtests) -> None:
    for change in CHANGES:
        with subtests.test(change=change), undone():
            with time_machine.travel(NOW, tick=False):
                save(title="Stone", category="Garden", publish=True)
                post = save(title="Soil", category="Garden", publish=True).post
                before = last_change(entries())

            with time_machine.travel(LATER, tick=False):
                CHANGES[change](post)

            assert (before, last_change(entries())) == (NOW, LATER)
