"""The files of a report, whatever it is about."""

from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Final, Self

FORMAT: Final = 1
"""The version of the JSON object."""


class Ending(StrEnum):
    """How an import ended."""

    FINISHED = "finished"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class ReportFiles:
    """A JSON file and the page beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.page = path.with_suffix(".html")

    @classmethod
    def reserve(cls, path: Path) -> Self:
        """Create both files, empty. Raises ``FileExistsError`` and other ``OSError`` when that is not possible."""
        report = cls(path if path.suffix == ".json" else path.with_name(path.name + ".json"))
        report.path.open("x").close()
        try:
            report.page.open("x").close()
        except OSError:
            report.path.unlink()
            raise
        return report

    @classmethod
    def reserve_unused(cls, folder: Path, *, now: datetime) -> Self:
        """Create both files in a folder, named by the time."""
        name = f"import-report-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
        for number in count(1):
            with suppress(FileExistsError):
                return cls.reserve(folder / f"{name if number == 1 else f'{name}-{number}'}.json")
        raise AssertionError("There is always another number.")
