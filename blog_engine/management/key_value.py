"""Commands that take input as ``KEY=VALUE`` or ``--key value`` (host.commands)."""

from argparse import ArgumentParser
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError

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


def is_on(given: dict[str, str], name: str) -> bool:
    """Return whether a switch is on; raise ``CommandError`` for a faulty value."""
    word = given.get(name, "false").lower()
    if word not in ("true", "false", "1", "0"):
        raise CommandError(f"{name} must be true or false.")
    return word in ("true", "1")
