"""Outputs of the surface report, the doctor, page views and FAQ extraction."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any, Literal

from django.utils.timezone import get_default_timezone, get_default_timezone_name
from pydantic import ConfigDict, Field

from blog_engine import __version__
from blog_engine.blog_urls import BlogURLs
from blog_engine.content.faq_extraction import FaqExtraction
from blog_engine.content.text import compact_json, in_utc
from blog_engine.doctor import ProbeResult
from blog_engine.enums import CheckStatus, FaqClass, FaqReason, ReportResult, ReportRows, ReportScope
from blog_engine.outputs.base import Output, UTCSeconds
from blog_engine.outputs.posts import FaqObject
from blog_engine.queries.page_views import DayViews, ViewedPost
from blog_engine.surface_report.observation import Row
from blog_engine.surface_report.report import NOT_ASSESSED, NOT_RUN, REPORT_VERSION, SENTENCE, SurfaceReport


def _is_absent(value: object) -> bool:
    return value is None


class ReportPagination(Output):
    """The place of this page among the posts."""

    page: int
    per_page: int
    total: int
    pages: int


class ReportDeclarations(Output):
    """The settings of the host that tell the report where on a page to look."""

    field_map: dict[str, str]
    content_selector: str
    faq_selectors: list[str]
    primary_list_type: str
    sign_in_destinations: list[str] | None


class ReportRow(Output):
    """One result: about the site if it has no ``post_id``, with evidence if it has ``details``."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    predicate: str
    result: ReportResult
    reason: str
    marks: list[str]
    post_id: int | None = Field(None, exclude_if=_is_absent)
    details: dict[str, Any] | None = Field(None, exclude_if=_is_absent)

    @classmethod
    def of(cls, row: Row) -> "ReportRow":
        """Return a row of the report."""
        return cls.from_attributes(row.observation, predicate=row.predicate, post_id=row.post_id)

    def lines(self) -> list[str]:
        """Return the lines of the result in the text form."""
        article = "" if self.post_id is None else f" article {self.post_id}"
        evidence = [] if self.details is None else [f"  {compact_json(self.details)}"]
        return [
            f"{self.predicate}{article}: {self.result} — {self.reason}",
            *(f"  ({mark})" for mark in self.marks),
            *evidence,
        ]


class NotRun(Output):
    """A predicate that no report can check."""

    predicate: str
    reason: str


class SurfaceReportAnswer(Output):
    """The whole report: ``results`` has the rows that were asked for, ``counts`` counts all rows by result.

    ``pages_from`` is ``network`` if the pages were fetched as visitors fetch them, else ``application``.
    """

    engine_version: str
    report_version: str
    date: UTCSeconds
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
        """Return the report with the rows that `show` selects."""
        selected, results = report.selected, [row.observation.result for row in report.rows]
        problems = (ReportResult.FAIL, ReportResult.NOT_VERIFIED)
        shown = [row for row in report.rows if show is ReportRows.ALL or row.observation.result in problems]
        return cls(
            engine_version=__version__,
            report_version=REPORT_VERSION,
            date=report.date,
            scope=report.scope,
            pages_from="network" if report.is_over_network else "application",
            show=show,
            post_ids=[one.post.pk for one in selected.posts],
            pagination=ReportPagination.from_attributes(selected),
            declarations=ReportDeclarations.model_validate(dict(report.declarations)),
            results=[ReportRow.of(row) for row in shown],
            limitations=list(report.limitations),
            counts={result: results.count(result) for result in ReportResult},
            not_run=[NotRun(predicate=predicate, reason=reason) for predicate, reason in NOT_RUN.items()],
            not_assessed=list(NOT_ASSESSED),
            sentence=SENTENCE,
        )

    def as_text(self) -> str:
        """Return the report as text: a line for each result, with marks and evidence indented below it."""
        place, made_at = self.pagination, in_utc(self.date, "seconds")
        ids = f" (ids: {', '.join(map(str, self.post_ids))})" if self.post_ids else ""
        counts = ", ".join(f"{number} {result}" for result, number in self.counts.items())
        lines = [
            f"Surface report {self.report_version} of blog_engine {self.engine_version}",
            f"Date: {made_at}. Scope: {self.scope}. Pages from: {self.pages_from}. Results shown: {self.show}.",
            f"Articles: {len(self.post_ids)} of {place.total}{ids}. Page {place.page} of {place.pages}.",
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
    """The result of one probe."""

    name: str
    status: CheckStatus
    message: str


class Doctor(Output):
    """The results of all probes, always in the same order."""

    checks: list[CheckObject]
    time_zone: str
    """The zone in which times without offset are read."""
    today: date
    """The date there."""

    @classmethod
    def of(cls, results: Iterable[ProbeResult], *, now: datetime) -> "Doctor":
        """Return the answer of the doctor."""
        checks = [CheckObject.from_attributes(one) for one in results]
        return cls(
            checks=checks,
            time_zone=get_default_timezone_name(),
            today=now.astimezone(get_default_timezone()).date(),
        )


class ViewsOnDay(Output):
    """The views of one UTC day."""

    day: date
    views: int


class PostViews(Output):
    """The views of a post; days without a view are left out."""

    post_id: int
    from_: date = Field(serialization_alias="from")
    to: date
    total: int
    days: list[ViewsOnDay]

    @classmethod
    def of(cls, counted: Sequence[DayViews], *, post_id: int, first: date, last: date) -> "PostViews":
        """Return the views from `first` to `last`, both included."""
        return cls(
            post_id=post_id,
            from_=first,
            to=last,
            total=sum(one.views for one in counted),
            days=[ViewsOnDay.from_attributes(one) for one in counted],
        )


class TopPost(Output):
    """A post and its views."""

    id: int
    slug: str
    title: str
    url: str
    views: int


class TopPosts(Output):
    """The posts with the most views in a number of days, the most viewed first."""

    days: int
    posts: list[TopPost]

    @classmethod
    def of(cls, posts: Iterable[ViewedPost], urls: BlogURLs, *, days: int) -> "TopPosts":
        """Return the most viewed posts of the last `days` days."""
        return cls(days=days, posts=[TopPost.from_attributes(one, url=urls.post_url(one.slug)) for one in posts])


class CutRange(Output):
    """A part of the submitted body, in UTF-8 bytes; ``end`` is exclusive."""

    start: int
    end: int


class FaqProposal(Output):
    """The FAQ found in a body, and the body without it; nothing is stored."""

    pairs: list[FaqObject]
    cut: list[CutRange]
    body_after: str
    leftover: list[str]
    class_: FaqClass = Field(serialization_alias="class")
    reasons: list[FaqReason]
    source_body_sha256: str

    @classmethod
    def of(cls, found: FaqExtraction) -> "FaqProposal":
        """Return what was found in a body."""
        return cls.from_attributes(found, class_=found.verdict)
