"""A model of the contract of policy pages."""

from dataclasses import dataclass, replace
from typing import Any

from tests.contract.life_records import Answer, Refused

SLUGS = {"responsible_party": "responsible-party", "ai_use": "ai-use"}


@dataclass(frozen=True)
class Page:
    """A policy page."""

    slug: str
    title: str = ""
    body: str = ""
    status: str = "draft"
    approved_by: str | None = None


class Pages:
    """The pages by kind."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}

    def put(self, kind: str, sent: dict[str, Any], *, may_publish: bool) -> Answer:
        """``PUT /pages/:kind``."""
        stored = self.pages.get(kind)
        page = stored or Page(SLUGS[kind])
        if "published" in (page.status, sent.get("status")) and not may_publish:
            raise Refused(403, "scope_required", ["publish"])
        page = replace(page, **{name: value for name, value in sent.items() if name != "slug" or value})
        others = {other.slug for name, other in self.pages.items() if name != kind}
        faults = {
            "title": not page.title,
            "body": page.status == "published" and not page.body.strip(),
            "slug": page.slug in others,
        }
        if any(faults.values()):
            raise Refused(422, "validation_failed", [name for name, is_fault in faults.items() if is_fault])
        self.pages[kind] = page
        return (200 if stored else 201), None, []

    def is_published(self, kind: str) -> bool:
        """Return whether readers can see the page."""
        return kind in self.pages and self.pages[kind].status == "published"

    def serves(self, path: str) -> bool:
        """Return whether readers find a page at this path."""
        return any(page.status == "published" and path == f"/blog/policies/{page.slug}" for page in self.pages.values())
