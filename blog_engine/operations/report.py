"""What readers get, compared with what was recorded (service.md section 4.1, Reports; records.md 16)."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from blog_engine.actor import Call, Scope
from blog_engine.errors import NotFound, RateLimited, ValidationFailed
from blog_engine.inputs.reports import SurfaceReportOf
from blog_engine.operations.base import operation
from blog_engine.outputs.report import SurfaceReportAnswer
from blog_engine.report.surface.report import look_at_surface
from blog_engine.vocabulary import ReportScope

_REPORTING: Final = Lock()
_SECONDS_TO_WAIT: Final = 5


@operation(scope=Scope.READ, refuses=[NotFound])
def get_surface_report(data: SurfaceReportOf, call: Call) -> SurfaceReportAnswer:
    """Fetch public pages and compare them with the records of their posts."""
    if (data.post is None) is (data.scope is ReportScope.POST):
        raise ValidationFailed(["post"], hint="Name a post with the scope post, and with no other.")
    with _alone():
        report = look_at_surface(
            data.scope, post=data.post, page=data.page, per_page=data.per_page, reach=data.reach, now=call.now
        )
    return SurfaceReportAnswer.of(report, show=data.show)


@contextmanager
def _alone() -> Iterator[None]:
    """Raises ``RateLimited`` while another report is made in this process.

    Each keeps a thread busy for up to a minute, and with ``reach`` it needs another one for the pages: as many reports
    as threads would stop the site, and could wait for each other.
    """
    if not _REPORTING.acquire(blocking=False):
        raise RateLimited(retry_after=_SECONDS_TO_WAIT)
    try:
        yield
    finally:
        _REPORTING.release()
