"""E4, E8, E16, E17 and T4: the pages of policies, and the redirects of URLs that moved."""

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import urldefrag

from django.db.models import Min

from blog_engine.blog_urls import public_path
from blog_engine.enums import PolicyKind, ReportScope
from blog_engine.models import Baseline, Redirect
from blog_engine.queries.redirects import redirects
from blog_engine.rules.dates import iso_date
from blog_engine.surface_report.observation import (
    Observation,
    Row,
    cut,
    failed,
    judged_by,
    not_applicable,
    not_verified,
    passed,
    quote,
)
from blog_engine.surface_report.site import FetchedPage, Inspection, Site, same_url
from blog_engine.surface_report.web import MOST_URLS

_POLICIES: Final[Mapping[str, tuple[PolicyKind, str]]] = {
    "E8": (PolicyKind.CORRECTIONS, "The policy on corrections"),
    "E16": (PolicyKind.EDITORIAL, "The editorial policy"),
    "E17": (PolicyKind.AI_USE, "The policy on the use of AI"),
}
_RESPONSIBLE: Final = "The page of the responsible party"
_MOVED: Final = (301, 308)
_GONE: Final = (404, 410)


def policy_rows(inspection: Inspection) -> Iterator[Row]:
    """Yield E4, once for each article if articles are inspected, then E8, E16 and E17."""
    urls = inspection.policies
    yield from _responsible_party(urls.get(PolicyKind.RESPONSIBLE_PARTY), inspection)
    for predicate, (kind, what) in _POLICIES.items():
        url = urls.get(kind)
        yield Row(predicate, _closed_policy(url, what, kind, site=inspection.site) or passed(f"{what} opens at {url}."))


def redirect_rows(inspection: Inspection) -> Iterator[Row]:
    """Yield T4 for each stored redirect, the oldest first (surface-report.t4)."""
    site, total = inspection.site, redirects().count()
    if not total:
        first = Baseline.objects.aggregate(first=Min("adopted_at"))["first"]
        imports = f"The import of articles started on {iso_date(first)}" if first else "No article was imported"
        reason = f"No redirect is stored. {imports}; old_slugs of POST /adoptions become redirects."
        yield Row("T4", not_applicable(reason))
    # No more can be requested, and the one after them says so.
    for position, row in enumerate(redirects()[: MOST_URLS + 1]):
        page = _requested(public_path(row.old_path), site=site)
        if page.status is None and (site.web.limitations or not site.is_reachable):
            yield Row("T4", _not_requested(total - position, site=site))
            return
        yield Row("T4", _judge_redirect(row, page, site=site))


def _responsible_party(url: str | None, inspection: Inspection) -> Iterator[Row]:
    site = inspection.site
    if closed := _closed_policy(url, _RESPONSIBLE, PolicyKind.RESPONSIBLE_PARTY, site=site):
        ids = [article.id for article in inspection.articles]
        yield from (Row("E4", closed, post_id) for post_id in ids or (None,))
    elif inspection.scope is ReportScope.SITE or not inspection.articles:
        yield Row("E4", _linked_from_all(str(url), inspection))
    else:
        for article in inspection.articles:
            yield Row("E4", _linked_from(article.page, str(url), site=site), article.id)


def _closed_policy(url: str | None, what: str, kind: PolicyKind, *, site: Site) -> Observation | None:
    """Return the observation of a policy whose page does not open; ``None`` when it does."""
    if not site.is_reachable:
        return not_verified(f"{what} could not be fetched: public_base_url is not set.")
    if url is None:
        return failed(f"{what} does not exist: publish a page of the kind {kind} or set policy_urls.")
    if not site.urls.absolute(url).startswith(("http://", "https://")):
        return failed(f"{what} has the URL {quote(url)}, which is neither a path of the site nor an http(s) URL.")
    page = site.open(url)
    return None if page.is_open else page.unavailable(f"{what} at {cut(page.url)}")


def _linked_from(page: FetchedPage, url: str, *, site: Site) -> Observation:
    if not page.is_open:
        return page.unavailable("The article page")
    if _links_to(page, url, site=site):
        return passed(f"{_RESPONSIBLE} opens, and the article links to it.")
    return failed(f"{_RESPONSIBLE} opens, but no visible link of the article leads to {cut(site.urls.absolute(url))}.")


def _linked_from_all(url: str, inspection: Inspection) -> Observation:
    site = inspection.site
    pages = {record.post.slug: site.open_post(record) for record in inspection.posts}
    unseen = [slug for slug, page in pages.items() if page.status is None]
    closed = [slug for slug, page in pages.items() if page.status is not None and not page.is_open]
    without = [slug for slug, page in pages.items() if page.is_open and not _links_to(page, url, site=site)]
    return judged_by(
        [f"The page of {slug} answered {pages[slug].status}." for slug in closed]
        + [f"No visible link of {slug} leads to it." for slug in without],
        [f"The page of {slug} could not be fetched." for slug in unseen],
        well=f"{_RESPONSIBLE} opens" + (f", and each of the {len(pages)} articles links to it." if pages else "."),
        details={"articles": [*closed, *without, *unseen]} if closed or without or unseen else None,
    )


def _links_to(page: FetchedPage, url: str, *, site: Site) -> bool:
    wanted = urldefrag(site.urls.absolute(url)).url
    links = (link for link in page.html.all("a") if "href" in link.attrs)
    found = (link for link in links if urldefrag(page.target_of(link.attrs["href"]) or "").url == wanted)
    return any(not link.is_hidden() for link in found)


def _requested(path: str, *, site: Site) -> FetchedPage:
    """Return the answer of a path; the blog removes a trailing slash before it looks for the page."""
    page = site.open(path)
    target = page.redirect_target
    is_slash = path.endswith("/") and target is not None and same_url(target, page.url.removesuffix("/"))
    return site.open(str(target)) if is_slash and page.status in _MOVED else page


def _judge_redirect(row: Redirect, page: FetchedPage, *, site: Site) -> Observation:
    path, details = cut(row.old_path), {"path": row.old_path}
    if page.status is None:
        return not_verified(f"{path} could not be fetched.", details=details)
    if row.new_path is None:
        if page.status in _GONE:
            return passed(f"{path} was removed and answers {page.status}.", details=details)
        return failed(f"{path} was removed, but answers {page.status}.", details=details)
    expected = site.urls.absolute(public_path(row.new_path))
    found = page.redirect_target
    if page.status not in _MOVED or found is None:
        return failed(f"{path} answers {page.status} and should lead to {cut(expected)} permanently.", details=details)
    # The Markdown text of an article redirects to that of the other one.
    is_markdown = row.old_path.endswith(".md") and same_url(found, f"{expected}.md")
    if not is_markdown and not same_url(found, expected):
        return failed(f"{path} leads to {cut(found)} and should lead to {cut(expected)}.", details=details)
    return passed(f"{path} leads to {cut(expected)}.", details=details)


def _not_requested(count: int, *, site: Site) -> Observation:
    why = site.web.limitations[0] if site.web.limitations else "public_base_url is not set."
    which = "1 redirect was" if count == 1 else f"{count} redirects were"
    return not_verified(f"{which} not requested: {why}", details={"redirects": count})
