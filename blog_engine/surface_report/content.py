"""E19: the page of an article is its recorded and approved revision (surface-report.e19)."""

import json
from collections.abc import Sequence
from typing import Final

from blog_engine.content.faq import FaqPair
from blog_engine.enums import BodyFormat, Provenance, ReportResult
from blog_engine.models import Revision
from blog_engine.queries.posts import ReportedPost
from blog_engine.rules.content_fields import REVISION_TEXTS
from blog_engine.rules.revision import ImageEntry, RevisionContent, content_of, revision_identifier, revision_payload
from blog_engine.surface_report._content_parts import (
    judge_bytes,
    judge_faq,
    judge_head,
    judge_order,
    judge_part,
    judge_text,
    reasons_of,
    written_part,
)
from blog_engine.surface_report._reading import BaseURL, ReadLink, for_the_eye, read, words_of
from blog_engine.surface_report.article_template import expected_page
from blog_engine.surface_report.observation import Observation, failed, judged_by, not_applicable, not_verified
from blog_engine.surface_report.site import InspectedArticle, Inspection, Site

_ON_PAGE: Final = "BCDEFG"


def judge_content(article: InspectedArticle, inspection: Inspection) -> Observation:
    """Compare the page with its public revision in seven parts; ``details`` has the result of each.

    A the records themselves, B visible text, C links, D images and their texts, E their bytes, F the head, G the FAQ.
    """
    post = article.record.post
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return not_applicable("The article was written by people and needs no proof of what was approved.")
    if post.public_revision is None:
        return not_verified("The article has no public revision to compare its page with.")
    content = _stored_content(post.public_revision)
    parts = {"A": _judge_records(article.record, post.public_revision)}
    if content is None:
        doubt = "The stored revision does not match its identifier, so that nothing can be compared."
        parts |= dict.fromkeys(_ON_PAGE, not_verified(doubt))
    elif not article.page.is_open:
        parts |= dict.fromkeys(_ON_PAGE, article.page.unavailable("The article page"))
    else:
        parts |= sorted(_judge_page(article, content, site=inspection.site).items())
    return judged_by(
        reasons_of(parts.values(), ReportResult.FAIL),
        reasons_of(parts.values(), ReportResult.NOT_VERIFIED),
        well="The page is the recorded revision.",
        details={name: part.result.value for name, part in parts.items()},
    )


def _judge_records(record: ReportedPost, revision: Revision) -> Observation:
    """A: payload, identifier and stored post agree, and the revision was published and approved."""
    faults = []
    if _stored_content(revision) is None:
        faults.append("The stored text of the public revision does not match its identifier.")
    if revision_identifier(revision_payload(content_of(record.post, faq=record.faq))) != revision.identifier:
        faults.append("The post in the database is not the content of its public revision.")
    if all(entry.revision_id != revision.pk for entry in record.publications):
        faults.append("No publication of the public revision is recorded.")
    is_reviewed = any(one.revision_identifier == revision.identifier and one.facts_checked for one in record.approvals)
    missing = [] if is_reviewed else ["No check of the facts of the public revision is recorded."]
    # An article of unknown origin need not have a review.
    is_doubt = record.post.provenance == Provenance.UNKNOWN
    return judge_part([*faults, *([] if is_doubt else missing)], missing if is_doubt else [])


def _stored_content(revision: Revision) -> RevisionContent | None:
    """Return what the revision recorded; ``None`` unless its payload matches the identifier and is well-formed."""
    if revision_identifier(revision.payload) != revision.identifier:
        return None
    try:
        raw = json.loads(revision.payload)
        content = RevisionContent(
            {name: raw.get(name) for name in (*REVISION_TEXTS, "body")},
            faq=tuple(FaqPair(question=one["question"], answer=one["answer"]) for one in raw["faq"]),
            images=tuple(ImageEntry(**one) for one in raw["images"]),
        )
        return content if revision_payload(content) == revision.payload else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _judge_page(article: InspectedArticle, content: RevisionContent, *, site: Site) -> dict[str, Observation]:
    html, post = article.page.html, article.record.post
    own = BaseURL(site.urls, site.urls.post_url(post.slug))
    base = BaseURL(site.urls, BaseURL(site.urls, article.page.url).resolve(html.base))
    expected = expected_page(content, post, own=own)
    images = [entry for entry in content.images if entry.role != "social"]
    parts = {
        "F": judge_head(html, content, body_format=BodyFormat(post.body_format), base=base, site=site),
        "G": judge_faq(expected, html, content.faq, base=base, own=own),
    }
    # Of two regions, readers could see one and the report the other.
    regions = list(html.with_attr("data-blog-content"))
    if len(regions) != 1 or regions[0].is_hidden():
        missing = failed("The page has not exactly one visible element with data-blog-content.")
        return parts | dict.fromkeys("BCD", missing) | {"E": judge_bytes(images, [], own=own, site=site)}
    recorded, served = written_part(next(expected.with_attr("data-blog-content"))), written_part(regions[0])
    wanted, seen = read(for_the_eye(recorded), own), read(for_the_eye(served), base)
    text = judge_text(wanted.words, seen.words)
    if text.result is ReportResult.PASS and words_of(served) != words_of(recorded):
        text = failed("Some words of the article are kept from assistive technology.")
    return parts | {
        "B": text,
        "C": judge_order("link", *(_without_cover(one.links, images, base=own) for one in (wanted, seen))),
        "D": judge_order("image", wanted.media, seen.media),
        "E": judge_bytes(images, seen.media, own=own, site=site),
    }


def _without_cover(links: Sequence[ReadLink], images: Sequence[ImageEntry], *, base: BaseURL) -> tuple[ReadLink, ...]:
    """Return links without those from the cover to its own file, which the page adds and hosts may leave out."""
    covers = {base.source_of_entry(entry) for entry in images if entry.role == "cover"}
    return tuple(link for link in links if link.text or base.source_of(link.url) not in covers)
