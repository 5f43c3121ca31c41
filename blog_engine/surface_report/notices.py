"""E4, E8, E16 to E18 and E20 to E22: policies, the review of facts, and notices of how an article was made."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final
from urllib.parse import urldefrag

from blog_engine.content.text import compose, in_utc
from blog_engine.enums import ApprovalKind, PolicyKind, Provenance, ReportResult, ReportScope
from blog_engine.models import Approval
from blog_engine.rules.approvals import has_checked_facts, is_counted
from blog_engine.rules.label import label_of
from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.observation import (
    DECLARED,
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
from blog_engine.surface_report.page_facts import marked
from blog_engine.surface_report.site import FetchedPage, InspectedArticle, Inspection, Site

AFTER_RELEASE: Final = "review after release"
_UNPROVEN: Final = frozenset({ReportResult.FAIL, ReportResult.NOT_VERIFIED})

_POLICIES: Final[Mapping[str, tuple[PolicyKind, str]]] = {
    "E8": (PolicyKind.CORRECTIONS, "The policy on corrections"),
    "E16": (PolicyKind.EDITORIAL, "The editorial policy"),
    "E17": (PolicyKind.AI_USE, "The policy on the use of AI"),
}
_RESPONSIBLE: Final = "The page of the responsible party"


def judge_review(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E18: a facts-checked approval of the public revision is recorded; of several, the one with the fewest marks."""
    record = article.record
    if record.post.provenance == Provenance.HUMAN_WRITTEN:
        return not_applicable("The article was written by people and needs no review of AI's part.")
    public = record.post.public_revision
    released_at = next((one.occurred_at for one in record.publications if one.revision == public), None)
    approvals = [one for one in record.approvals if public and one.revision_identifier == public.identifier]
    reviews = [(_marks(one, released_at), one) for one in approvals if has_checked_facts(one)]
    marks, review = min(reviews, key=lambda found: (len(found[0]), found[1].approved_at), default=((), None))
    moments = {"approved_at": review.approved_at if review else None, "released_at": released_at}
    # As the history writes them, so that the records can be found there.
    details = {name: in_utc(moment, "milliseconds") if moment else None for name, moment in moments.items()}
    if review:
        return passed(f"{review.reviewer_name} checked the facts of the public revision.", marks, details)
    sentence = "No approval of the public revision is recorded."
    if any(map(is_counted, approvals)):
        sentence = "The public revision was approved without a check of its facts."
    elif approvals:
        sentence = "No person approved the public revision; this blog counts no other approvals."
    if record.post.provenance == Provenance.AI_ASSISTED:
        return failed(sentence, details=details)
    return not_verified(f"{sentence} It is not known whether it needs one.", details=details)


def judge_ai_notice(article: InspectedArticle, inspection: Inspection, evidence: Sequence[Observation]) -> Observation:
    """E20: unless ``evidence`` (E4, E18 and E19) proves that it is needless, a notice about AI precedes the body."""
    post = article.record.post
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return not_applicable("The article was written by people.")
    label = label_of(post, has_responsible_party=PolicyKind.RESPONSIBLE_PARTY in inspection.policies)
    is_needed = len(evidence) < 3 or any(one.result in _UNPROVEN for one in evidence)
    details = {"label": label.value, "needed": is_needed}
    if not is_needed:
        return not_applicable("Responsible party, review and content are proven: no notice is needed.", details=details)
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    if _is_before_body(article.page.html, "data-blog-ai-notice"):
        return passed("Readers learn about the part of AI before the article begins.", details=details)
    return failed("Readers see no notice about AI before the article begins, but need one.", details=details)


def judge_disclosure(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E21: the declared connections are visible in the content, apart from its body."""
    declaration = article.record.declaration
    if declaration is None:
        return not_verified("No declaration says whether the article has connections.")
    declared = [(_comparable(one["party"]), _comparable(one["relation"])) for one in declaration.connections]
    if not declared:
        return not_applicable("The declaration names no connections.")
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    regions = article.page.html.outermost("data-blog-content")
    disclosures = [one for region in regions for one in marked(region, "data-blog-disclosure")]
    shown = _comparable(" ".join(one.visible_text() for one in disclosures))
    missing = [party for party, relation in declared if party not in shown or relation not in shown]
    if missing:
        return failed(f"The page does not disclose the connection to {', '.join(missing)}.")
    return passed("The page discloses the declared connections.")


def judge_paid_notice(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E22: a notice before the body says that a third party paid."""
    declaration = article.record.declaration
    if declaration is None:
        return not_verified("No declaration says whether a third party paid for the article.")
    if not declaration.third_party_paid:
        return not_applicable("The declaration says that no third party paid.")
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    if _is_before_body(article.page.html, "data-blog-paid-notice"):
        return passed("Readers learn before the article begins that a third party paid.")
    return failed("Readers do not learn before the article begins that a third party paid for it.")


def _marks(approval: Approval, released_at: datetime | None) -> tuple[str, ...]:
    declared = (DECLARED,) if approval.kind == ApprovalKind.DECLARED else ()
    return (*declared, AFTER_RELEASE) if released_at and approval.approved_at > released_at else declared


def _is_before_body(page: HtmlPage, marker: str) -> bool:
    for element in page.all():
        if "data-blog-body" in element.attrs:
            return False
        if marker in element.attrs and element.visible_text():
            return True
    return False


def _comparable(text: str) -> str:
    return " ".join(compose(text).split())


def policy_rows(inspection: Inspection) -> Iterator[Row]:
    """Yield E4, once for each article if articles are inspected, then E8, E16 and E17."""
    urls = inspection.policies
    yield from _responsible_party(urls.get(PolicyKind.RESPONSIBLE_PARTY), inspection)
    for predicate, (kind, what) in _POLICIES.items():
        url = urls.get(kind)
        yield Row(predicate, _closed_policy(url, what, kind, site=inspection.site) or passed(f"{what} opens at {url}."))


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
