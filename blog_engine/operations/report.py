"""What readers get, compared with what was recorded (service.md section 4.1, Reports; records.md 16)."""

from blog_engine.actor import Call, Scope
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.inputs.report import SurfaceReportOf
from blog_engine.operations.base import operation
from blog_engine.outputs.report import SurfaceReportAnswer
from blog_engine.report.surface.report import look_at_surface
from blog_engine.vocabulary import ReportScope


@operation(scope=Scope.READ, refuses=[NotFound])
def get_surface_report(data: SurfaceReportOf, call: Call) -> SurfaceReportAnswer:
    """Fetch public pages and compare them with the records of their posts."""
    if (data.post is None) is (data.scope is ReportScope.POST):
        raise ValidationFailed(["post"], hint="Name a post with the scope post, and with no other.")
    return SurfaceReportAnswer.of(
        look_at_surface(data.scope, post=data.post, page=data.page, reach=data.reach, now=call.now)
    )
