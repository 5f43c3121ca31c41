"""Posts are compared with their history; each kind of deviation is reported as such."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from blog_engine.models import Baseline, Image, Post, Publication, Revision
from blog_engine.queries import audit
from blog_engine.queries.audit import Audit, Deviation, audit_public_posts
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, save, unpublish, update
from tests.support.tables import execute, new_baseline, new_image, undone, unprotected

pytestmark = pytest.mark.django_db

OTHER_DIGEST = "f" * 64
DATES = ["published_at", "modified_at", "listed_at"]
DATE_DEVIATIONS = [Deviation.PUBLISHED_AT, Deviation.MODIFIED_AT, Deviation.LISTED_AT]


def images() -> tuple[Image, Image]:
    cover, social = new_image(), new_image()
    cover.save()
    social.save()
    return cover, social


def rich_post(**fields: Any) -> Post:
    """A public post with everything that its identifier covers."""
    written = {
        "title": "Soil",
        "description": "What it is.",
        "search_title": "Soil, explained",
        "search_description": "All about soil.",
        "body": "Read ![a map](https://example.net/map.png).",
        "faq": [{"question": "When?", "answer": "At noon."}, {"question": "Where?", "answer": "Here."}],
    }
    return save(publish=True, **written | fields).post


def test_a_rich_post_is_as_recorded() -> None:
    rich_post()

    assert audit_public_posts() == Audit(checked=1, public=1, differing={})


@requirement("doctor.records")
def test_every_part_of_the_content_is_covered(subtests: pytest.Subtests) -> None:
    post = rich_post()
    images()

    for tampering in [
        "UPDATE blog_engine_post SET title = 'Sand'",
        "UPDATE blog_engine_post SET description = ''",
        "UPDATE blog_engine_post SET search_title = 'Sand'",
        "UPDATE blog_engine_post SET search_description = 'Sand'",
        "UPDATE blog_engine_post SET author_name = 'Nobody'",
        "UPDATE blog_engine_post SET body = 'Sand'",
        "UPDATE blog_engine_post SET cover_alt = 'Sand', cover_image_id = (SELECT min(id) FROM blog_engine_image)",
        "UPDATE blog_engine_post SET social_image_id = (SELECT min(id) FROM blog_engine_image)",
        "UPDATE blog_engine_post SET body_image_manifest = '[]'",
        "UPDATE blog_engine_faq SET answer = 'At noon!' WHERE position = 1",
        "UPDATE blog_engine_faq SET position = 3 WHERE position = 1",
        "DELETE FROM blog_engine_faq WHERE position = 2",
    ]:
        with subtests.test(tampering=tampering), undone():
            execute(tampering)

            assert audit_public_posts().differing == {post.pk: [Deviation.CONTENT, Deviation.IDENTIFIER]}


@requirement("doctor.records")
def test_a_changed_date_is_seen(subtests: pytest.Subtests) -> None:
    post = rich_post()

    for column, deviation in list(zip(DATES, DATE_DEVIATIONS, strict=True)):
        with subtests.test(column=column, deviation=deviation), undone():
            execute(f"UPDATE blog_engine_post SET {column} = %s", NOW - timedelta(days=1))  # noqa: S608

            assert audit_public_posts().differing == {post.pk: [deviation]}


def test_a_changed_identifier_is_seen() -> None:
    post = rich_post()

    execute("UPDATE blog_engine_post SET current_revision_identifier = %s", OTHER_DIGEST)

    assert audit_public_posts().differing == {post.pk: [Deviation.IDENTIFIER]}


@requirement("doctor.records")
def test_a_forged_payload_is_seen() -> None:
    post = rich_post()

    with unprotected(Revision):
        execute("UPDATE blog_engine_revision SET payload = '{}'")

    assert audit_public_posts().differing == {post.pk: [Deviation.PAYLOAD]}


def test_content_that_was_forged_together_with_its_identifier_is_seen() -> None:
    post = rich_post(faq=[])
    forged = rich_post(title="Sand", faq=[])
    execute(
        "UPDATE blog_engine_post SET title = 'Sand', current_revision_identifier = %s WHERE id = %s",
        forged.current_revision_identifier,
        post.pk,
    )

    assert audit_public_posts().differing == {post.pk: [Deviation.CONTENT]}


def test_a_forged_publication_is_seen(subtests: pytest.Subtests) -> None:
    post = rich_post()
    update(post, title="Soils", change="substantive")

    for model, tampering, deviations in [
        (
            Publication,
            "UPDATE blog_engine_publication SET entry_type = 'maintenance' WHERE entry_type <> 'first'",
            [Deviation.MODIFIED_AT],
        ),
        (Publication, "DELETE FROM blog_engine_publication WHERE entry_type <> 'first'", [Deviation.MODIFIED_AT]),
        (Publication, "DELETE FROM blog_engine_publication", DATE_DEVIATIONS),
    ]:
        with subtests.test(model=model, tampering=tampering, deviations=deviations), undone():
            with unprotected(model):
                execute(tampering)

            assert audit_public_posts().differing == {post.pk: deviations}


@requirement("doctor.records")
def test_the_dates_of_a_baseline_count() -> None:
    post = rich_post()
    assert post.public_revision is not None
    with unprotected(Publication):
        execute("DELETE FROM blog_engine_publication")
    new_baseline(post, post.public_revision, first_published_at=post.published_at).save()

    assert audit_public_posts().differing == {}

    with unprotected(Baseline):
        execute("UPDATE blog_engine_baseline SET last_modified_at = %s", LATER)

    assert audit_public_posts().differing == {post.pk: [Deviation.MODIFIED_AT]}


def test_posts_that_are_not_public_are_left_out() -> None:
    save(title="Draft")
    withdrawn = save(title="Withdrawn", publish=True).post
    unpublish(withdrawn)
    execute("UPDATE blog_engine_post SET body = 'Sand'")

    assert audit_public_posts() == Audit(checked=0, public=0, differing={})


def test_the_newest_are_those_that_changed_last() -> None:
    posts = [save(title=f"Post {n}", publish=True, now=NOW + timedelta(minutes=n)).post for n in range(3)]
    update(posts[0], featured=True, now=LATER)
    execute("UPDATE blog_engine_post SET body = 'Sand'")

    found = audit_public_posts(newest=2)

    assert (found.checked, found.public, sorted(found.differing)) == (2, 3, [posts[0].pk, posts[2].pk])


@pytest.mark.parametrize("newest", [None, 4])
def test_every_batch_is_looked_at(monkeypatch: pytest.MonkeyPatch, newest: int | None) -> None:
    monkeypatch.setattr(audit, "BATCH", 2)
    posts = [save(title=f"Post {number}", publish=True).post for number in range(5)]
    execute("UPDATE blog_engine_post SET body = 'Sand' WHERE id <> %s", posts[2].pk)

    found = audit_public_posts(newest=newest)

    assert found.checked == (newest or 5)
    assert posts[2].pk not in found.differing
    assert len(found.differing) == found.checked - 1


def test_a_post_costs_no_query_of_its_own() -> None:
    rich_post()
    few = count_queries()
    for number in range(20):
        rich_post(title=f"Post {number}")

    assert count_queries() == few


def count_queries() -> int:
    with CaptureQueriesContext(connection) as queries:
        assert audit_public_posts().differing == {}
    return len(queries)


def test_a_write_in_the_middle_is_no_difference() -> None:
    post = rich_post()
    arrived = []

    def write_once(execute: Any, sql: str, *args: Any) -> Any:
        found = execute(sql, *args)
        if not arrived and 'FROM "blog_engine_baseline"' in sql:
            arrived.append(sql)
            update(post, title="Soils", change="substantive")
        return found

    with connection.execute_wrapper(write_once):
        found = audit_public_posts()

    assert arrived
    assert found.differing == {}
