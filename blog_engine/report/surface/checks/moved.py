"""Former addresses lead where the redirects say (records.md 16: T4)."""

from collections.abc import Iterator

from django.db.models import Min

from blog_engine.blog_urls import public_path
from blog_engine.models import Baseline, Redirect
from blog_engine.queries.dates import iso_date
from blog_engine.queries.redirects import redirects
from blog_engine.report.surface.inspection import Inspection
from blog_engine.report.surface.observation import Observation, Row, failed, not_applicable, not_verified, passed
from blog_engine.report.surface.quoting import cut
from blog_engine.report.surface.site import Page, Site
from blog_engine.report.surface.targets import redirect_target, same_url
from blog_engine.report.surface.web import MOST_URLS

_MOVED = (301, 308)
_GONE = (404, 410)


def redirect_rows(inspection: Inspection) -> Iterator[Row]:
    """One row for each stored redirect, the oldest first, as far as the bounds of a report allow.

    From there on one row stands for all the rest. Redirects outside the mount are asked for like the others: nothing
    but ``RedirectMiddleware`` serves them.
    """
    site, total = inspection.site, redirects().count()
    if not total:
        yield Row("T4", not_applicable(f"No redirect is stored. {_import_start()}"))
    # No more can be asked for, and the one after them says so.
    for position, row in enumerate(redirects()[: MOST_URLS + 1]):
        page = _asked(public_path(row.old_path), site=site)
        if page.status is None and (site.web.limitations or not site.has_address):
            yield Row("T4", _not_asked(total - position, site=site))
            return
        yield Row("T4", _seen(row, page, site=site))


def _import_start() -> str:
    first = Baseline.objects.aggregate(first=Min("adopted_at"))["first"]
    if first is None:
        return "An import brings them along: it starts with POST /adoptions, whose old_slugs are former addresses."
    return f"The import of articles started on {iso_date(first)}; old_slugs of POST /adoptions are former addresses."


def _asked(path: str, *, site: Site) -> Page:
    """What the path answers; the blog takes a slash at its end off before it looks where the page is."""
    page = site.open(path)
    target = redirect_target(page)
    is_slash = path.endswith("/") and target is not None and same_url(target, page.url.removesuffix("/"))
    return site.open(str(target)) if is_slash and page.status in _MOVED else page


def _seen(row: Redirect, page: Page, *, site: Site) -> Observation:
    path, details = cut(row.old_path), {"path": row.old_path}
    if page.status is None:
        return not_verified(f"{path} could not be fetched.", details=details)
    if row.new_path is None:
        if page.status in _GONE:
            return passed(f"{path} was removed and answers {page.status}.", details=details)
        return failed(f"{path} was removed, but answers {page.status}.", details=details)
    expected = site.urls.absolute(public_path(row.new_path))
    found = redirect_target(page)
    if page.status not in _MOVED or found is None:
        reason = f"{path} answers {page.status} and should lead to {cut(expected)} for good."
    elif not same_url(found, expected) and not (_is_text(row) and same_url(found, f"{expected}.md")):
        reason = f"{path} leads to {cut(found)} and should lead to {cut(expected)}."
    else:
        return passed(f"{path} leads to {cut(expected)}.", details=details)
    return failed(reason, details=details)


def _is_text(row: Redirect) -> bool:
    """Whether this is the Markdown text of an article: it leads to that of another one (decisions.md 7.5)."""
    return row.old_path.endswith(".md")


def _not_asked(count: int, *, site: Site) -> Observation:
    why = site.web.limitations[0] if site.web.limitations else "public_base_url is not set."
    which = "1 redirect was" if count == 1 else f"{count} redirects were"
    return not_verified(f"{which} not asked for: {why}", details={"redirects": count})
