"""Commands whose input is written ``KEY=VALUE`` or ``--key value``, as their users like (decisions.md 2)."""

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
    """An input of a command: ``EXPIRES_AT`` is ``EXPIRES_AT=…`` and ``--expires-at …``.

    A switch takes no value as an option: ``JSON`` is ``JSON=true`` and ``--json``.
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
    """Base of our commands: a subclass declares ``keys`` and implements ``run``."""

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
        """Run the command and the system checks before it, which may ask the database, too."""
        try:
            return super().execute(*args, **options)
        except (OperationalError, InterfaceError) as fault:
            if refusal_of_database(fault) is None:
                raise
            raise CommandError(database_away(fault)) from fault

    def handle(self, *args: Any, **options: Any) -> None:
        given = {key.name: options[key.destination] for key in self.keys if options[key.destination] is not None}
        for pair in options["pairs"]:
            name, value = self._split(pair)
            if name in given:
                raise CommandError(f"{name} is given twice.")
            given[name] = value
        self.run({name: str(value) for name, value in given.items()}, options)

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        """Do the work; ``given`` has the keys that were sent, ``options`` also the flags."""
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


def database_away(fault: Exception) -> str:
    """What an operator is told of a database that is busy or out of reach."""
    return f"The database did not answer: {describe_fault(fault)}"


def is_on(given: dict[str, str], name: str) -> bool:
    """Whether a switch was given and not as ``false``; raises ``CommandError`` for another word."""
    word = given.get(name, "false").lower()
    if word not in ("true", "false"):
        raise CommandError(f"{name} is true or false.")
    return word == "true"
