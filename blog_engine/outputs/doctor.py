"""What the doctor answers (service.md section 2, Doctor)."""

from collections.abc import Iterable

from blog_engine.outputs.base import Output
from blog_engine.report.doctor import CheckResult
from blog_engine.vocabulary import CheckStatus


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
