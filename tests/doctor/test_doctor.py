"""All fourteen probes, in their order, whatever the state of the host."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import Settings

from blog_engine.doctor import PROBES, ProbeResult, run_probes
from blog_engine.doctor.base import ProbeContext, Verdict
from blog_engine.enums import CheckStatus
from blog_engine.models import PageView
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.tables import VISIT, everything_stored, execute

ORDER = [
    "Configuration",
    "Migrations",
    "Route",
    "Templates",
    "Theme",
    "Static files",
    "Authentication",
    "Rate limit",
    "Schedule",
    "Storage",
    "Policy pages",
    "Records",
    "Social pictures",
    "Declarations",
]


def statuses(results: list[ProbeResult]) -> dict[str, str]:
    return {result.name: result.status.value for result in results}


@requirement("doctor.order")
@pytest.mark.django_db
def test_probes_run_in_their_order_and_each_has_a_message() -> None:
    results = run_probes(VISIT)

    assert [result.name for result in results] == ORDER
    assert all(result.message for result in results)


@requirement("doctor.order")
@pytest.mark.django_db
@pytest.mark.parametrize(
    "written",
    [{}, {"site_nmae": "x"}, "text", None, {"site_name": 5, "storage": {}, "layout": None, "authenticate": "a.b"}],
)
def test_broken_settings_break_no_probe(settings: Settings, written: Any) -> None:
    settings.BLOG_ENGINE = written

    results = run_probes(VISIT)

    found = statuses(results)
    unable = [result.name for result in results if "Configuration" in result.message]
    assert list(found) == ORDER
    assert [name for name, status in found.items() if status == "error"] == ["Configuration"]
    assert unable == [
        "Route",
        "Templates",
        "Theme",
        "Authentication",
        "Storage",
        "Policy pages",
        "Social pictures",
        "Declarations",
    ]
    assert {found[name] for name in unable} == {"warning"}


@requirement("doctor.order")
@pytest.mark.django_db(transaction=True)
def test_an_empty_database_breaks_no_probe(settings: Settings) -> None:
    with connection.schema_editor() as editor:
        editor.delete_model(PageView)
    try:
        results = run_probes(VISIT)
    finally:
        with connection.schema_editor() as editor:
            editor.create_model(PageView)

    found = statuses(results)
    unable = [result.name for result in results if "Migrations" in result.message]
    assert found["Migrations"] == "error"
    assert unable == ["Authentication", "Schedule", "Policy pages", "Records", "Social pictures"]
    assert {found[name] for name in unable} == {"warning"}


@requirement("doctor.exceptions")
@pytest.mark.django_db
def test_an_exception_is_an_error_of_one_probe(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(context: ProbeContext) -> Verdict:
        raise LookupError("this was unexpected")

    monkeypatch.setitem(PROBES, "Storage", crash)

    found = {result.name: result for result in run_probes(VISIT)}

    assert list(found) == ORDER
    assert found["Storage"].status is CheckStatus.ERROR
    assert "LookupError: this was unexpected" in found["Storage"].message
    assert found["Records"].status is CheckStatus.OK


@requirement("doctor.exceptions")
@pytest.mark.django_db
def test_a_failed_query_breaks_no_other_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(context: ProbeContext) -> Verdict:
        execute("SELECT * FROM nothing")
        raise AssertionError

    monkeypatch.setitem(PROBES, "Migrations", crash)

    found = statuses(run_probes(VISIT))

    assert (found["Migrations"], found["Records"]) == ("error", "ok")


@requirement("doctor.order")
@pytest.mark.django_db(transaction=True)
def test_an_unavailable_database_breaks_no_probe() -> None:
    def refuse(*args: Any) -> None:
        raise OperationalError("gone")

    with connection.execute_wrapper(refuse):
        found = statuses(run_probes(VISIT))

    assert list(found) == ORDER
    assert [name for name, status in found.items() if status == "error"] == [
        *("Migrations", "Route", "Authentication", "Schedule", "Policy pages", "Records"),
        "Social pictures",
    ]


@requirement("doctor.read-only")
@pytest.mark.django_db
def test_nothing_is_modified(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={})
    save(publish=True)
    before = everything_stored()
    applied = MigrationRecorder(connection).applied_migrations()

    run_probes(VISIT)

    assert everything_stored() == before
    assert MigrationRecorder(connection).applied_migrations().keys() == applied.keys()


def test_probes_are_documented_in_their_order() -> None:
    page = (Path(__file__).parents[2] / "docs" / "contract" / "doctor.md").read_text("utf-8")

    assert re.findall(r"^\| [0-9]+ \| `([^`]+)` \|", page, re.MULTILINE) == ORDER
