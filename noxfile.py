"""The test suite on each supported pair of Python and Django, and on the lowest versions."""

import re

import nox

PROJECT = nox.project.load_toml("pyproject.toml")
INSTALLED = ".[c2pa,example,import,magic,passkeys,postgres,rest,s3]"
# Tested once, on the oldest pair.
SELECTED = "not mariadb and not hugo"
# With random lives and requests of its own.
RANDOM = {"BLOG_ENGINE_LIVES": "4", "BLOG_ENGINE_FUZZ": "2", "BLOG_ENGINE_SEED": "4"}

nox.options.error_on_missing_interpreters = True


def run_suite(session: nox.Session, *pins: str) -> None:
    """Install the project with exact versions of packages, and run its tests."""
    # Python compiles what it imports: pip would compile everything, which takes as long as the installation.
    session.install("--no-compile", "-e", INSTALLED, *pins, *nox.project.dependency_groups(PROJECT, "test"))
    shown = session.posargs or ["tests"]
    session.run("pytest", "--quick", "-n", "auto", "--dist", "loadgroup", "-m", SELECTED, *shown, env=RANDOM)


@nox.session
@nox.parametrize(("python", "django"), [("3.11", "5.2"), ("3.12", "6.0"), ("3.13", "6.1"), ("3.14", "6.1")])
def supported(session: nox.Session, django: str) -> None:
    """Run the tests on a supported pair."""
    run_suite(session, f"django=={django}.*")


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the tests with each package that a host installs at its lower bound."""
    needed = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["postgres"]]
    run_suite(session, *(re.sub(r">=([^,]+).*", r"==\1", requirement) for requirement in needed))
