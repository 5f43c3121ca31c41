"""Base classes of commands: input as ``KEY=VALUE`` or ``--key value`` (host.commands), and ``EVERY=seconds``."""

import signal
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from queue import Empty, SimpleQueue
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, ClassVar, Final, Self

from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, close_old_connections, connections
from django.utils import timezone

from blog_engine.actor import Actor, Call, Scope
from blog_engine.conf import get_settings
from blog_engine.doctor.base import describe_fault
from blog_engine.queries.database import refusal_of_database


@dataclass(frozen=True, slots=True)
class Key:
    """An input of a command: ``EXPIRES_AT`` is ``EXPIRES_AT=…`` or ``--expires-at …``.

    The option of a switch takes no value: ``JSON`` for ``JSON=true`` and ``--json``.
    """

    name: str
    help: str
    is_switch: bool = False

    @property
    def option(self) -> str:
        return "--" + self.name.lower().replace("_", "-")

    @property
    def destination(self) -> str:
        return self.name.lower()


class KeyValueCommand(BaseCommand):
    """The base class of commands: subclasses declare ``keys`` and implement ``run``."""

    keys: ClassVar[tuple[Key, ...]] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        names = ", ".join(f"{key.name}={key.option.removeprefix('--')}" for key in self.keys)
        parser.add_argument("pairs", nargs="*", metavar="KEY=VALUE", help=f"the same as the options: {names}")
        for key in self.keys:
            if key.is_switch:
                parser.add_argument(key.option, help=key.help, action="store_const", const="true")
            else:
                parser.add_argument(key.option, help=key.help)

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the system checks and the command; report an unreachable database."""
        try:
            return super().execute(*args, **options)
        except (OperationalError, InterfaceError) as fault:
            if refusal_of_database(fault) is None:
                raise
            raise CommandError(database_message(fault)) from fault

    def handle(self, *args: Any, **options: Any) -> None:
        given = {key.name: options[key.destination] for key in self.keys if options[key.destination] is not None}
        for pair in options["pairs"]:
            name, value = self._split(pair)
            if name in given:
                raise CommandError(f"{name} is given twice.")
            given[name] = value
        self.run({name: str(value) for name, value in given.items()}, options)

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        """Do the work; ``given`` has the values of keys, ``options`` all options."""
        raise NotImplementedError

    def _split(self, pair: str) -> tuple[str, str]:
        written, equals, value = pair.partition("=")
        name = written.upper().replace("-", "_")
        known = [key.name for key in self.keys]
        if not equals or name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean {near[0]}=…?" if near else f"The keys are {', '.join(known) or 'none'}."
            raise CommandError(f"{written} is not a KEY=VALUE of this command. {hint}")
        return name, value


def database_message(fault: Exception) -> str:
    """Return the message about a database that is busy or out of reach."""
    return f"The database did not answer: {describe_fault(fault)}"


def reading_call(command: str) -> Call:
    """Return the call of a command that reads what an operation answers."""
    return Call(Actor(command, [Scope.READ], command), timezone.now(), base_url=get_settings().public_base_url or "")


def is_on(given: dict[str, str], name: str) -> bool:
    """Return whether a switch is on; raise ``CommandError`` for a faulty value."""
    word = given.get(name, "false").lower()
    if word not in ("true", "false", "1", "0"):
        raise CommandError(f"{name} must be true or false.")
    return word in ("true", "1")


_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class StopRequest:
    """A context in which the first SIGTERM or SIGINT only requests a stop.

    The second one acts as before. Outside the main thread, where Python handles no signals, nothing changes.
    """

    def __init__(self) -> None:
        self.is_requested = False
        """Whether a stop was requested."""
        # Unlike a threading.Event, a SimpleQueue is safe to use in a signal handler that interrupts its wait.
        self._asked: SimpleQueue[None] = SimpleQueue()
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        if current_thread() is main_thread():
            self._before = {each: signal.signal(each, self._ask) for each in _SIGNALS}
        return self

    def __exit__(self, *fault: object) -> None:
        self._restore()

    def wait(self, seconds: float) -> None:
        """Wait for ``seconds`` or until a stop is requested."""
        with suppress(Empty):
            self._asked.get(timeout=seconds)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        self.is_requested = True
        self._asked.put(None)
        self._restore()

    def _restore(self) -> None:
        for each, handler in self._before.items():
            signal.signal(each, handler)


class RepeatingCommand(KeyValueCommand):
    """The base class of commands with the key ``EVERY``: subclasses implement ``run_once`` and ``steps``."""

    # The continuous form starts without a database: with Django 6.1 some system checks query SQLite.
    requires_system_checks = ()

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        if "EVERY" in given:
            self._keep_running(pause=_seconds(given["EVERY"]))
        else:
            self.run_once(given)

    def run_once(self, given: dict[str, str]) -> None:
        """Do and report what is due; raise ``CommandError`` for what was left."""
        raise NotImplementedError

    def steps(self) -> Iterator[None]:
        """Do and report what is due, and yield after each part that must not be interrupted."""
        raise NotImplementedError

    def _keep_running(self, *, pause: int) -> None:
        """Do what is due at intervals until SIGTERM or SIGINT; finish a step first."""
        with StopRequest() as stop:
            while not stop.is_requested:
                self._do_due(stop)
                stop.wait(pause)

    def _do_due(self, stop: StopRequest) -> None:
        """Do what is due; report an unreachable database and continue."""
        close_old_connections()
        try:
            for _ in self.steps():
                if stop.is_requested:
                    return
        except (OperationalError, InterfaceError) as fault:
            self.stderr.write(database_message(fault))
            connections.close_all()


def _seconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= len(text) <= 6 or int(text) == 0:
        raise CommandError("EVERY must be a whole number of seconds from 1 to 999999.")
    return int(text)
