"""The host's URL patterns in the order in which Django tries them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RegexPattern

_ENGINE = "blog_engine"
_OF_A_REGEX = re.compile(r"\^?((?:\\[^A-Za-z0-9]|[A-Za-z0-9/_-])*)([*?{])?")


@dataclass(frozen=True, slots=True)
class Route:
    """A pattern of the host, or the whole engine as one.

    ``start`` is the part of its path that is always the same, ``shown`` how the host wrote it; both without the
    leading slash.
    """

    start: str
    shown: str
    is_engine: bool


def shadowed_routes() -> list[str]:
    """The host's routes that nobody reaches, because they come after the engine and lie under its mount."""
    mounts: list[str] = []
    found = []
    for route in _routes_of(get_resolver().url_patterns, start="", shown="", is_fixed=True):
        if route.is_engine:
            mounts.append(route.start)
        elif any(route.start.startswith(mount) for mount in mounts):
            found.append(f"/{route.shown}")
    return found


def _routes_of(patterns: list[URLPattern | URLResolver], *, start: str, shown: str, is_fixed: bool) -> Iterator[Route]:
    """``is_fixed`` tells that the path up to here is always the same, so that ``start`` may grow."""
    for entry in patterns:
        own, is_own_fixed = _fixed_part(entry)
        whole = start + own if is_fixed else start
        written = shown + str(entry.pattern).removeprefix("^")
        if isinstance(entry, URLPattern):
            yield Route(start=whole, shown=written, is_engine=False)
        elif entry.app_name == _ENGINE:
            yield Route(start=whole, shown=written, is_engine=True)
        else:
            yield from _routes_of(entry.url_patterns, start=whole, shown=written, is_fixed=is_fixed and is_own_fixed)


def _fixed_part(entry: URLPattern | URLResolver) -> tuple[str, bool]:
    """What every path of a pattern starts with, and whether that is all of it."""
    written = str(entry.pattern)
    if isinstance(entry.pattern, RegexPattern):
        return _fixed_part_of_regex(written)
    fixed, variable, _ = written.partition("<")
    return fixed, not variable


def _fixed_part_of_regex(regex: str) -> tuple[str, bool]:
    if "|" in regex:
        return "", False
    found = _OF_A_REGEX.match(regex)
    fixed, repeated = found.groups() if found else ("", None)
    whole = found is not None and found.end() == len(regex.removesuffix("$"))
    if repeated:
        fixed = fixed[:-2] if fixed[-2:-1] == "\\" else fixed[:-1]
    return re.sub(r"\\(.)", r"\1", fixed), whole and not repeated
