"""E20 to E22: what readers must be told about how an article was made (records.md 16, reader.md 4.3)."""

from collections.abc import Sequence
from typing import Final

from django.utils import translation

from blog_engine.enums import Label, PolicyKind, Provenance, ReportResult
from blog_engine.queries.labels import ai_notice, label_of, paid_notice
from blog_engine.report.surface.checks._before_body import part_before_body, says
from blog_engine.report.surface.checks._copies import copy_without, has_attr, has_class, outermost
from blog_engine.report.surface.checks._reading import plain
from blog_engine.report.surface.html import Element, HtmlPage
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import Observation, failed, not_applicable, not_verified, passed

_EVIDENCE: Final = 3
"""E4, E18 and E19."""
_OPEN: Final = frozenset({ReportResult.FAIL, ReportResult.NOT_VERIFIED})


def check_ai_notice(article: Article, inspection: Inspection, evidence: Sequence[Observation]) -> Observation:
    """Where responsible party, review or content is not proven, readers see that AI helped, or may have.

    ``evidence`` are the observations of E4, E18 and E19 for this article. Whether the engine itself asks for a notice
    stands in ``details``.
    """
    post = article.record.post
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return not_applicable("The article was written by people.")
    label = label_of(post, has_responsible_party=PolicyKind.RESPONSIBLE_PARTY in inspection.policies)
    is_needed = len(evidence) < _EVIDENCE or any(one.result in _OPEN for one in evidence)
    details = {"label": label.value, "needed": is_needed}
    if not is_needed:
        return not_applicable("Responsible party, review and content are proven: no notice is needed.", details=details)
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    with translation.override(inspection.site.settings.catalogue):
        helped, unknown = str(ai_notice(Label.AI_ASSISTED)), str(ai_notice(Label.AI_UNKNOWN))
    # The one sentence may be a part of the other: "It is not known whether AI helped …".
    is_known = post.provenance == Provenance.AI_ASSISTED
    sentence, unlike = (helped, unknown) if is_known else (unknown, "")
    if _tells(article.page.html, css_class="blog-notice--ai", sentence=sentence, unlike=unlike):
        return passed("Readers are told about AI before the article begins.", details=details)
    return failed("Readers see no notice about AI before the article begins, but need one.", details=details)


def check_disclosure(article: Article, inspection: Inspection) -> Observation:
    """The declared connections are visible in the content, apart from its body."""
    declaration = article.record.declaration
    if declaration is None:
        return not_verified("Nobody has declared whether the article has connections.")
    declared = [(plain(one["party"]), plain(one["relation"])) for one in declaration.connections]
    if not declared:
        return not_applicable("The declaration names no connections.")
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    shown = _disclosed(article.page.html)
    missing = [party for party, relation in declared if party not in shown or relation not in shown]
    if missing:
        return failed(f"The page does not disclose the connection to {', '.join(missing)}.")
    return passed("The page discloses the declared connections.")


def check_paid_notice(article: Article, inspection: Inspection) -> Observation:
    """That a third party paid is visible before the body."""
    declaration = article.record.declaration
    if declaration is None:
        return not_verified("Nobody has declared whether a third party paid for the article.")
    with translation.override(inspection.site.settings.catalogue):
        sentence = paid_notice(declaration)
    if sentence is None:
        return not_applicable("The declaration says that no third party paid.")
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    if _tells(article.page.html, css_class="blog-notice--paid", sentence=sentence):
        return passed("Readers are told that a third party paid before the article begins.")
    return failed("Readers are not told before the article begins that a third party paid for it.")


def _tells(page: HtmlPage, *, css_class: str, sentence: str, unlike: str = "") -> bool:
    """Whether a notice of ours stands before the body, or its sentence in a template of the host's."""
    before = part_before_body(page)
    ours = any(one.visible_text() for one in outermost(before, has_class(css_class)))
    return ours or says(before, sentence, unlike=unlike)


def _disclosed(page: HtmlPage) -> str:
    """What the disclosure says to readers; without one of ours, what the content region says around body and FAQ."""
    regions = [one for one in outermost(page.root, has_attr("data-blog-content")) if not one.is_hidden()]
    ours = [one for region in regions for one in outermost(region, has_class("blog-disclosure"))]
    shown = " ".join(plain(one.visible_text()) for one in ours)
    return shown or " ".join(plain(copy_without(region, _is_written).visible_text()) for region in regions)


def _is_written(element: Element) -> bool:
    return "data-blog-body" in element.attrs or "data-blog-faq" in element.attrs
