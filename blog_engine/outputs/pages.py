"""Policy pages as the API and the tools answer them (service.md section 2)."""

from pydantic import Field

from blog_engine.addresses import Addresses
from blog_engine.models import PolicyPage
from blog_engine.outputs.base import Output
from blog_engine.outputs.types import Day, Instant, day_or_none, to_seconds
from blog_engine.queries.paging import Listed
from blog_engine.vocabulary import PolicyKind, PolicyStatus


class PageObject(Output):
    """A policy page. ``url`` is its address here, also of a draft and while the host has a page of its own.

    ``created`` is for the status of the answer only, and no part of it.
    """

    kind: PolicyKind
    slug: str
    url: str
    title: str
    body: str
    status: PolicyStatus
    approved_by: str | None
    approved_on: Day | None
    updated_at: Instant
    created: bool = Field(False, exclude=True)

    @classmethod
    def of(cls, page: PolicyPage, addresses: Addresses, *, created: bool = False) -> "PageObject":
        return cls(
            kind=PolicyKind(page.kind),
            slug=page.slug,
            url=addresses.absolute(addresses.policy_path(page.slug)),
            title=page.title,
            body=page.body,
            status=PolicyStatus(page.status),
            approved_by=page.approved_by,
            approved_on=day_or_none(page.approved_on),
            updated_at=to_seconds(page.updated_at),
            created=created,
        )


class PageList(Output):
    """One page of the list of policy pages."""

    pages: list[PageObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[PolicyPage], addresses: Addresses) -> "PageList":
        return cls(pages=[PageObject.of(row, addresses) for row in listed.rows], **listed.place)
