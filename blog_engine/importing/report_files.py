"""The ending of an import or a restore, and the files of its report."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Final, Self

from blog_engine.archives import owner_only

FORMAT: Final = 1
"""The version of the JSON object."""


class Ending(StrEnum):
    """The ending of an import."""

    FINISHED = "finished"
    REFUSED = "refused"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(slots=True)
class RunOutcome:
    """The ending of an import or a restore, and its reason."""

    ending: Ending = Ending.FAILED
    message: str = ""
    """Why it ended before its end; empty if it did not."""

    @contextmanager
    def recording(self, *, refused: type[Exception]) -> Iterator[None]:
        """Note how the block ends.

        ``refused`` and an interruption (Ctrl+C) only end the block; any other exception is raised again.
        """
        try:
            yield
            self.ending = Ending.FINISHED
        except refused as refusal:
            self.ending, self.message = Ending.REFUSED, str(refusal)
        except KeyboardInterrupt:
            self.ending = Ending.INTERRUPTED
        except BaseException as fault:
            self.message = type(fault).__name__
            raise


class ReportFiles:
    """A JSON file and the page beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.page = path.with_suffix(".html")

    @classmethod
    def reserve(cls, path: Path) -> Self:
        """Create both files, empty. Raises ``FileExistsError`` and other ``OSError`` when that is not possible."""
        report = cls(path if path.suffix == ".json" else path.with_name(path.name + ".json"))
        open(report.path, "x", opener=owner_only).close()
        try:
            open(report.page, "x", opener=owner_only).close()
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
