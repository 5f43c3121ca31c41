"""Readers can open the policies, and learn from each article who answers for it (records.md 16: E4, E8, E16, E17)."""

from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import urldefrag

from blog_engine.enums import PolicyKind, ReportScope
from blog_engine.report.surface.inspection import Inspection
from blog_engine.report.surface.observation import Observation, Row, failed, judged_by, not_verified, passed
from blog_engine.report.surface.quoting import cut, quote
from blog_engine.report.surface.site import Page, Site
from blog_engine.report.surface.targets import target_of

_POLICIES: Final[Mapping[str, tuple[PolicyKind, str]]] = {
    "E8": (PolicyKind.CORRECTIONS, "The policy on corrections"),
    "E16": (PolicyKind.EDITORIAL, "The editorial policy"),
    "E17": (PolicyKind.AI_USE, "The policy on the use of AI"),
}
_WHO: Final = "The page of the responsible party"


def policy_rows(inspection: Inspection) -> Iterator[Row]:
    """One row for each policy; for the responsible party one for each article, if articles are looked at."""
    urls = inspection.policies
    yield from _responsible_party(urls.get(PolicyKind.RESPONSIBLE_PARTY), inspection)
    for predicate, (kind, what) in _POLICIES.items():
        url = urls.get(kind)
        yield Row(predicate, _missing_page(url, what, kind, site=inspection.site) or passed(f"{what} opens at {url}."))


def _responsible_party(url: str | None, inspection: Inspection) -> Iterator[Row]:
    site = inspection.site
    if missing := _missing_page(url, _WHO, PolicyKind.RESPONSIBLE_PARTY, site=site):
        ids = [article.id for article in inspection.articles]
        yield from (Row("E4", missing, post_id) for post_id in ids or (None,))
    elif inspection.scope is ReportScope.SITE or not inspection.articles:
        yield Row("E4", _linked_from_all(str(url), inspection))
    else:
        for article in inspection.articles:
            yield Row("E4", _linked_from(article.page, str(url), site=site), article.id)


def _missing_page(url: str | None, what: str, kind: PolicyKind, *, site: Site) -> Observation | None:
    """What is observed when the page of a policy is not there; ``None`` when it opens."""
    if not site.has_address:
        return not_verified(f"{what} could not be fetched: public_base_url is not set.")
    if url is None:
        return failed(f"{what} does not exist: publish a page of the kind {kind} or set policy_urls.")
    if not site.urls.absolute(url).startswith(("http://", "https://")):
        return failed(f"{what} has the address {quote(url)}, which is neither a path of the site nor an http(s) URL.")
    page = site.open(url)
    return None if page.is_open else page.unavailable(f"{what} at {cut(page.url)}")


def _linked_from(page: Page, url: str, *, site: Site) -> Observation:
    if not page.is_open:
        return page.unavailable("The article page")
    if _links_to(page, url, site=site):
        return passed(f"{_WHO} opens, and the article links to it.")
    return failed(f"{_WHO} opens, but no visible link of the article leads to {cut(site.urls.absolute(url))}.")


def _linked_from_all(url: str, inspection: Inspection) -> Observation:
    site = inspection.site
    pages = {record.post.slug: site.open(site.urls.post_url(record.post.slug)) for record in inspection.posts}
    unseen = [slug for slug, page in pages.items() if page.status is None]
    closed = [slug for slug, page in pages.items() if page.status is not None and not page.is_open]
    without = [slug for slug, page in pages.items() if page.is_open and not _links_to(page, url, site=site)]
    return judged_by(
        [f"The page of {slug} answered {pages[slug].status}." for slug in closed]
        + [f"No visible link of {slug} leads to it." for slug in without],
        [f"The page of {slug} could not be fetched." for slug in unseen],
        well=f"{_WHO} opens, and each of the {len(pages)} articles links to it." if pages else f"{_WHO} opens.",
        details={"articles": [*closed, *without, *unseen]} if closed or without or unseen else None,
    )


def _links_to(page: Page, url: str, *, site: Site) -> bool:
    wanted = urldefrag(site.urls.absolute(url)).url
    links = (link for link in page.html.root.all("a") if "href" in link.attrs)
    found = (link for link in links if urldefrag(target_of(page, link.attrs["href"]) or "").url == wanted)
    return any(not link.is_hidden() for link in found)
