"""The test suite on each supported pair of Python and Django, and on the lowest versions."""

import re

import nox

PROJECT = nox.project.load_toml("pyproject.toml")
INSTALLED = ".[example,magic,postgres,s3]"
# Services, the wheel, the browser and the HTML checker have separate steps in .ci/run.
SELECTED = "not postgres and not redis and not mariadb and not packaging and not browser and not markup"
# The newest pair also runs the tests that take long, with other random lives and requests.
NEWEST = "3.13"
RANDOM = {"BLOG_ENGINE_LIVES": "4", "BLOG_ENGINE_FUZZ": "2", "BLOG_ENGINE_SEED": "4"}
# The lowest versions skip tests that depend on Python only. The pair in the middle runs the tests that depend on
# Django: tables, writes, the API, pages, commands, tasks.
SHOWN = {
    "3.11": ["tests", "--ignore=tests/surface_report", "--ignore=tests/faults"],
    "3.12": [
        "tests/api",
        "tests/management",
        "tests/models",
        "tests/reader",
        "tests/services",
        "tests/tasks",
        "tests/test_migrations.py",
    ],
}

nox.options.error_on_missing_interpreters = True


def run_suite(session: nox.Session, *pins: str) -> None:
    """Install the project with exact versions of packages, and run its tests."""
    # Python compiles what it imports: pip would compile everything, which takes as long as the installation.
    session.install("--no-compile", "-e", INSTALLED, *pins, *nox.project.dependency_groups(PROJECT, "test"))
    version = str(session.python)
    selected = SELECTED if version == NEWEST else f"{SELECTED} and not heavy"
    shown = session.posargs or SHOWN.get(version, ["tests"])
    session.run("pytest", "-n", "auto", "--dist", "loadgroup", "-m", selected, *shown, env=RANDOM)


@nox.session
@nox.parametrize(("python", "django"), [("3.11", "5.2"), ("3.12", "6.0"), ("3.13", "6.1")])
def supported(session: nox.Session, django: str) -> None:
    """Run the tests on a supported pair."""
    run_suite(session, f"django=={django}.*")


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the tests with each package that a host installs at its lower bound."""
    needed = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["postgres"]]
    run_suite(session, *(re.sub(r">=([^,]+).*", r"==\1", requirement) for requirement in needed))
