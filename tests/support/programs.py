"""Programs that tests run in processes of their own, with an environment that no failure prints.

An environment may hold passwords, and pytest shows the arguments of every function on the way to a failure, those of
``subprocess`` too.
"""

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

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
