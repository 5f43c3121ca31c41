"""Programs that tests run in processes of their own, with an environment that no failure prints.

An environment may hold passwords, and pytest shows the arguments of every function on the way to a failure, those of
``subprocess`` too.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any, Final

from django.db import connection

ROOT = Path(__file__).resolve().parents[2]

_SHOWN = 5_000


class Environment:
    """The variables of a program, which it shows to programs only.

    It is no mapping, because pytest spells those out where it explains a comparison.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = dict(variables)

    def items(self) -> Iterable[tuple[str, str]]:
        return self._variables.items()

    def __getitem__(self, name: str) -> str:
        return self._variables[name]

    def get(self, name: str) -> str | None:
        return self._variables.get(name)

    def __or__(self, more: Mapping[str, str]) -> "Environment":
        return Environment(self._variables | dict(more))

    def __repr__(self) -> str:
        return f"<environment of {len(self._variables)} variables>"


def environment(more: Mapping[str, str] | None = None, *, without: Iterable[str] = ()) -> Environment:
    """Return the environment of this process with further variables, and without those that begin with some words."""
    unwanted = tuple(without)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return Environment(kept) | (more or {})


class ProgramFailed(Exception):
    """A program could not be run, took too long, or ended with an error; the message has the end of what it wrote."""


def run(
    command: Sequence[str], *, env: Environment, cwd: Path = ROOT, timeout: float = 600
) -> "subprocess.CompletedProcess[str]":
    """Run a program to its end, whatever that is, and return what it wrote; ``timeout`` is in seconds."""
    _check(env)
    try:
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=timeout)
    except (OSError, subprocess.TimeoutExpired) as fault:
        failure = f"{command[0]}: {type(fault).__name__}"
    # Raised here, so that the frames of subprocess, which hold the environment, are not among those of the failure.
    raise ProgramFailed(failure)


def output_of(command: Sequence[str], *, env: Environment, cwd: Path = ROOT, timeout: float = 600) -> str:
    """Return what a program writes on standard output; raise ``ProgramFailed`` when it ends with an error."""
    done = run(command, env=env, cwd=cwd, timeout=timeout)
    if done.returncode:
        raise ProgramFailed(f"{list(command)} ended with {done.returncode}.\n{(done.stdout + done.stderr)[-_SHOWN:]}")
    return done.stdout


def start(command: Sequence[str], *, env: Environment, cwd: Path = ROOT, **options: Any) -> "subprocess.Popen[Any]":
    """Start a program; ``options`` are those of ``subprocess.Popen``."""
    _check(env)
    try:
        return subprocess.Popen(command, cwd=cwd, env=env, **options)
    except OSError as fault:
        failure = f"{command[0]}: {type(fault).__name__}"
    raise ProgramFailed(failure)


def stop(program: "subprocess.Popen[Any]") -> None:
    """Ask a program to end, and end it after 20 seconds."""
    program.terminate()
    try:
        program.wait(timeout=20)
    except subprocess.TimeoutExpired:
        program.kill()
        program.wait()


def _check(env: object) -> None:
    if not isinstance(env, Environment):
        raise TypeError("Make the environment of a program with tests.support.programs.environment.")


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


def wait_until(holds: Callable[[], object], *, seconds: float = _PATIENCE) -> None:
    """Wait until the condition holds; fail after the deadline."""
    pause, end = Event(), time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"{holds} never came to hold"
        pause.wait(0.02)


BROWSER: Final = os.environ.get("BROWSER", "chromium")
"""The browser that reads the pages: ``chromium`` or ``firefox``."""

_BROWSERS: Final = {"chromium": "chromium", "firefox": "firefox-esr"}


def browser_program() -> str | None:
    """Return the path of the browser that the environment variable ``BROWSER`` names, as Debian calls it."""
    return shutil.which(_BROWSERS[BROWSER])


def hugo_program() -> str | None:
    """Return the path of Hugo, which its Python package installs beside the interpreter."""
    return shutil.which("hugo", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def jekyll_program() -> str | None:
    """Return the path of Jekyll, as Debian installs it."""
    return shutil.which("jekyll")


def typescript_sdk() -> Path | None:
    """Return the folder with the TypeScript SDK of the Model Context Protocol, or ``None`` without it or Node."""
    folder = Path(os.environ.get("TYPESCRIPT_SDK") or client_tools() or ROOT)
    is_there = (folder / "node_modules/@modelcontextprotocol/sdk").is_dir() and shutil.which("node")
    return folder.resolve() if is_there else None


def client_tools() -> Path | None:
    """Return the folder in which ``scripts/generated-clients`` installs generators and converters, or ``None``."""
    folder = ROOT / ".venv" / "clients"
    return folder if (folder / "version").exists() else None


_READING_PACKAGES: Final = (
    *("@mozilla/readability", "jsdom", "defuddle", "open-graph-scraper", "metascraper", "metascraper-author"),
    *("rss-parser", "@rowanmanning/feed-parser", "feedsmith", "@extractus/feed-extractor"),
)


def reading_programs() -> Path | None:
    """Return the folder with the packages of Node that read pages and feeds, or ``None`` if something is missing."""
    folder = Path(os.environ.get("READING_PROGRAMS", "artifacts/reading"))
    packages = all((folder / "node_modules" / name).is_dir() for name in _READING_PACKAGES)
    is_there = packages and shutil.which("node") and all(map(find_spec, ("extruct", "feedparser", "trafilatura")))
    return folder.resolve() if is_there else None


def eleventy_program() -> str | None:
    """Return the path of Eleventy, from the PATH or the folder that ``ELEVENTY`` names."""
    return shutil.which("eleventy", path=f"{os.environ.get('ELEVENTY', '')}{os.pathsep}{os.environ.get('PATH', '')}")


def nginx_program() -> str | None:
    """Return the path of nginx, which Debian keeps off the PATH of ordinary users."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")


def pgbouncer_program() -> str | None:
    """Return the path of PgBouncer, which Debian keeps off the PATH of ordinary users."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")


def webkit_program() -> str | None:
    """Return the path of the small browser in Debian's package ``libwebkit2gtk``, which a WebDriver can drive."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"))
    return str(found[-1]) if found else None


def can_drive_webkit() -> bool:
    """Return whether WebKit, its driver and a display are here."""
    return bool(webkit_program() and shutil.which("WebKitWebDriver") and os.environ.get("DISPLAY"))
