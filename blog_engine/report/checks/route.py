"""Requests reach the blog, and the host's own pages (records.md 15, Route; decisions.md 9.15)."""

from django.conf import settings
from django.urls import NoReverseMatch

from blog_engine.addresses import mount
from blog_engine.conf import settings_faults
from blog_engine.queries.database import missing_tables
from blog_engine.queries.posts import hidden_posts
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, redirects_outside_blog, serves_redirects_outside_blog
from blog_engine.report.base import Verdict, Visit, listed, verdict
from blog_engine.report.checks._agent_endpoint import look_at_agent_endpoint
from blog_engine.report.checks._url_patterns import shadowed_routes

_NOT_MOUNTED = 'The blog is not mounted: add path("blog/", include("blog_engine.urls")) to the URL patterns.'


def check_route(visit: Visit) -> Verdict:
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
