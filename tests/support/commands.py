"""Commands that run in processes of their own, on the database of the test."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from django.db import connection

from tests.support.programs import ROOT, environment, start

_PATIENCE = 60


def database_url(name: str = "") -> str:
    """Return the URL of the database of the test, or of one with another name on the same server."""
    database = connection.settings_dict | {"NAME": name or connection.settings_dict["NAME"]}
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    return "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)


@contextmanager
def running_command(
    *command: str, settings: str, told: Mapping[str, str], database: str = ""
) -> Iterator["subprocess.Popen[str]"]:
    """Run a command of ``manage.py``, and kill it at the end; ``told`` is what the settings read."""
    variables = {
        "DATABASE_URL": database_url(database),
        "DJANGO_SETTINGS_MODULE": settings,
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        **told,
    }
    program = [sys.executable, "-m", "django", *command]
    process = start(program, env=environment(variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


def wait_until(happened: Callable[[], bool]) -> None:
    """Return when it has happened; fail after a minute."""
    end = time.monotonic() + _PATIENCE
    while not happened():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.01)
