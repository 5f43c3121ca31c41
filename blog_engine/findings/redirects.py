"""Findings of redirects: what readers of their paths do not find."""

from collections.abc import Sequence, Set
from datetime import datetime

from django.utils.translation import gettext_noop as _

from blog_engine.findings.base import Finding
from blog_engine.models import Redirect
from blog_engine.queries.links import paths_without_page
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, is_in_blog, serves_redirects_outside_blog


def findings_of_redirects(rows: Sequence[Redirect], *, now: datetime) -> list[list[Finding]]:
    """Return of each redirect why readers of its path find nothing, if they do not (redirects.findings).

    At most one query, whatever the number of redirects.
    """
    unserved = paths_without_page({row.new_path for row in rows if row.new_path}, now=now)
    return [[*_not_served(row), *_leads_nowhere(row, unserved)] for row in rows]


def _leads_nowhere(row: Redirect, unserved: Set[str]) -> list[Finding]:
    if row.new_path not in unserved:
        return []
    message = _("Readers find no page at the target: check it, or publish the page there.")
    return [Finding.of("redirect_target_missing", None, message, "new_path")]


def _not_served(row: Redirect) -> list[Finding]:
    if is_in_blog(row.old_path) or serves_redirects_outside_blog():
        return []
    message = _(
        "The path is outside the blog, so readers are not redirected yet: "
        "ask the person who runs the site to add %(middleware)s to MIDDLEWARE."
    )
    return [Finding.of("redirect_not_served", None, message, "old_path", values={"middleware": REDIRECT_MIDDLEWARE})]
