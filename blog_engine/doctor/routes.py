"""Probes of the URL configuration and the agent endpoint."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, resolve, reverse
from django.urls.resolvers import RegexPattern

from blog_engine.blog_urls import mount, script_name
from blog_engine.conf import authenticate_hook, get_settings, settings_faults
from blog_engine.doctor.base import ProbeContext, SelfCheck, Verdict, enumeration, verdict
from blog_engine.queries.database import missing_tables
from blog_engine.queries.posts import hidden_posts
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, redirects_outside_blog, serves_redirects_outside_blog

_UNAUTHENTICATED = 401
_ENGINE = "blog_engine"
_OF_A_REGEX = re.compile(r"\^?((?:\\[^A-Za-z0-9]|[A-Za-z0-9/_-])*)([*?{])?")
_NOT_MOUNTED = 'The blog is not mounted. Add path("blog/", include("blog_engine.urls")) to the URL patterns.'


class _AgentEndpoint(NamedTuple):
    """The faults of the agent endpoint and what its clients see, as sentences."""

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seen: str = ""


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
    agents = _inspect_agent_endpoint()
    return verdict(
        errors=[*_hidden_pages(shown), *_hidden_posts(), *agents.errors],
        warnings=[*_unserved_redirects(shown), *agents.warnings],
        ok=f"The blog is mounted at {shown}. {agents.seen}",
    )


def _mount_or_none() -> str | None:
    if not getattr(settings, "ROOT_URLCONF", None):
        return None
    try:
        return mount()
    except NoReverseMatch:
        return None


def _hidden_pages(place: str) -> list[str]:
    routes = _shadowed_routes()
    if not routes:
        return []
    return [
        f"Pages of the host are hidden, because the blog at {place} comes before them: {enumeration(routes)}. "
        "Move them above the blog in the URL patterns."
    ]


def _hidden_posts() -> list[str]:
    slugs = [] if settings_faults() or missing_tables() else hidden_posts()
    if not slugs:
        return []
    return [
        f"Readers cannot reach posts, because the blog itself uses their paths: {enumeration(slugs)}. "
        "Give these posts other slugs; a slug that is in route_segments is free again with the old segments."
    ]


def _unserved_redirects(place: str) -> list[str]:
    if serves_redirects_outside_blog() or missing_tables():
        return []
    outside = redirects_outside_blog()
    if not outside:
        return []
    return [
        f"Redirects of paths outside {place} are not served: {enumeration(outside, at_most=5)}. "
        f"Add {REDIRECT_MIDDLEWARE} to MIDDLEWARE."
    ]


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


def _inspect_agent_endpoint() -> _AgentEndpoint:
    """Run the self-check of the view that Django finds at the path of the endpoint."""
    path = reverse("blog_engine:mcp")
    try:
        is_enabled, hook = get_settings().mcp.enabled, authenticate_hook()
    except ImproperlyConfigured:
        return _AgentEndpoint(
            warnings=("What agents see is unknown, because the settings have faults. See Configuration.",)
        )
    if not is_enabled:
        return _AgentEndpoint(seen=f"The agent endpoint {path} is switched off (mcp.enabled): clients see 404.")
    view = resolve(unquote(path.removeprefix(script_name()))).func
    self_check: Callable[[], SelfCheck] | None = getattr(view, "self_check", None)
    if self_check is None:
        return _AgentEndpoint(
            (f"Another view of the host has the path {path} of the agent endpoint. Move that view to another path.",)
        )
    found = self_check()
    faults = (f"A call of the agent endpoint {path} fails: {fault}." for fault in found.faults)
    # An authenticate hook may have side effects, so it is not called.
    return _AgentEndpoint(
        (*faults, *(() if hook else _missing_authentication(view, path))), seen=f"Agents at {path} see {found.seen}."
    )


def _missing_authentication(view: Callable[[HttpRequest], object], path: str) -> tuple[str, ...]:
    """Return a fault if the endpoint answers a request without a token."""
    request = HttpRequest()
    request.method, request.path = "POST", path
    status = getattr(view(request), "status_code", None)
    return (
        ()
        if status == _UNAUTHENTICATED
        else (f"A call of the agent endpoint {path} without a token gets {status} instead of 401.",)
    )
