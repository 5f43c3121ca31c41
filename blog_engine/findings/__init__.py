"""Findings: advice on a post by small checks, in a fixed order."""

from datetime import datetime

from blog_engine.findings import checks
from blog_engine.findings.base import Check, Finding, Found, Subject, WriteContext, each
from blog_engine.findings.checks import findings_of_redirect
from blog_engine.models import Post

FINDINGS: dict[str, Check] = {
    check.__name__: check
    for check in (
        checks.description_absent,
        checks.title_duplicate,
        checks.description_duplicate,
        checks.category_absent,
        checks.category_description_absent,
        checks.faq_question_duplicate,
        checks.faq_markup_in_answer,
        checks.faq_in_body,
        checks.author_default_used,
        checks.provenance_unknown,
        checks.approval_absent,
        checks.approval_incomplete,
        checks.connections_not_declared,
        checks.responsible_party_absent,
        checks.canonical_off_site,
        checks.slug_changed,
        checks.social_image_absent,
        checks.heading_level_skipped,
        checks.heading_h1_in_body,
        checks.html_dropped,
        checks.hard_wrapped,
        checks.image_alt_absent,
        checks.image_external,
        checks.image_unverified,
        checks.image_location_data,
        checks.note_not_recorded,
        checks.date_not_recorded,
        checks.published_now,
        checks.redirect_target_missing,
        checks.link_same_site_broken,
    )
}
"""The checks by code, in the order of their findings.

A host may add or replace one in its ``AppConfig.ready``: any function of a ``Subject`` that returns a ``Finding``,
several of them, or ``None``.
"""


def findings_of(
    post: Post, *, has_responsible_party: bool, now: datetime, write: WriteContext | None = None
) -> list[Finding]:
    """Return the findings of a post read by ``read_post``; without a ``write``, none that depend on one."""
    subject = Subject(
        post=post,
        write=write or WriteContext(),
        has_responsible_party=has_responsible_party,
        now=now,
    )
    return [finding for check in FINDINGS.values() for finding in each(check(subject))]


__all__ = ["FINDINGS", "Check", "Finding", "Found", "Subject", "WriteContext", "findings_of", "findings_of_redirect"]
