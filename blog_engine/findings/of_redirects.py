"""The findings of a redirect."""

from django.utils.translation import gettext_noop as _

from blog_engine.findings.base import Finding
from blog_engine.models import Redirect
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, is_in_blog, serves_redirects_outside_blog


def findings_of_redirect(row: Redirect) -> list[Finding]:
    """Return `redirect_not_served` for an old path that no request of the blog reaches, else nothing."""
    if is_in_blog(row.old_path) or serves_redirects_outside_blog():
        return []
    message = _(
        "The path is outside the blog, so readers are not redirected yet: "
        "ask the person who runs the site to add %(middleware)s to MIDDLEWARE."
    )
    return [Finding.of("redirect_not_served", None, message, "old_path", values={"middleware": REDIRECT_MIDDLEWARE})]
