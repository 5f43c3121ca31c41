"""REST framework, middleware and request settings of the host change no answer."""

import sys

import pytest

from tests.requirements import requirement
from tests.support.programs import environment, run

_OF_THE_RUN_AROUND = ("PYTEST_", "CI", "DATABASE_URL", "CACHE_URL")


@pytest.mark.heavy
@requirement("host.rest-framework")
def test_the_api_answers_a_hostile_host_as_any_other() -> None:
    # REST framework reads its settings when it is imported, so only a new process can have others. It takes SQLite:
    # on PostgreSQL it would make and drop the database that the tests around it are using.
    command = [sys.executable, "-m", "pytest", "--ds=tests.hostile.settings", "-q", "-p", "no:cacheprovider"]

    done = run([*command, "tests/api", "tests/transport"], env=environment(without=_OF_THE_RUN_AROUND), timeout=300)

    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
