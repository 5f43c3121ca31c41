"""E19: what readers get is the revision that was recorded and approved (records.md 16)."""

from collections.abc import Mapping
from typing import Final

from blog_engine.content.revision import RevisionContent
from blog_engine.enums import BodyFormat, Provenance, ReportResult
from blog_engine.report.surface.checks._content_on_page import judge_images, judge_links, judge_text
from blog_engine.report.surface.checks._expected_content import expected_part
from blog_engine.report.surface.checks._faq_on_page import judge_faq
from blog_engine.report.surface.checks._generated_parts import written_part
from blog_engine.report.surface.checks._head_on_page import judge_head
from blog_engine.report.surface.checks._image_bytes import judge_bytes
from blog_engine.report.surface.checks._reading import for_the_eye, shown_in
from blog_engine.report.surface.checks._records_in_order import judge_records, stored_content
from blog_engine.report.surface.checks._stored_media import AddressBook
from blog_engine.report.surface.checks._verdict import Verdict, verdict
from blog_engine.report.surface.html import Element, HtmlPage
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.observation import Observation, failed, not_applicable, not_verified, passed
from blog_engine.report.surface.site import Site

_ON_PAGE: Final = "BCDEFG"


def check_content(article: Article, inspection: Inspection) -> Observation:
    """Compare the page with its public revision in seven parts; ``details`` has the result of each.

    A the records themselves, B visible text, C links, D images and their texts, E their bytes, F the head, G the FAQ.
    """
    post = article.record.post
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return not_applicable("The article was written by people, and needs no proof of what was approved.")
    if post.public_revision is None:
        return not_verified("The article has no public revision to compare its page with.")
    parts = {"A": judge_records(article.record, post.public_revision)}
    return _observation(parts | _judge_page(article, stored_content(post.public_revision), site=inspection.site))


def _judge_page(article: Article, content: RevisionContent | None, *, site: Site) -> dict[str, Verdict]:
    if content is None:
        unknown = verdict(doubts=["The stored revision is not what its identifier says, so nothing can be compared."])
        return dict.fromkeys(_ON_PAGE, unknown)
    if not article.page.is_open:
        unavailable = article.page.unavailable("The article page")
        return dict.fromkeys(_ON_PAGE, Verdict(unavailable.result, (unavailable.reason,)))
    html = article.page.html
    own = AddressBook(site.urls, site.urls.post_url(article.record.post.slug))
    book = AddressBook.of_page(article.page.url, html, urls=site.urls)
    return _judge_region(article, html, content, site=site, book=book, own=own) | {
        "F": judge_head(html, content, body_format=BodyFormat(article.record.post.body_format), book=book, site=site),
        "G": judge_faq(html, content.faq, book=book, own=own),
    }


def _judge_region(
    article: Article, html: HtmlPage, content: RevisionContent, *, site: Site, book: AddressBook, own: AddressBook
) -> dict[str, Verdict]:
    images = [entry for entry in content.images if entry.role != "social"]
    region = _region_of(html)
    if region is None:
        missing = verdict(faults=["The page has not exactly one visible element with data-blog-content."])
        bytes_ = judge_bytes(images, [], own=own, site=site)
        return {"B": missing, "C": missing, "D": missing, "E": bytes_}
    expected = expected_part(content, article.record.post, own=own)
    seen = written_part(region)
    return {
        "B": judge_text(expected, seen),
        "C": judge_links(expected, seen, book=book, own=own),
        "D": judge_images(expected, seen, book=book, own=own),
        "E": judge_bytes(images, shown_in(for_the_eye(seen), book), own=own, site=site),
    }


def _region_of(html: HtmlPage) -> Element | None:
    """The one content region; two of them could show readers the one and the report the other."""
    regions = list(html.root.with_attr("data-blog-content"))
    return regions[0] if len(regions) == 1 and not regions[0].is_hidden() else None


def _observation(parts: Mapping[str, Verdict]) -> Observation:
    details = {name: part.result.value for name, part in sorted(parts.items())}
    for result, observed in ((ReportResult.FAIL, failed), (ReportResult.NOT_VERIFIED, not_verified)):
        reasons = [reason for _, part in sorted(parts.items()) if part.result is result for reason in part.reasons]
        if reasons:
            return observed(" ".join(dict.fromkeys(reasons)), details=details)
    return passed("The page is the recorded revision.", details=details)
