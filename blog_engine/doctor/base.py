"""What a probe is given and returns."""

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from blog_engine.conf import BlogSettings, get_settings
from blog_engine.enums import CheckStatus
from blog_engine.queries.database import missing_tables


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
class SelfCheck:
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


LONGEST = 300
"""Characters of an exception's own text that are shown."""

_SECRET_NAME = re.compile("passw|secret|token|credential|signature|(access|account|api|private)_?key", re.IGNORECASE)
_USER_INFO = re.compile(r"//[^/\s]*@")
_SHORTEST_SECRET = 4


def describe_fault(fault: BaseException) -> str:
    """The class and the text of an exception.

    The text never has the user part of an address, nor a value that the host's settings keep under a name such as
    ``PASSWORD`` or ``SECRET_KEY``.
    """
    text = " ".join(str(fault).split())
    for secret in sorted(set(_secrets()), key=len, reverse=True):
        text = text.replace(secret, "…")
    text = _USER_INFO.sub("//…@", text)
    shown = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return f"{type(fault).__name__}: {shown}" if shown else type(fault).__name__


def _secrets() -> Iterator[str]:
    for name, value in _all_settings().items():
        yield from _secrets_in(value, is_secret=bool(_SECRET_NAME.search(name)))


def _all_settings() -> dict[str, object]:
    with warnings.catch_warnings():
        # Django warns whoever reads a setting that it is about to drop, such as EMAIL_BACKEND in 6.1.
        warnings.simplefilter("ignore")
        return {name: getattr(settings, name) for name in dir(settings) if name.isupper()}


def _secrets_in(value: object, *, is_secret: bool) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _secrets_in(inner, is_secret=is_secret or bool(_SECRET_NAME.search(str(key))))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _secrets_in(inner, is_secret=is_secret)
    elif isinstance(value, str) and is_secret and len(value) >= _SHORTEST_SECRET:
        yield value
