"""Operations that report: page views, doctor, surface report, FAQ extraction."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from threading import Lock
from typing import Final

from blog_engine.actor import Call, Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.content.faq_extraction import propose_faq
from blog_engine.doctor import run_probes
from blog_engine.doctor.base import ProbeContext
from blog_engine.enums import BodyFormat, ReportScope
from blog_engine.errors import NotFound, RateLimited, ValidationFailed
from blog_engine.inputs.base import NoInput
from blog_engine.inputs.reports import ExtractFaq, SurfaceReportOf, TopViews, ViewsOfPost
from blog_engine.operations.base import operation
from blog_engine.outputs.reports import Doctor, FaqProposal, PostViews, SurfaceReportAnswer, TopPosts
from blog_engine.queries.page_views import most_viewed, utc_day, views_by_day
from blog_engine.queries.posts import post_id_of
from blog_engine.services._prepared import check_body_markup, check_body_size
from blog_engine.surface_report.report import make_report

_REPORTING: Final = Lock()
_SECONDS_TO_WAIT: Final = 5


@operation(scope=Scope.READ, refuses=[NotFound])
def get_surface_report(data: SurfaceReportOf, call: Call) -> SurfaceReportAnswer:
    """Fetch public pages and compare them with the records of their posts."""
    if (data.post is None) is (data.scope is ReportScope.POST):
        raise ValidationFailed(["post"], hint="Name a post with the scope post, and with no other.")
    with one_report_at_a_time():
        report = make_report(
            data.scope, post=data.post, page=data.page, per_page=data.per_page, reach=data.reach, now=call.now
        )
    return SurfaceReportAnswer.of(report, show=data.show)


@contextmanager
def one_report_at_a_time() -> Iterator[None]:
    """Raise ``RateLimited`` while this process makes another report.

    A report keeps a thread busy for up to a minute, and with ``reach`` it needs another thread for the pages: as many
    reports as threads would block the site.
    """
    if not _REPORTING.acquire(blocking=False):
        raise RateLimited(retry_after=_SECONDS_TO_WAIT)
    try:
        yield
    finally:
        _REPORTING.release()


_USUAL_SPAN = timedelta(days=29)


@operation(scope=Scope.READ, refuses=[NotFound])
def get_post_views(data: ViewsOfPost, call: Call) -> PostViews:
    """Get the views of a post in any state, by UTC day."""
    last = data.to or utc_day(call.now)
    first = data.from_ or last - min(_USUAL_SPAN, last - date.min)
    if first > last:
        raise ValidationFailed(["from"], hint=f"from must not be after to, which is {last}.")
    post_id = post_id_of(data.id)
    return PostViews.of(views_by_day(post_id, first=first, last=last), post_id=post_id, first=first, last=last)


@operation(scope=Scope.READ)
def get_top_views(data: TopViews, call: Call) -> TopPosts:
    """List the posts in any state with the most views in the last days, today (UTC) included."""
    posts = most_viewed(days=data.days, today=utc_day(call.now), limit=data.limit)
    return TopPosts.of(posts, BlogURLs.on(call.base_url), days=data.days)


MOST_POSTS = 500
"""Public posts that one call recomputes, the most recently changed first."""


@operation(scope=Scope.READ)
def doctor(data: NoInput, call: Call) -> Doctor:
    """Check the installation in fourteen points; nothing is changed."""
    return Doctor.of(run_probes(ProbeContext(now=call.now, newest_posts=MOST_POSTS)), now=call.now)


@operation(scope=Scope.READ)
def extract_faq(data: ExtractFaq, call: Call) -> FaqProposal:
    """Propose FAQ entries for the questions and answers in a Markdown body; nothing is stored."""
    check_body_size(data.body)
    check_body_markup(data.body, BodyFormat.MARKDOWN)
    return FaqProposal.of(propose_faq(data.body, standalone_questions=data.standalone_questions))
