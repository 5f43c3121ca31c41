"""Probe of the URL configuration and the agent endpoint."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.urls import NoReverseMatch, Resolver404, URLPattern, URLResolver, get_resolver, resolve
from django.urls.resolvers import RegexPattern

from blog_engine.blog_urls import mount
from blog_engine.conf import issues_tokens, settings_faults
from blog_engine.doctor.agents import inspect_agent_endpoint
from blog_engine.doctor.base import ProbeContext, Verdict, enumeration, verdict
from blog_engine.queries.database import missing_tables
from blog_engine.queries.posts import hidden_posts
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, redirects_outside_blog, serves_redirects_outside_blog

_ENGINE = "blog_engine"
_OF_A_REGEX = re.compile(r"\^?((?:\\[^A-Za-z0-9]|[A-Za-z0-9/_-])*)([*?{])?")
_WELL_KNOWN = "/.well-known"
_NOT_MOUNTED = 'The blog is not mounted. Add path("blog/", include("blog_engine.urls")) to the URL patterns.'


@dataclass(frozen=True, slots=True)
class _Route:
    """A URL pattern of the host, or the whole engine as one."""

    start: str
    """The fixed start of its paths, without the leading slash."""
    shown: str
    """The pattern as the host wrote it."""
    is_engine: bool


def probe_route(context: ProbeContext) -> Verdict:
    """Report hidden pages and posts, a broken agent endpoint, unserved redirects."""
    place = _mount_or_none()
    if place is None:
        return verdict(errors=[_NOT_MOUNTED], ok="")
    shown = place or "/"
    agents = inspect_agent_endpoint()
    return verdict(
        errors=[*_hidden_pages(shown), *_hidden_posts(), *agents.errors],
        warnings=[*_unserved_redirects(shown), *_missing_well_known(place), *agents.warnings],
        ok=f"The blog is mounted at {shown}. {agents.seen}",
    )


def _mount_or_none() -> str | None:
    if not getattr(settings, "ROOT_URLCONF", None):
        return None
    try:
        return mount()
    except NoReverseMatch:
        return None


def _hidden_pages(place: str) -> Iterator[str]:
    if routes := _shadowed_routes():
        yield (
            f"Pages of the host are hidden, because the blog at {place} comes before them: {enumeration(routes)}. "
            "Move them above the blog in the URL patterns."
        )


def _hidden_posts() -> Iterator[str]:
    if not settings_faults() and not missing_tables() and (slugs := hidden_posts()):
        yield (
            f"Readers cannot reach posts, because the blog itself uses their paths: {enumeration(slugs)}. "
            "Give these posts other slugs; a slug that is in route_segments is free again with the old segments."
        )


def _unserved_redirects(place: str) -> Iterator[str]:
    if not serves_redirects_outside_blog() and not missing_tables() and (paths := redirects_outside_blog()):
        yield (
            f"Redirects of paths outside {place} are not served: {enumeration(paths, at_most=5)}. "
            f"Add {REDIRECT_MIDDLEWARE} to MIDDLEWARE."
        )


def _missing_well_known(place: str) -> Iterator[str]:
    """Report that agents that look for the authorization server at the root of the host do not find it."""
    if settings_faults() or not issues_tokens():
        return
    paths = [f"{_WELL_KNOWN}/oauth-authorization-server{place}", f"{_WELL_KNOWN}/oauth-protected-resource{place}/mcp"]
    if hidden := [path for path in paths if not _is_served_by_engine(path)]:
        yield (
            f"Agents cannot be connected by URL, because nothing or another app answers at {enumeration(hidden)}. "
            'Add path("", include("blog_engine.mcp.well_known")) to the URL patterns of the host, above other '
            ".well-known paths."
        )


def _is_served_by_engine(path: str) -> bool:
    try:
        view = resolve(path).func
    except Resolver404:
        return False
    return str(getattr(view, "__module__", "")).startswith(f"{_ENGINE}.oauth.")


def _shadowed_routes() -> list[str]:
    """Return the host's routes below the mount that come after the engine."""
    mounts: list[str] = []
    found = []
    for route in _routes_of(get_resolver().url_patterns, start="", shown="", is_fixed=True):
        if route.is_engine:
            mounts.append(route.start)
        elif any(route.start.startswith(mount) for mount in mounts):
            found.append(f"/{route.shown}")
    return found


def _routes_of(patterns: list[URLPattern | URLResolver], *, start: str, shown: str, is_fixed: bool) -> Iterator[_Route]:
    """Yield the routes of patterns; ``is_fixed`` if ``start`` is their whole prefix."""
    for entry in patterns:
        own, is_own_fixed = _fixed_part(entry)
        whole = start + own if is_fixed else start
        written = shown + str(entry.pattern).removeprefix("^")
        if isinstance(entry, URLPattern):
            yield _Route(start=whole, shown=written, is_engine=False)
        elif entry.app_name == _ENGINE:
            yield _Route(start=whole, shown=written, is_engine=True)
        else:
            yield from _routes_of(entry.url_patterns, start=whole, shown=written, is_fixed=is_fixed and is_own_fixed)


def _fixed_part(entry: URLPattern | URLResolver) -> tuple[str, bool]:
    """Return the fixed start of a pattern, and whether it is the whole pattern."""
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
