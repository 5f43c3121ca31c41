"""A whole surface report: its rows in their order, and what it declares (surface-report.order)."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from blog_engine.conf import get_settings
from blog_engine.enums import ReportScope
from blog_engine.queries.policies import policy_urls
from blog_engine.queries.posts import ReportedPage, ReportedPost, reported_page, reported_post
from blog_engine.rules.content_fields import CONTENT_FIELDS
from blog_engine.surface_report import byline, lists, markup, notices
from blog_engine.surface_report.content import judge_content
from blog_engine.surface_report.notices import policy_rows
from blog_engine.surface_report.observation import Observation, Row
from blog_engine.surface_report.reach import reach_rows, redirect_rows
from blog_engine.surface_report.site import ArticlePredicate, InspectedArticle, Inspection, Site, SitePredicate

REPORT_VERSION: Final = "1"

PAGE_PREDICATES: Final[Mapping[str, ArticlePredicate]] = {
    "E1": byline.judge_author,
    "E3": byline.judge_author_link,
    "E5": byline.judge_published_date,
    "T3": markup.judge_canonical,
    "T7": markup.judge_title,
    "T8": markup.judge_description,
    "T9": markup.judge_heading_levels,
    "T10": markup.judge_main_heading,
    "T11": markup.judge_language,
    "T12": markup.judge_viewport,
    "T13": markup.judge_image_texts,
    "T15": byline.judge_structured_article,
    "T16": byline.judge_structured_facts,
    "T17": markup.judge_sharing,
}
"""Judge the open page of an article."""
_SITE_PREDICATES: Final[Mapping[str, SitePredicate]] = {
    "T5": lists.judge_sitemap,
    "T6": lists.judge_feeds,
    "T21": lists.judge_list_pages,
}
_RECORD_PREDICATES: Final[Mapping[str, ArticlePredicate]] = {
    "E6": byline.judge_modified_date,
    "E7": byline.judge_corrections,
    "E18": notices.judge_review,
    "E19": judge_content,
    "E21": notices.judge_disclosure,
    "E22": notices.judge_paid_notice,
}
_EVIDENCE_OF_NOTICE: Final = frozenset({"E4", "E18", "E19"})

_NEEDS_A_BROWSER = "Needs a browser that lays pages out and runs them."
_NEEDS_THE_FIELD = "Needs measurements of real visits, which a report does not make."
NOT_RUN: Final[Mapping[str, str]] = {
    "T12_render": _NEEDS_A_BROWSER,
    "T18": _NEEDS_THE_FIELD,
    "T19": _NEEDS_THE_FIELD,
    "T20": _NEEDS_THE_FIELD,
}
NOT_ASSESSED: Final = ("E2", "E9", "E10", "E11", "E12", "E13", "E14", "E15", "E23", "E24", "E25")
"""Predicates that only people can judge."""
SENTENCE: Final = (
    "These are observations of a program: they prove nothing about the quality of the articles, and replace no review "
    "by a person, no look in a browser and no measurement in the field."
)

CONTENT_SELECTOR: Final = "[data-blog-content]"
FAQ_SELECTORS: Final = ("[data-blog-faq]", "[data-blog-faq-entry]")
FIELD_MAP: Final[Mapping[str, str]] = {
    one.recorded_as: one.markup for one in CONTENT_FIELDS if one.is_revised and one.markup
}
"""Where on a page the fields of a revision are looked for."""


@dataclass(frozen=True, slots=True)
class SurfaceReport:
    """The rows in order, and what was looked at.

    ``is_over_network``: the site's own pages were fetched as visitors fetch them, and not inside the application.
    """

    date: datetime
    is_over_network: bool
    scope: ReportScope
    selected: ReportedPage
    declarations: Mapping[str, Any]
    rows: tuple[Row, ...]
    limitations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """The progress of a report: the page of this post was opened."""

    record: ReportedPost
    number: int
    of: int


def make_report(
    scope: ReportScope, *, post: str | None, page: int, per_page: int, reach: bool, now: datetime
) -> SurfaceReport:
    """Fetch the pages of the site and compare them with its records; changes nothing and takes up to a minute.

    ``post`` (id or slug) belongs to the scope ``post``, and raises ``NotFound`` unless it is published. Own pages are
    answered by the application itself, or with ``reach`` over the network, which needs another worker of the server.
    """
    for step in report_steps(scope, post=post, page=page, per_page=per_page, reach=reach, now=now):
        if isinstance(step, SurfaceReport):
            return step
    raise RuntimeError("report_steps ended without a report")


def report_steps(
    scope: ReportScope, *, post: str | None, page: int, per_page: int, reach: bool, now: datetime
) -> Iterator[OpenedPage | Row | SurfaceReport]:
    """Make a report as ``make_report``, and yield each opened page, each row as it is found, and last the report.

    Only the report has the rows in their order.
    """
    settings = get_settings()
    selected = reported_page(page, per_page=per_page) if post is None else reported_post(post)
    site = Site.configured(settings, now=now, over_network=reach)
    records = () if scope is ReportScope.SITE else selected.posts
    articles = []
    for number, record in enumerate(records, start=1):
        articles.append(InspectedArticle(record, site.open_post(record)))
        yield OpenedPage(record, number, len(records))
    inspection = Inspection(
        site=site, scope=scope, posts=selected.posts, articles=tuple(articles), reach=reach, policies=policy_urls()
    )
    rows = yield from _rows(inspection)
    yield SurfaceReport(
        date=now,
        is_over_network=site.web.is_over_network,
        scope=scope,
        selected=selected,
        declarations={
            "field_map": FIELD_MAP,
            "content_selector": CONTENT_SELECTOR,
            "faq_selectors": FAQ_SELECTORS,
            "primary_list_type": settings.primary_list_type,
            "sign_in_destinations": settings.sign_in_destinations,
        },
        rows=rows,
        limitations=site.web.limitations,
    )


def judge_page(predicate: str, article: InspectedArticle, inspection: Inspection) -> Observation:
    """Judge the page of an article, or observe that it is not open (surface-report.closed)."""
    if not article.page.is_open:
        return article.page.unavailable("The article page")
    return PAGE_PREDICATES[predicate](article, inspection)


def _rows(inspection: Inspection) -> Generator[Row, None, tuple[Row, ...]]:
    """Yield each row as soon as it is found, and return all in the order of the report."""
    articles = inspection.articles
    pages: list[Row] = []
    for one in articles:
        found = [Row(name, judge_page(name, one, inspection), one.id) for name in PAGE_PREDICATES]
        yield from found
        pages += found
    policies = list(policy_rows(inspection))
    yield from policies
    records: list[Row] = []
    for one in articles:
        found = _record_rows(one, inspection, policies=policies)
        yield from found
        records += found
    reach = list(reach_rows(inspection))
    yield from reach
    # Last, for they may open thousands of pages, and nothing is fetched once the bounds of a report are reached.
    site = []
    for name, judge in _SITE_PREDICATES.items():
        site.append(Row(name, judge(inspection)))
        yield site[-1]
    redirects = list(redirect_rows(inspection))
    yield from redirects
    return (*pages, *policies, *site, *records, *redirects, *reach)


def _record_rows(article: InspectedArticle, inspection: Inspection, *, policies: Sequence[Row]) -> list[Row]:
    rows = [Row(name, judge(article, inspection), article.id) for name, judge in _RECORD_PREDICATES.items()]
    own = (row for row in (*policies, *rows) if row.post_id == article.id and row.predicate in _EVIDENCE_OF_NOTICE)
    notice = notices.judge_ai_notice(article, inspection, [row.observation for row in own])
    return [*rows[:-2], Row("E20", notice, article.id), *rows[-2:]]
