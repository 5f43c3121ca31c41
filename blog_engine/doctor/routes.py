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
from blog_engine.doctor.base import SelfCheck, Verdict, Visit, listed, verdict
from blog_engine.queries.database import missing_tables
from blog_engine.queries.posts import hidden_posts
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, redirects_outside_blog, serves_redirects_outside_blog

_UNAUTHENTICATED = 401


class FoundEndpoint(NamedTuple):
    """What is wrong with the endpoint, what could not be looked at, and what its clients see."""

    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seen: str = ""


def look_at_agent_endpoint() -> FoundEndpoint:
    """Ask the view that Django finds at the path of the endpoint to check itself."""
    path = reverse("blog_engine:mcp")
    try:
        is_enabled, hook = get_settings().mcp.enabled, authenticate_hook()
    except ImproperlyConfigured:
        return FoundEndpoint(warnings=("What agents see is not known: the settings have faults. See Configuration.",))
    if not is_enabled:
        return FoundEndpoint(seen=f"The agent endpoint {path} is switched off (mcp.enabled): clients see 404.")
    view = resolve(unquote(path.removeprefix(script_name()))).func
    self_check: Callable[[], SelfCheck] | None = getattr(view, "self_check", None)
    if self_check is None:
        return FoundEndpoint(
            (f"Agents that ask {path} reach another view of the host. Move that one to another address.",)
        )
    found = self_check()
    faults = (f"An agent that asks {path} fails: {fault}." for fault in found.faults)
    # A hook of the host decides for itself, and is not called for nothing.
    return FoundEndpoint(
        (*faults, *(() if hook else _open_door(view, path))), seen=f"Agents at {path} see {found.seen}."
    )


def _open_door(view: Callable[[HttpRequest], object], path: str) -> tuple[str, ...]:
    """A fault, when nobody asks for a token."""
    request = HttpRequest()
    request.method, request.path = "POST", path
    status = getattr(view(request), "status_code", None)
    return () if status == _UNAUTHENTICATED else (f"Without a token an agent that asks {path} sees {status}.",)


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


_NOT_MOUNTED = 'The blog is not mounted: add path("blog/", include("blog_engine.urls")) to the URL patterns.'


def probe_route(visit: Visit) -> Verdict:
    """The engine is mounted and hides neither pages nor posts; agents reach it; redirects outside it are served."""
    place = _mount_or_none()
    if place is None:
        return verdict(errors=[_NOT_MOUNTED], well="")
    shown = place or "/"
    agents = look_at_agent_endpoint()
    return verdict(
        errors=[*_hidden(shown), *_hidden_posts(), *agents.errors],
        warnings=[*_unserved(shown), *agents.warnings],
        well=f"The blog is mounted at {shown}. {agents.seen}",
    )


def _mount_or_none() -> str | None:
    if not getattr(settings, "ROOT_URLCONF", None):
        return None
    try:
        return mount()
    except NoReverseMatch:
        return None


def _hidden(place: str) -> list[str]:
    routes = shadowed_routes()
    if not routes:
        return []
    return [
        f"Pages of the host that nobody reaches, because the blog at {place} comes before them: {listed(routes)}. "
        "Move them above it in the URL patterns."
    ]


def _hidden_posts() -> list[str]:
    slugs = [] if settings_faults() or missing_tables() else hidden_posts()
    if not slugs:
        return []
    return [
        f"Posts that readers cannot reach, because route_segments has their slugs: {listed(slugs)}. "
        "Choose other segments, or give these posts other slugs under the old ones."
    ]


def _unserved(place: str) -> list[str]:
    if serves_redirects_outside_blog() or missing_tables():
        return []
    outside = redirects_outside_blog()
    if not outside:
        return []
    return [
        f"Redirects of addresses outside {place} that are not served: {listed(outside, at_most=5)}. "
        f"Add {REDIRECT_MIDDLEWARE} to MIDDLEWARE."
    ]
