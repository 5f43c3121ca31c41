"""Whether the installation is well (service.md section 4.1)."""

from blog_engine.actor import Call, Scope
from blog_engine.inputs.base import NoInput
from blog_engine.operations.base import operation
from blog_engine.outputs.doctor import Doctor
from blog_engine.report.base import Visit
from blog_engine.report.doctor import examine

MOST_POSTS = 500
"""The most recently changed public posts that one call recomputes (decisions.md 9.16)."""


@operation(scope=Scope.READ)
def doctor(data: NoInput, call: Call) -> Doctor:
    """Check the installation in thirteen points; nothing is changed."""
    return Doctor.of(examine(Visit(now=call.now, newest_posts=MOST_POSTS)))
