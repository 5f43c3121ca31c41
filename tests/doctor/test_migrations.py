import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from blog_engine.doctor.installation import probe_migrations
from tests.requirements import requirement
from tests.support.assertions import verdict_of
from tests.support.tables import execute

pytestmark = pytest.mark.django_db


@requirement("doctor.migrations")
def test_a_migrated_database_is_well() -> None:
    assert verdict_of(probe_migrations)[0] == "ok"


@requirement("doctor.migrations")
def test_a_migration_that_waits_is_an_error() -> None:
    MigrationRecorder(connection).record_unapplied("blog_engine", "0003_search_vector")

    status, message = verdict_of(probe_migrations)

    assert status == "error"
    assert "0003_search_vector" in message
    assert "0002" not in message


@requirement("doctor.migrations")
def test_a_table_that_is_gone_is_an_error() -> None:
    execute("ALTER TABLE blog_engine_pageview RENAME TO elsewhere")

    status, message = verdict_of(probe_migrations)

    assert status == "error"
    assert "blog_engine_pageview" in message


def test_a_table_of_a_relation_is_missed_too() -> None:
    execute("ALTER TABLE blog_engine_posttag RENAME TO elsewhere")

    assert "blog_engine_posttag" in verdict_of(probe_migrations)[1]


@requirement("doctor.migrations.later-release")
def test_a_database_of_a_later_release_is_a_warning() -> None:
    MigrationRecorder(connection).record_applied("blog_engine", "9999_of_tomorrow")

    status, message = verdict_of(probe_migrations)

    assert status == "warning"
    assert "9999_of_tomorrow" in message


def test_migrations_of_other_apps_are_not_ours() -> None:
    MigrationRecorder(connection).record_unapplied("auth", "0001_initial")

    assert verdict_of(probe_migrations)[0] == "ok"


@requirement("doctor.migrations")
def test_migrations_that_the_host_switched_off_are_an_error(settings: Settings) -> None:
    settings.MIGRATION_MODULES = {"blog_engine": None}

    status, message = verdict_of(probe_migrations)

    assert status == "error"
    assert "MIGRATION_MODULES" in message
