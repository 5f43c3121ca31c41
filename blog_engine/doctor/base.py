"""Arguments and results of probes, and their descriptions of exceptions."""

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

MAX_TEXT = 300
"""Characters that are shown of the text of an exception."""
_SECRET_NAME = re.compile("passw|secret|token|credential|signature|(access|account|api|private)_?key", re.IGNORECASE)
_USER_INFO = re.compile(r"//[^/\s]*@")
_SHORTEST_SECRET = 4


@dataclass(frozen=True, slots=True)
class ProbeContext:
    """The context of all probes of one run."""

    now: datetime
    newest_posts: int | None
    """Public posts that are recomputed, the most recently changed first; ``None`` for all."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a probe: every problem with its remedy, or that all is well."""

    status: CheckStatus
    message: str


class ProbeSkipped(Exception):
    """A probe cannot run until a problem that another probe reports is fixed."""


def verdict(*, errors: Sequence[str] = (), warnings: Sequence[str] = (), ok: str) -> Verdict:
    """Return the worst status with all problems, or ``ok`` if there are none."""
    if errors:
        return Verdict(CheckStatus.ERROR, " ".join([*errors, *warnings]))
    if warnings:
        return Verdict(CheckStatus.WARNING, " ".join(warnings))
    return Verdict(CheckStatus.OK, ok)


def enumeration(items: Sequence[object], *, at_most: int = 20) -> str:
    """Return the items in one line; of many the first ones and how many more."""
    more = len(items) - at_most
    return ", ".join(map(str, items[:at_most])) + (f" and {more} more" if more > 0 else "")


def valid_settings() -> BlogSettings:
    """Return the settings. Raises ``ProbeSkipped`` while they have faults."""
    try:
        return get_settings()
    except ImproperlyConfigured as faults:
        raise ProbeSkipped("the settings have faults. See Configuration.") from faults


def require_tables() -> None:
    """Raise ``ProbeSkipped`` while a table of the engine is missing."""
    if missing_tables():
        raise ProbeSkipped("tables are missing. See Migrations.")


def describe_fault(fault: BaseException) -> str:
    """Return the class and the text of an exception, without secrets.

    The user part of URLs is left out, and so are the values of settings whose names are like ``PASSWORD`` or
    ``SECRET_KEY`` (``doctor.secrets``).
    """
    text = " ".join(str(fault).split())
    for secret in sorted(set(_secrets()), key=len, reverse=True):
        text = text.replace(secret, "…")
    text = _USER_INFO.sub("//…@", text)
    shown = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
    return f"{type(fault).__name__}: {shown}" if shown else type(fault).__name__


def _secrets() -> Iterator[str]:
    for name, value in _all_settings().items():
        yield from _secrets_in(value, is_secret=bool(_SECRET_NAME.search(name)))


def _all_settings() -> dict[str, object]:
    with warnings.catch_warnings():
        # Reading a deprecated setting warns, such as EMAIL_BACKEND in Django 6.1.
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
