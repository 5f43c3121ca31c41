"""Probes of migrations, declarations, authentication and schedule."""

import re
from datetime import datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from blog_engine.actor import Scope
from blog_engine.doctor import installation
from blog_engine.doctor.base import ProbeSkipped
from blog_engine.doctor.installation import probe_authentication, probe_declarations, probe_migrations, probe_schedule
from blog_engine.services import publish_due
from blog_engine.services.tokens import create_token, revoke_token
from tests.admin.desk import person
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, save
from tests.support.hosts import blog_settings
from tests.support.tables import execute, verdict_of

pytestmark = pytest.mark.django_db


@requirement("doctor.migrations")
def test_a_migrated_database_is_ok() -> None:
    assert verdict_of(probe_migrations)[0] == "ok"


@requirement("doctor.migrations")
def test_an_unapplied_migration_is_an_error() -> None:
    MigrationRecorder(connection).record_unapplied("blog_engine", "0003_search_vector")

    message = assert_verdict(probe_migrations, "error", "0003_search_vector")

    assert "0002" not in message


@requirement("doctor.migrations")
def test_a_missing_table_is_an_error() -> None:
    execute("ALTER TABLE blog_engine_pageview RENAME TO elsewhere")

    assert_verdict(probe_migrations, "error", "blog_engine_pageview")


def test_a_missing_table_of_a_relation_is_named() -> None:
    execute("ALTER TABLE blog_engine_posttag RENAME TO elsewhere")

    assert "blog_engine_posttag" in verdict_of(probe_migrations)[1]


@requirement("doctor.migrations.later-release")
def test_a_database_of_a_later_release_is_a_warning() -> None:
    MigrationRecorder(connection).record_applied("blog_engine", "9999_of_tomorrow")

    assert_verdict(probe_migrations, "warning", "9999_of_tomorrow")


def test_migrations_of_other_apps_are_ignored() -> None:
    MigrationRecorder(connection).record_unapplied("auth", "0001_initial")

    assert verdict_of(probe_migrations)[0] == "ok"


@requirement("doctor.migrations")
def test_migrations_that_the_host_switched_off_are_an_error(settings: Settings) -> None:
    settings.MIGRATION_MODULES = {"blog_engine": None}

    assert_verdict(probe_migrations, "error", "MIGRATION_MODULES")


DECLARED: dict[str, object] = {"primary_list_type": "categories", "sign_in_destinations": []}


@requirement("doctor.declarations")
def test_declared_settings_are_ok(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(**DECLARED)

    assert verdict_of(probe_declarations)[0] == "ok"


@requirement("doctor.declarations")
@pytest.mark.parametrize("name", DECLARED)
def test_an_undeclared_setting_is_a_warning(settings: Settings, name: str) -> None:
    settings.BLOG_ENGINE = blog_settings(**DECLARED | {name: ...})

    message = assert_verdict(probe_declarations, "warning")

    assert [key for key in DECLARED if key in message] == [name]


@requirement("doctor.authentication")
def test_no_token_and_no_hook_is_a_warning() -> None:
    assert_verdict(probe_authentication, "warning", "create_blog_token")


@requirement("doctor.authentication")
def test_an_active_token_is_ok() -> None:
    create_token("Ada", scopes=[Scope.READ], expires_at=LATER + timedelta(seconds=1), now=NOW)
    create_token("Kim", scopes=[], expires_at=None, now=NOW)

    assert_verdict(probe_authentication, "ok", "2")


@requirement("doctor.authentication")
def test_revoked_and_expired_tokens_do_not_count() -> None:
    create_token("Ada", scopes=[Scope.READ], expires_at=LATER, now=NOW)
    revoke_token(create_token("Kim", scopes=[Scope.READ], expires_at=None, now=NOW).token, now=NOW)

    assert verdict_of(probe_authentication)[0] == "warning"


@requirement("doctor.authentication")
def test_a_hook_is_ok(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(authenticate="tests.support.hosts.authenticate")

    assert verdict_of(probe_authentication)[0] == "ok"


@requirement("doctor.tokens")
def test_a_token_that_is_named_like_a_user_is_a_warning() -> None:
    create_token("Vera  EXAMPLE", now=NOW)
    create_token("Night bot", now=NOW)
    revoke_token(create_token("Wanda Writer", now=NOW).token, now=NOW)
    assert_verdict(probe_authentication, "ok")

    # The users come later, under the names of the tokens.
    person(name="Vera Example")
    person(name="Wanda Writer")

    message = assert_verdict(probe_authentication, "warning", "Vera  EXAMPLE", "revoke_blog_token")
    assert not [name for name in ("Night bot", "Wanda") if name in message]


@requirement("doctor.tokens")
def test_the_users_that_are_compared_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "MOST_USERS_COMPARED", 1)
    create_token("Vera Example", now=NOW)
    get_user_model().objects.create_user("customer", first_name="Vera", last_name="Example")
    staff = person(name="Ed Editor")

    assert_verdict(probe_authentication, "ok")
    staff.first_name, staff.last_name = "Vera", "Example"
    staff.save()

    assert_verdict(probe_authentication, "warning")


def test_a_faulty_hook_is_left_to_configuration(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(authenticate="no.such.hook")

    with pytest.raises(ProbeSkipped):
        verdict_of(probe_authentication)


def schedule(title: str, due: datetime) -> None:
    save(title=title, publish=True, publish_at=due.isoformat(), now=NOW)


def test_no_scheduled_posts_are_ok() -> None:
    save(publish=True)

    status, message = verdict_of(probe_schedule)

    assert (status, re.findall(r"\d+", message)) == ("ok", ["0"])


@requirement("doctor.schedule")
@pytest.mark.parametrize("late", [-timedelta(days=1), timedelta(0), timedelta(minutes=5)])
def test_a_post_can_be_five_minutes_late(late: timedelta) -> None:
    schedule("Soil", LATER - late)

    status, message = verdict_of(probe_schedule)

    assert (status, re.findall(r"\d+", message)) == ("ok", ["1"])


@requirement("doctor.schedule")
def test_overdue_posts_are_a_warning_with_their_number_and_the_first_time() -> None:
    schedule("Soil", LATER - timedelta(minutes=5, seconds=1))
    schedule("Sea", LATER - timedelta(minutes=20))
    schedule("Air", LATER + timedelta(hours=1))

    message = assert_verdict(probe_schedule, "warning", "publish_due_posts")

    assert re.findall(r"[\d:T+-]*\d", message) == ["2", "3", "2026-11-21T12:40:00+00:00"]


def test_its_advice_fixes_it() -> None:
    schedule("Sea", LATER - timedelta(minutes=20))

    publish_due(now=LATER)

    assert verdict_of(probe_schedule)[0] == "ok"
