"""``blog_doctor --clean-storage``: what it says of each file (docs/how-to/operate.md, Files without an image)."""

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from blog_engine.errors import Unavailable
from blog_engine.report.fault import describe_fault
from blog_engine.services.clean_storage import Leftover, find_leftovers, remove_leftover


class StorageCleaning:
    """A cleaning that tells a command's outputs what it finds and removes, a line for each file."""

    def __init__(self, command: BaseCommand) -> None:
        self._out = command.stdout
        self._err = command.stderr
        self._orphans = self._removed = self._failed = 0

    def run(self, *, dry_run: bool) -> None:
        """Name the files that no image refers to and, unless told not to, remove them; raises ``CommandError``."""
        try:
            for leftover in find_leftovers():
                if leftover.sha256 is None:
                    self._out.write(f"Not ours, left alone: {_shown(leftover.names[0])}")
                elif dry_run:
                    self._name(leftover)
                else:
                    self._remove(leftover)
        except ImproperlyConfigured as fault:
            raise CommandError(str(fault)) from fault
        except Unavailable as fault:
            raise CommandError(f"The storage cannot be listed: {describe_fault(fault.__cause__ or fault)}") from fault
        self._conclude(dry_run=dry_run)

    def _name(self, leftover: Leftover) -> None:
        self._orphans += len(leftover.names)
        for name in leftover.names:
            self._out.write(f"No image refers to {name}")

    def _remove(self, leftover: Leftover) -> None:
        removal = remove_leftover(leftover)
        self._removed += len(removal.removed)
        self._failed += len(removal.failed)
        for name in removal.removed:
            self._out.write(f"Removed {name}")
        for name, fault in removal.failed.items():
            self._err.write(f"Not removed: {name} ({describe_fault(fault)})")

    def _conclude(self, *, dry_run: bool) -> None:
        done = (
            f"Found: {self._orphans}. Removed: none, this was a dry run." if dry_run else f"Removed: {self._removed}."
        )
        self._out.write(f"Files without an image. {done}")
        if self._failed:
            raise CommandError(f"Files that could not be removed: {self._failed}.")


def _shown(name: str) -> str:
    """A name that others chose, on one line."""
    return name if name.isprintable() else ascii(name)
