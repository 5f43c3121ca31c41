"""Findings: advice on a post by small checks, in a fixed order."""

from blog_engine.findings.base import Check, Finding, Found, FoundWhenStored, MadeKind, Subject, WriteContext
from blog_engine.findings.checks import (
    FINDINGS,
    findings_of,
    findings_of_posts,
    known_findings_of_posts,
    listed_findings,
    run_checks,
    subjects_together,
)
from blog_engine.findings.counted import counted_findings
from blog_engine.findings.kept import findings_to_keep, keep_findings
from blog_engine.findings.lasting import OF_LINKS, lasting_codes
from blog_engine.findings.made_records import about_made_records
from blog_engine.findings.redirects import findings_of_redirects

__all__ = [
    "FINDINGS",
    "OF_LINKS",
    "Check",
    "Finding",
    "Found",
    "FoundWhenStored",
    "MadeKind",
    "Subject",
    "WriteContext",
    "about_made_records",
    "counted_findings",
    "findings_of",
    "findings_of_posts",
    "findings_of_redirects",
    "findings_to_keep",
    "keep_findings",
    "known_findings_of_posts",
    "lasting_codes",
    "listed_findings",
    "run_checks",
    "subjects_together",
]
