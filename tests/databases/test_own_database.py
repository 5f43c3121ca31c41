"""A blog in a separate database, by a router that keeps all other tables out of it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.databases import two_databases
from tests.support.servers import manage, run_python

_TABLES = """
import json, django
django.setup()
from django.db import connections
from blog_engine.models.protection import missing_protection
tables = {alias: connections[alias].introspection.table_names() for alias in connections}
print(json.dumps([tables, missing_protection(connections["blog"])]))
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[dict[str, str]]:
    with two_databases(tmp_path, "blog") as environment:
        yield environment | {"ROUTER": "tests.support.databases.OwnDatabase"}


@pytest.mark.heavy
@requirement("host.databases.own")
@pytest.mark.parametrize("order", [["default", "blog"], ["blog", "default"]], ids=" then ".join)
def test_migrate_runs_on_every_database_and_back(project: dict[str, str], order: list[str]) -> None:
    for alias in order:
        manage(project, "migrate", f"--database={alias}", "--verbosity=0")

    tables, missing = json.loads(run_python(project, "-c", _TABLES))
    blog = {alias: [name for name in tables[alias] if name.startswith("blog_engine_")] for alias in tables}
    assert (blog["default"], missing) == ([], [])
    assert set(tables["blog"]) == {*blog["blog"], "django_migrations"}
    for alias in order:
        manage(project, "migrate", f"--database={alias}", "blog_engine", "zero", "--verbosity=0")
    tables, _ = json.loads(run_python(project, "-c", _TABLES))
    assert tables["blog"] == ["django_migrations"]


@pytest.mark.heavy
@requirement("host.databases.own")
def test_the_tests_of_a_host_run(project: dict[str, str]) -> None:
    said = manage(project, "test", "tests.databases.suite", "--noinput")

    assert "Found 5 test(s)." in said


@pytest.mark.heavy
@requirement("host.databases.own")
def test_checks_and_doctor_have_nothing_to_say_of_the_databases(project: dict[str, str]) -> None:
    for alias in ("default", "blog"):
        manage(project, "migrate", f"--database={alias}", "--verbosity=0")

    manage(project, "check", "--database=default", "--database=blog")
    said = manage(project, "blog_doctor")

    assert "All" in said
    assert "error" not in said.lower().split()
