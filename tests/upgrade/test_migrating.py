"""The migrations since the first release: no history row changes, and all stay protected."""

import pytest
from django.db import connection
from django.test import override_settings

from blog_engine.models import Post
from blog_engine.models.protection import missing_protection
from blog_engine.testing import allow_flush
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.upgrade.old_releases import (
    TABLES,
    assert_nothing_can_be_rewritten,
    columns_of,
    first_release,
    next_migrations,
    one_row_of_each_kind,
    tables_of,
    texts_of,
    to_the_latest,
)

allow_flush()

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.heavy]


@requirement("host.upgrade.history", "host.upgrade.protection")
def test_every_row_of_the_history_stays_the_same_and_protected() -> None:
    with first_release():
        columns = {table: columns_of(table) for table in TABLES}
        before = texts_of(columns)
        assert_nothing_can_be_rewritten()

        for name in next_migrations():
            assert texts_of(columns) == before, name
            assert_nothing_can_be_rewritten()

        assert missing_protection(connection) == []
    assert {table: len(rows) for table, rows in before.items()} == {
        "blog_engine_revision": 10,
        "blog_engine_approval": 3,
        "blog_engine_publication": 10,
        "blog_engine_baseline": 1,
        "blog_engine_connectiondeclaration": 2,
        "blog_engine_image": 1,
    }


@requirement("host.upgrade.feed-ids")
def test_without_a_public_url_the_migration_leaves_feed_ids_to_the_next_write() -> None:
    with override_settings(BLOG_ENGINE=blog_settings(public_base_url=...)), first_release():
        to_the_latest()

        assert set(Post.objects.values_list("feed_id", flat=True)) == {None}


@requirement("host.upgrade.protection")
def test_history_is_protected_from_the_migration_that_protects_it() -> None:
    with tables_of("0002_protect_history") as models:
        one_row_of_each_kind(models)

        assert_nothing_can_be_rewritten()
        for _ in next_migrations():
            assert_nothing_can_be_rewritten()
