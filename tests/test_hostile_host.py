"""A host's own REST framework, middleware and request settings change nothing (decisions.md 1)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement

ROOT = Path(__file__).resolve().parents[1]
_OF_THE_RUN_AROUND = ("PYTEST_", "CI", "DATABASE_URL", "CACHE_URL")


@pytest.mark.heavy
@requirement("host:rest-framework")
def test_the_api_answers_a_hostile_host_as_any_other() -> None:
    # REST framework reads its settings when it is imported, so only a new process can have others. It takes SQLite:
    # on PostgreSQL it would make and drop the database that the tests around it are using.
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OF_THE_RUN_AROUND)}
    command = [sys.executable, "-m", "pytest", "--ds=tests.hostile.settings", "-q", "-p", "no:cacheprovider"]

    run = subprocess.run(
        [*command, "tests/api"], cwd=ROOT, env=kept, capture_output=True, text=True, check=False, timeout=300
    )

    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]
