"""What checks are given and what they give back (records.md 15)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ImproperlyConfigured

from blog_engine.conf import BlogSettings, get_settings
from blog_engine.queries.database import missing_tables
from blog_engine.vocabulary import CheckStatus


@dataclass(frozen=True, slots=True)
class Visit:
    """One look at the installation; ``newest_posts`` is how many public posts are recomputed, ``None`` for all."""

    now: datetime
    newest_posts: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found: what is wrong and what to do, or what is well."""

    status: CheckStatus
    message: str


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a client of the agent endpoint would see, and what would go wrong for it."""

    seen: str
    faults: tuple[str, ...]


class CannotRun(Exception):
    """A check has nothing to look at before something that another check reports is mended."""


def verdict(*, errors: Sequence[str] = (), warnings: Sequence[str] = (), well: str) -> Verdict:
    """The worst of what was found, with every problem as a sentence, errors first; without any, ``well``."""
    if errors:
        return Verdict(CheckStatus.ERROR, " ".join([*errors, *warnings]))
    if warnings:
        return Verdict(CheckStatus.WARNING, " ".join(warnings))
    return Verdict(CheckStatus.OK, well)


def listed(things: Sequence[str], *, at_most: int = 20) -> str:
    """The things in one line; of many only the first, and how many more there are."""
    more = len(things) - at_most
    return ", ".join(things[:at_most]) + (f" and {more} more" if more > 0 else "")


def sound_settings() -> BlogSettings:
    """The settings of the host; raises ``CannotRun`` while they have faults."""
    try:
        return get_settings()
    except ImproperlyConfigured as faults:
        raise CannotRun("the settings have faults. See Configuration.") from faults


def require_tables() -> None:
    """Raise ``CannotRun`` while a table of the engine is missing."""
    if missing_tables():
        raise CannotRun("tables are missing. See Migrations.")
