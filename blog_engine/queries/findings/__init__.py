"""Advisory findings: small checks in a fixed order (records.md section 14)."""

from datetime import datetime

from blog_engine.models import Post
from blog_engine.queries.findings import body_checks, content_checks, image_checks, link_checks, record_checks
from blog_engine.queries.findings.base import Check, Finding, Found, Subject, WriteContext, each
from blog_engine.queries.findings.redirect_checks import findings_of_redirect

CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        content_checks.description_absent,
        content_checks.title_duplicate,
        content_checks.description_duplicate,
        content_checks.category_absent,
        content_checks.category_description_absent,
        content_checks.faq_question_duplicate,
        content_checks.faq_markup_in_answer,
        content_checks.faq_in_body,
        record_checks.author_default_used,
        record_checks.provenance_unknown,
        record_checks.approval_absent,
        record_checks.approval_incomplete,
        record_checks.connections_not_declared,
        record_checks.responsible_party_absent,
        content_checks.canonical_off_site,
        content_checks.slug_changed,
        content_checks.social_image_absent,
        body_checks.heading_level_skipped,
        body_checks.heading_h1_in_body,
        body_checks.html_dropped,
        body_checks.hard_wrapped,
        image_checks.image_alt_absent,
        image_checks.image_external,
        image_checks.image_unverified,
        image_checks.image_location_data,
        record_checks.note_not_recorded,
        record_checks.date_not_recorded,
        record_checks.published_now,
        record_checks.redirect_target_missing,
        link_checks.link_same_site_broken,
    )
}
"""The checks by code, in the order of their findings. A host may add or replace one in its ``AppConfig.ready``: any
function of a ``Subject`` that gives a ``Finding``, several of them, or ``None``."""


def findings_of(
    post: Post, *, has_responsible_party: bool, now: datetime, write: WriteContext | None = None
) -> list[Finding]:
    """The findings of a post read by ``queries.posts.read_post``; without a ``write``, none that depend on one."""
    subject = Subject(
        post=post,
        write=write or WriteContext(),
        has_responsible_party=has_responsible_party,
        now=now,
    )
    return [finding for check in CHECKS.values() for finding in each(check(subject))]


__all__ = ["CHECKS", "Check", "Finding", "Found", "Subject", "WriteContext", "findings_of", "findings_of_redirect"]
