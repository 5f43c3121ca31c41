"""Findings about redirects that an editor records."""

from blog_engine.models import Redirect
from blog_engine.queries.findings.base import Finding
from blog_engine.queries.redirects import is_in_blog
from blog_engine.queries.redirects_outside import REDIRECT_MIDDLEWARE, serves_redirects_outside_blog


def findings_of_redirect(row: Redirect) -> list[Finding]:
    """Return `redirect_not_served` for an old path that no request of the blog reaches, else nothing."""
    if is_in_blog(row.old_path) or serves_redirects_outside_blog():
        return []
    message = (
        "The path is outside the blog, so readers are not redirected yet: "
        f"ask the person who runs the site to add {REDIRECT_MIDDLEWARE} to MIDDLEWARE."
    )
    return [Finding("redirect_not_served", None, message, "old_path")]
