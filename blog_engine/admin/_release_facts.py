"""Findings and cover of a post, to look at before it is signed or released."""

from datetime import datetime
from typing import Any

from blog_engine.admin.images import shown_image
from blog_engine.enums import PolicyKind
from blog_engine.findings import findings_of
from blog_engine.models import Post
from blog_engine.queries.policies import find_policy_url


def release_facts(post: Post, *, now: datetime) -> dict[str, Any]:
    """Return the findings of a stored post and its cover, as ``_release_facts.html`` shows them."""
    has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
    return {
        "findings": findings_of(post, has_responsible_party=has_responsible_party, now=now),
        "cover": shown_image(post.cover_image) if post.cover_image else None,
    }
