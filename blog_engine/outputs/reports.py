"""Outputs of reports."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Literal

from pydantic import ConfigDict, Field

from blog_engine import __version__
from blog_engine.blog_urls import BlogURLs
from blog_engine.content.faq_extraction import FaqExtraction
from blog_engine.content.text import compact_json
from blog_engine.doctor import CheckResult
from blog_engine.enums import CheckStatus, FaqClass, FaqReason, ReportResult, ReportRows, ReportScope
from blog_engine.outputs.base import Day, Instant, Output, to_seconds
from blog_engine.outputs.posts import FaqObject
from blog_engine.queries.page_views import DayViews, ViewedPost
from blog_engine.report.surface.observation import Row
from blog_engine.report.surface.report import NOT_ASSESSED, NOT_RUN, REPORT_VERSION, SENTENCE, SurfaceReport


def _is_absent(value: object) -> bool:
    return value is None


def _is_shown(row: Row, show: ReportRows) -> bool:
    return show is ReportRows.ALL or row.observation.result in (ReportResult.FAIL, ReportResult.NOT_VERIFIED)


class ReportPagination(Output):
    """Which posts of how many."""

    page: int
    per_page: int
    total: int
    pages: int


class ReportDeclarations(Output):
    """What the host declares, and where on a page the report looks."""

    field_map: dict[str, str]
    content_selector: str
    faq_selectors: list[str]
    primary_list_type: str
    sign_in_destinations: list[str] | None


class ReportRow(Output):
    """One result; without ``post_id`` it is about the site, without ``details`` there is no further evidence."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    predicate: str
    result: ReportResult
    reason: str
    marks: list[str]
    post_id: int | None = Field(None, exclude_if=_is_absent)
    details: dict[str, Any] | None = Field(None, exclude_if=_is_absent)

    @classmethod
    def of(cls, row: Row) -> "ReportRow":
        seen = row.observation
        return cls(
            predicate=row.predicate,
            result=seen.result,
            reason=seen.reason,
            marks=list(seen.marks),
            post_id=row.post_id,
            details=None if seen.details is None else dict(seen.details),
        )

    def lines(self) -> list[str]:
        """The result as lines of the text form."""
        article = "" if self.post_id is None else f" article {self.post_id}"
        evidence = [] if self.details is None else [f"  {compact_json(self.details)}"]
        return [
            f"{self.predicate}{article}: {self.result} — {self.reason}",
            *(f"  ({mark})" for mark in self.marks),
            *evidence,
        ]


class NotRun(Output):
    """A check that a report cannot make."""

    predicate: str
    reason: str


class SurfaceReportAnswer(Output):
    """The whole report; ``results`` has the rows that were asked for, ``counts`` those of all four results.

    ``pages_from`` is ``network`` when the site's own pages were fetched as visitors fetch them, else ``application``.
    """

    engine_version: str
    report_version: str
    date: Instant
    scope: ReportScope
    pages_from: Literal["application", "network"]
    show: ReportRows
    post_ids: list[int]
    pagination: ReportPagination
    declarations: ReportDeclarations
    results: list[ReportRow]
    limitations: list[str]
    counts: dict[ReportResult, int]
    not_run: list[NotRun]
    not_assessed: list[str]
    sentence: str

    @classmethod
    def of(cls, report: SurfaceReport, *, show: ReportRows) -> "SurfaceReportAnswer":
        selected, results = report.selected, [row.observation.result for row in report.rows]
        return cls(
            engine_version=__version__,
            report_version=REPORT_VERSION,
            date=to_seconds(report.date),
            scope=report.scope,
            pages_from="network" if report.is_over_network else "application",
            show=show,
            post_ids=[one.post.pk for one in selected.posts],
            pagination=ReportPagination(
                page=selected.page, per_page=selected.per_page, total=selected.total, pages=selected.pages
            ),
            declarations=ReportDeclarations.model_validate(dict(report.declarations)),
            results=[ReportRow.of(row) for row in report.rows if _is_shown(row, show)],
            limitations=list(report.limitations),
            counts={result: results.count(result) for result in ReportResult},
            not_run=[NotRun(predicate=predicate, reason=reason) for predicate, reason in NOT_RUN.items()],
            not_assessed=list(NOT_ASSESSED),
            sentence=SENTENCE,
        )

    def as_text(self) -> str:
        """The same for people to read: a line for each result, marks and evidence indented below it."""
        place = self.pagination
        posts = ", ".join(map(str, self.post_ids)) or "none"
        counts = ", ".join(f"{number} {result}" for result, number in self.counts.items())
        lines = [
            f"Surface report {self.report_version} of blog_engine {self.engine_version}",
            f"Date: {self.date}. Scope: {self.scope}. Pages from: {self.pages_from}. Results shown: {self.show}.",
            f"Articles: {posts}. Page {place.page} of {place.pages}.",
            f"Declarations: {compact_json(self.declarations.model_dump(mode='json'))}",
            *(line for row in self.results for line in row.lines()),
            f"Counts: {counts}.",
            *(f"Not run: {one.predicate} — {one.reason}" for one in self.not_run),
            f"Not assessed: {', '.join(self.not_assessed)}.",
            *(f"Limit: {sentence}" for sentence in self.limitations),
            self.sentence,
        ]
        return "\n".join(lines) + "\n"


