"""The findings that stay after a write: those by which lists are filtered (posts.list.finding)."""

from collections.abc import Iterable
from typing import Final

from blog_engine.findings.base import Finding

OF_A_WRITE: Final = frozenset(
    {
        *("author_default_used", "approval_incomplete", "slug_changed", "note_not_recorded", "date_not_recorded"),
        *("published_now", "redirect_target_missing", "already_recorded", "nothing_changed"),
        *("author_created", "category_created", "series_created", "tag_created"),
    }
)
"""The codes that no later reading of the post finds (findings.of-a-write)."""


def lasting_codes(findings: Iterable[Finding]) -> frozenset[str]:
    """Return the codes of those findings that a later reading of the post finds too."""
    return frozenset(finding.code for finding in findings) - OF_A_WRITE
