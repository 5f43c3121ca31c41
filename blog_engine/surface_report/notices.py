"""E18, E20, E21 and E22: whether facts were reviewed, and what readers must learn about how an article was made."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from blog_engine.content.text import compose, in_utc
from blog_engine.enums import ApprovalKind, PolicyKind, Provenance, ReportResult
from blog_engine.models import Approval
from blog_engine.rules.label import label_of
from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.observation import DECLARED, Observation, failed, not_applicable, not_verified, passed
from blog_engine.surface_report.page_facts import marked
from blog_engine.surface_report.site import InspectedArticle, Inspection

AFTER_RELEASE: Final = "review after release"
_UNPROVEN: Final = frozenset({ReportResult.FAIL, ReportResult.NOT_VERIFIED})


def judge_review(article: InspectedArticle, inspection: Inspection) -> Observation:
    """E18: a facts-checked approval of the public revision is recorded; of several, the one with the fewest marks."""
    record = article.record
    if record.post.provenance == Provenance.HUMAN_WRITTEN:
        return not_applicable("The article was written by people and needs no review of AI's part.")
    public = record.post.public_revision
    released_at = next((one.occurred_at for one in record.publications if one.revision == public), None)
    approvals = [one for one in record.approvals if public and one.revision_identifier == public.identifier]
    reviews = [(_marks(one, released_at), one) for one in approvals if one.facts_checked]
    marks, review = min(reviews, key=lambda found: (len(found[0]), found[1].approved_at), default=((), None))
    moments = {"approved_at": review.approved_at if review else None, "released_at": released_at}
    # As the history writes them, so that the records can be found there.
    details = {name: in_utc(moment, "milliseconds") if moment else None for name, moment in moments.items()}
    if review:
        return passed(f"{review.reviewer_name} checked the facts of the public revision.", marks, details)
    sentence = "No approval of the public revision is recorded."
    if approvals:
        sentence = "The public revision was approved without a check of its facts."
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
