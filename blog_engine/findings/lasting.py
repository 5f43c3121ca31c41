"""The findings that stay after a write: those by which lists are filtered (posts.list.finding)."""

from collections.abc import Iterable
from typing import Final

from blog_engine.findings.base import Finding
from blog_engine.queries.checked import LOOKED_UP

OF_A_WRITE: Final = frozenset(
    {
        *("author_default_used", "approval_incomplete", "slug_changed", "note_not_recorded", "date_not_recorded"),
        *("published_now", "redirect_target_missing", "already_recorded", "nothing_changed"),
        *("author_created", "category_created", "series_created", "tag_created"),
    }
)
"""The codes that no later reading of the post finds (findings.of-a-write)."""
OF_LINKS: Final = frozenset({"link_fragment_missing", "link_same_site_broken"})
"""The codes of links into the blog, which end when the post that is linked is written."""


def lasting_codes(findings: Iterable[Finding]) -> frozenset[str]:
    """Return the codes of those findings that a later reading of the post finds too, and no query looks up."""
    return frozenset(finding.code for finding in findings) - OF_A_WRITE - LOOKED_UP
