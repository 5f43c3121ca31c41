"""Articles of another system as they are sent, and what is refused of them."""

from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import parse
from tests.inputs.refusing import refused

NOON = "2020-03-04T12:00:00Z"
ARTICLE: dict[str, object] = {
    "source_system": "oldpress",
    "source_id": "17",
    "slug": "night-ferry",
    "title": "The night ferry",
    "body_format": "markdown",
    "body": "",
}
DECLARATION: dict[str, object] = {
    "reviewer_name": "Rosa",
    "facts_checked": True,
    "approved_at": NOON,
    "declared_by": "Mina",
    "declared_on": "2026-02-03",
}
IMPORTED: dict[str, object] = {
    "reviewer_name": "Rosa",
    "facts_checked": True,
    "approved_at": NOON,
    "evidence": "Workflow entry 4",
    "confirmed_by": "Mina",
}
CONNECTIONS: dict[str, object] = {"connections": [], "third_party_paid": False, "declared_by": "Mina"}


def faults(**fields: object) -> tuple[str, list[str]]:
    """Code and details of the refusal of an otherwise good article; ``...`` leaves a field out."""
    raw = {name: value for name, value in (ARTICLE | fields).items() if value is not ...}
    return refused(AdoptPost, raw)


def read(**fields: object) -> AdoptPost:
    return parse(AdoptPost, ARTICLE | fields)
