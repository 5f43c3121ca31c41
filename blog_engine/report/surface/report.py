"""A whole surface report: its rows in their order, and what it says of itself (records.md 16)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from blog_engine.conf import get_settings
from blog_engine.enums import ReportScope
from blog_engine.queries.policies import policy_urls
from blog_engine.queries.posts import ReportedPage, reported_page, reported_post
from blog_engine.report.surface.checks.byline import check_author, check_author_link, check_published_date
from blog_engine.report.surface.checks.content import check_content
from blog_engine.report.surface.checks.corrections import check_corrections
from blog_engine.report.surface.checks.feeds import check_feeds
from blog_engine.report.surface.checks.head import (
    check_canonical,
    check_description,
    check_language,
    check_sharing,
    check_title,
    check_viewport,
)
from blog_engine.report.surface.checks.list_pages import check_list_pages
from blog_engine.report.surface.checks.listed_in_sitemap import check_sitemap
from blog_engine.report.surface.checks.modified_date import check_modified_date
from blog_engine.report.surface.checks.moved import redirect_rows
from blog_engine.report.surface.checks.notices import check_ai_notice, check_disclosure, check_paid_notice
from blog_engine.report.surface.checks.outline import check_heading_levels, check_image_texts, check_main_heading
from blog_engine.report.surface.checks.policies import policy_rows
from blog_engine.report.surface.checks.reach import reach_rows
from blog_engine.report.surface.checks.review import check_review
from blog_engine.report.surface.checks.structured_data import check_structured_article, check_structured_facts
from blog_engine.report.surface.inspection import Article, ArticleCheck, Inspection, SiteCheck
from blog_engine.report.surface.observation import Row
from blog_engine.report.surface.site import Site

REPORT_VERSION: Final = "1"

PAGE_CHECKS: Final[Mapping[str, ArticleCheck]] = {
    "E1": check_author,
    "E3": check_author_link,
    "E5": check_published_date,
    "T3": check_canonical,
    "T7": check_title,
    "T8": check_description,
    "T9": check_heading_levels,
    "T10": check_main_heading,
    "T11": check_language,
    "T12": check_viewport,
    "T13": check_image_texts,
    "T15": check_structured_article,
    "T16": check_structured_facts,
    "T17": check_sharing,
}
"""What the page of each article says, on its own."""

SITE_CHECKS: Final[Mapping[str, SiteCheck]] = {"T5": check_sitemap, "T6": check_feeds, "T21": check_list_pages}

_BEFORE_NOTICE: Final[Mapping[str, ArticleCheck]] = {
    "E6": check_modified_date,
    "E7": check_corrections,
    "E18": check_review,
    "E19": check_content,
}
_AFTER_NOTICE: Final[Mapping[str, ArticleCheck]] = {"E21": check_disclosure, "E22": check_paid_notice}
_EVIDENCE: Final = frozenset({"E4", "E18", "E19"})

_NEEDS_A_BROWSER = "Needs a browser that lays pages out and runs them."
_NEEDS_THE_FIELD = "Needs measurements of real visits, which a report does not make."
NOT_RUN: Final[Mapping[str, str]] = {
    "T12_render": _NEEDS_A_BROWSER,
    "T18": _NEEDS_THE_FIELD,
    "T19": _NEEDS_THE_FIELD,
    "T20": _NEEDS_THE_FIELD,
}
NOT_ASSESSED: Final = ("E2", "E9", "E10", "E11", "E12", "E13", "E14", "E15", "E23", "E24", "E25")
"""What only a person can judge."""
SENTENCE: Final = (
    "These are observations of a program: they prove nothing about the quality of the articles, and replace no review "
    "by a person, no look in a browser and no measurement in the field."
)

CONTENT_SELECTOR: Final = "[data-blog-content]"
FAQ_SELECTORS: Final = ("[data-blog-faq]", "[data-blog-faq-entry]")
FIELD_MAP: Final[Mapping[str, str]] = {
    "title": "h1 in the content",
    "description": "lede of the content",
    "search_title": "title in the head, without the site's suffix; the title where it is blank",
    "search_description": "meta description; the description where it is blank, then the first 60 words",
    "body": "[data-blog-body]",
    "author": "byline in the content, and author of the structured data",
    "images": "cover and images of the body in the content; og:image for the social image",
    "faq": "[data-blog-faq-entry]",
}
"""Where on a page the fields of a revision are looked for."""


@dataclass(frozen=True, slots=True)
class SurfaceReport:
    """What was looked at, and what was found; ``rows`` are in the order of records.md 16.

    ``is_over_network``: the site's own pages were fetched as visitors fetch them, and not inside the application.
    """

    date: datetime
    is_over_network: bool
    scope: ReportScope
    selected: ReportedPage
    declarations: Mapping[str, Any]
    rows: tuple[Row, ...]
    limitations: tuple[str, ...]


def look_at_surface(
    scope: ReportScope, *, post: str | None, page: int, per_page: int, reach: bool, now: datetime
) -> SurfaceReport:
    """Fetch the pages of the site and compare them with its records; changes nothing.

    ``post`` (id or slug) belongs to the scope ``post``, and raises ``NotFound`` unless it is published. Own pages are
    asked of the application itself, or with ``reach`` over the network, which needs another worker of the server.
    Takes up to a minute, and counts no views.
    """
    settings = get_settings()
    selected = reported_page(page, per_page=per_page) if post is None else reported_post(post)
    site = Site.configured(settings, now=now, over_network=reach)
    is_about_articles = scope is not ReportScope.SITE
    articles = (
        tuple(Article(one, site.open(site.urls.post_url(one.post.slug))) for one in selected.posts)
        if is_about_articles
        else ()
    )
    inspection = Inspection(
        site=site, scope=scope, posts=selected.posts, articles=articles, reach=reach, policies=policy_urls()
    )
    return SurfaceReport(
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
        rows=_rows(inspection),
        limitations=site.web.limitations,
    )


def _rows(inspection: Inspection) -> tuple[Row, ...]:
    articles = inspection.articles
    pages = [
        Row(predicate, check(one, inspection), one.id) for one in articles for predicate, check in PAGE_CHECKS.items()
    ]
    policies = list(policy_rows(inspection))
    records = [row for one in articles for row in _record_rows(one, inspection, policies=policies)]
    reach = list(reach_rows(inspection))
    # Last, for they may open thousands of pages, and nothing is fetched once the bounds of a report are reached.
    site = [Row(predicate, check(inspection)) for predicate, check in SITE_CHECKS.items()]
    redirects = redirect_rows(inspection)
    return (*pages, *policies, *site, *records, *redirects, *reach)


def _record_rows(article: Article, inspection: Inspection, *, policies: Sequence[Row]) -> Iterator[Row]:
    rows = [Row(predicate, check(article, inspection), article.id) for predicate, check in _BEFORE_NOTICE.items()]
    yield from rows
    own = [row for row in (*policies, *rows) if row.post_id == article.id and row.predicate in _EVIDENCE]
    yield Row("E20", check_ai_notice(article, inspection, [row.observation for row in own]), article.id)
    for predicate, check in _AFTER_NOTICE.items():
        yield Row(predicate, check(article, inspection), article.id)
