"""Articles of another system, adopted by the service."""

from datetime import datetime
from typing import Any

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import parse
from blog_engine.services import Adopted
from tests.factories import EDITOR, NOW

ARTICLE: dict[str, Any] = {
    "source_system": "oldpress",
    "source_id": "17",
    "slug": "night-ferry",
    "title": "The night ferry",
    "body_format": "markdown",
    "body": "It leaves at ten.",
}
FIRST = "2019-05-06T07:08:09.123456Z"
MODIFIED = "2020-06-07T08:09:10Z"
DECLARATION: dict[str, Any] = {
    "reviewer_name": "Rosa Reviewer",
    "facts_checked": True,
    "approved_at": "2020-01-02T03:04:05Z",
    "declared_by": "Mina Holt",
    "declared_on": "2026-11-20",
}
IMPORTED: dict[str, Any] = {
    "reviewer_name": "Rosa Reviewer",
    "facts_checked": True,
    "approved_at": "2020-01-02T03:04:05Z",
    "evidence": "Workflow entry 4",
    "confirmed_by": "Mina Holt",
}
CONNECTIONS: dict[str, Any] = {
    "connections": [{"party": "Quay Ltd", "relation": "customer"}],
    "third_party_paid": False,
    "declared_by": "Mina Holt",
}
WHOLE: dict[str, Any] = ARTICLE | {
    "description": "Ten at night.",
    "search_title": "Night ferry",
    "search_description": "When it leaves.",
    "author": "Old Hand",
    "cover_alt": "The quay",
    "faq": [{"question": "When?", "answer": "At ten."}],
    "category": "Ships",
    "category_description": "All about ships.",
    "tags": ["Sea", "Night"],
    "series": "Crossings",
    "series_position": 2,
    "featured": True,
    "canonical_url": "https://old.example/ferry",
    "external_id": "ferry-17",
    "provenance": "human_written",
    "provenance_evidence": "Written in 2019.",
    "source_body_sha256": "a" * 64,
    "old_slugs": ["ferry", {"slug": "boat", "moved_on": "2019-12-31"}],
    "first_published_at": FIRST,
    "first_published_evidence": "Database dump",
    "last_modified_at": MODIFIED,
    "last_modified_evidence": "Database dump, column changed",
    "imported_approval": IMPORTED,
    "connections": CONNECTIONS,
}
"""An adoption that sends everything but the images."""


def adopt(article: dict[str, Any] = ARTICLE, *, actor: Actor = EDITOR, now: datetime = NOW, **fields: Any) -> Adopted:
    """``POST /adoptions`` of an article with some fields changed; ``...`` leaves a field out."""
    raw = {name: value for name, value in (article | fields).items() if value is not ...}
    return services.adopt_post(parse(AdoptPost, raw), actor=actor, now=now)


def made(adopted: Adopted) -> tuple[object, ...]:
    """What an adoption says that it recorded: revision, publication, approval, baseline, redirects."""
    records = adopted.records
    return (records.revision, records.publication, records.approval, adopted.baseline, adopted.redirects)
