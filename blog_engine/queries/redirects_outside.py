"""Redirects of addresses that are not the blog's (decisions.md 9.15)."""

from typing import Final

from django.conf import settings
from django.db.models.functions import Left

from blog_engine.addresses import mount
from blog_engine.models import Redirect
from blog_engine.queries.redirects import is_in_blog

REDIRECT_MIDDLEWARE: Final = "blog_engine.middleware.RedirectMiddleware"


def redirects_outside_blog() -> list[str]:
    """The old paths outside the mount, the oldest row first; they need ``RedirectMiddleware``. One query."""
    inside = f"{mount()}/"
    # Compared exactly, because LIKE of SQLite ignores case; what is left may still be the mount in another spelling.
    others = Redirect.objects.annotate(start=Left("old_path", len(inside))).exclude(start=inside)
    paths = others.order_by("id").values_list("old_path", flat=True)
    return [path for path in paths.iterator() if not is_in_blog(path)]


def serves_redirects_outside_blog() -> bool:
    """Return whether the host has the middleware that answers redirects outside the mount."""
    return REDIRECT_MIDDLEWARE in settings.MIDDLEWARE
