"""When the content version can be trusted, and how often it is read."""

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from blog_engine.models import ContentVersion
from blog_engine.models.reading import reading_a_page
from blog_engine.queries import remembered
from blog_engine.queries.remembered import content_version
from tests.requirements import requirement
from tests.support.tables import execute, failing, insert_author

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def written(transactional_db: None) -> None:
    insert_author()


def test_the_version_is_that_of_the_row() -> None:
    assert content_version() == ContentVersion.objects.get().version


def test_a_page_reads_the_version_once() -> None:
    with reading_a_page(), CaptureQueriesContext(connection) as queries:
        first = content_version()
        insert_author()
        second = content_version()

    assert first == second != content_version()
    assert sum("contentversion" in query["sql"] for query in queries) == 1


def test_the_version_is_read_on_a_new_connection() -> None:
    before = content_version()
    connection.close()

    assert content_version() == before
    insert_author()
    assert content_version() != before


@requirement("page-cache.version.transactions")
def test_a_transaction_has_no_version() -> None:
    with transaction.atomic():
        assert content_version() is None

    assert content_version() is not None


def test_a_connection_that_does_not_commit_by_itself_has_no_version() -> None:
    connection.set_autocommit(False)
    try:
        assert content_version() is None
    finally:
        connection.rollback()
        connection.set_autocommit(True)


def test_a_database_without_the_row_has_no_version() -> None:
    ContentVersion.objects.all().delete()

    assert content_version() is None


@pytest.mark.postgres
def test_a_database_that_was_not_migrated_has_no_version() -> None:
    execute("SET search_path = pg_temp")
    try:
        assert content_version() is None
    finally:
        execute("RESET search_path")


@pytest.mark.sqlite
def test_a_file_that_was_not_migrated_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = connection.copy()
    empty.settings_dict["NAME"] = ":memory:"
    monkeypatch.setattr(remembered, "connections", {"default": empty})
    try:
        assert content_version() is None
    finally:
        empty.connection.close()


@pytest.mark.postgres
def test_a_role_that_may_not_read_the_table_has_no_version() -> None:
    execute("SET ROLE pg_monitor")
    try:
        assert content_version() is None
    finally:
        execute("RESET ROLE")


def test_an_unavailable_database_is_a_fault() -> None:
    with failing(table="blog_engine_contentversion"), pytest.raises(OperationalError):
        content_version()