class CheckObject(Output):
    """One check."""

    name: str
    status: CheckStatus
    message: str


class Doctor(Output):
    """All checks, always in the same order."""

    checks: list[CheckObject]

    @classmethod
    def of(cls, results: Iterable[CheckResult]) -> "Doctor":
        return cls(checks=[CheckObject(name=one.name, status=one.status, message=one.message) for one in results])


class ViewsOnDay(Output):
    """The views of one UTC day."""

    day: Day
    views: int


class PostViews(Output):
    """The views of a post; days on which nobody read it are left out."""

    post_id: int
    from_: Day = Field(serialization_alias="from")
    to: Day
    total: int
    days: list[ViewsOnDay]

    @classmethod
    def of(cls, counted: Sequence[DayViews], *, post_id: int, first: date, last: date) -> "PostViews":
        return cls(
            post_id=post_id,
            from_=first.isoformat(),
            to=last.isoformat(),
            total=sum(one.views for one in counted),
            days=[ViewsOnDay(day=one.day.isoformat(), views=one.views) for one in counted],
        )


class TopPost(Output):
    """A post that was read often."""

    id: int
    slug: str
    title: str
    url: str
    views: int


class TopPosts(Output):
    """The posts that were read most in a number of days, the most read one first."""

    days: int
    posts: list[TopPost]

    @classmethod
    def of(cls, posts: Iterable[ViewedPost], addresses: BlogURLs, *, days: int) -> "TopPosts":
        return cls(
            days=days,
            posts=[
                TopPost(id=one.id, slug=one.slug, title=one.title, url=addresses.post_url(one.slug), views=one.views)
                for one in posts
            ],
        )


class CutRange(Output):
    """A part of the submitted body by its UTF-8 bytes; ``end`` is exclusive."""

    start: int
    end: int


class FaqProposal(Output):
    """The FAQ that a body holds, and the body without it; nothing was changed."""

    pairs: list[FaqObject]
    cut: list[CutRange]
    body_after: str
    leftover: list[str]
    class_: FaqClass = Field(serialization_alias="class")
    reasons: list[FaqReason]
    source_body_sha256: str

    @classmethod
    def of(cls, found: FaqExtraction) -> "FaqProposal":
        return cls(
            pairs=[FaqObject(question=pair.question, answer=pair.answer) for pair in found.pairs],
            cut=[CutRange(start=start, end=end) for start, end in found.cut],
            body_after=found.body_after,
            leftover=list(found.leftover),
            class_=found.verdict,
            reasons=list(found.reasons),
            source_body_sha256=found.source_body_sha256,
        )
