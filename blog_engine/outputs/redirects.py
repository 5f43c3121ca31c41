"""Redirects as the API and the tools answer them (service.md section 2)."""

from typing import Literal

from blog_engine.models import Redirect
from blog_engine.outputs.base import Output
from blog_engine.outputs.outcome import FindingObject
from blog_engine.outputs.types import Day
from blog_engine.queries.findings import Finding
from blog_engine.queries.paging import Listed
from blog_engine.vocabulary import RedirectSource


class RedirectObject(Output):
    """An address that moved, or is gone while ``new_path`` is null; both as stored, without ``SCRIPT_NAME``."""

    id: int
    old_path: str
    new_path: str | None
    source: RedirectSource
    occurred_on: Day
    post_id: int | None

    @classmethod
    def of(cls, row: Redirect) -> "RedirectObject":
        return cls(
            id=row.pk,
            old_path=row.old_path,
            new_path=row.new_path,
            source=RedirectSource(row.source),
            occurred_on=row.occurred_on.isoformat(),
            post_id=row.post_id,
        )


class RedirectRecords(Output):
    """What became of the redirect that was sent: ``new``, or ``same`` for one that was stored already."""

    redirect: Literal["new", "same"]


class SavedRedirect(RedirectObject):
    """A redirect that was asked for, with advice; as a rule there is none."""

    records: RedirectRecords
    findings: list[FindingObject]

    @property
    def created(self) -> bool:
        """Whether it is new."""
        return self.records.redirect == "new"

    @classmethod
    def of_write(cls, row: Redirect, findings: list[Finding]) -> "SavedRedirect":
        return cls(
            **RedirectObject.of(row).model_dump(),
            records=RedirectRecords(redirect="new" if row.is_new else "same"),
            findings=[FindingObject.of(finding) for finding in findings],
        )


class SavedRedirects(Output):
    """Many redirects that were asked for, in their order."""

    redirects: list[SavedRedirect]

    @property
    def created(self) -> bool:
        """Whether any of them is new."""
        return any(one.created for one in self.redirects)


class RedirectList(Output):
    """One page of redirects."""

    redirects: list[RedirectObject]
    page: int
    per_page: int
    total: int

    @classmethod
    def of(cls, listed: Listed[Redirect]) -> "RedirectList":
        return cls(redirects=[RedirectObject.of(row) for row in listed.rows], **listed.place)
