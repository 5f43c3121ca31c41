"""The doctor: thirteen checks, always all of them, in one order (decisions.md 4, records.md 15)."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

from django.db import transaction

from blog_engine.queries.database import engine_connection
from blog_engine.report.base import CannotRun, Verdict, Visit
from blog_engine.report.checks.authentication import check_authentication
from blog_engine.report.checks.configuration import check_configuration
from blog_engine.report.checks.declarations import check_declarations
from blog_engine.report.checks.migrations import check_migrations
from blog_engine.report.checks.policy_pages import check_policy_pages
from blog_engine.report.checks.rate_limit import check_rate_limit
from blog_engine.report.checks.records import check_records
from blog_engine.report.checks.route import check_route
from blog_engine.report.checks.schedule import check_schedule
from blog_engine.report.checks.static_files import check_static_files
from blog_engine.report.checks.storage import check_storage
from blog_engine.report.checks.templates import check_templates
from blog_engine.report.checks.theme import check_theme
from blog_engine.report.fault import describe_fault
from blog_engine.vocabulary import CheckStatus

Check = Callable[[Visit], Verdict]

CHECKS: dict[str, Check] = {
    "Configuration": check_configuration,
    "Migrations": check_migrations,
    "Route": check_route,
    "Templates": check_templates,
    "Theme": check_theme,
    "Static files": check_static_files,
    "Authentication": check_authentication,
    "Rate limit": check_rate_limit,
    "Schedule": check_schedule,
    "Storage": check_storage,
    "Policy pages": check_policy_pages,
    "Records": check_records,
    "Declarations": check_declarations,
}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One line of the doctor's answer."""

    name: str
    status: CheckStatus
    message: str


def examine(visit: Visit) -> list[CheckResult]:
    """Look at the whole installation and change nothing; never raises for anything that is wrong with it."""
    results = []
    for name, check in CHECKS.items():
        found = _run(check, visit)
        results.append(CheckResult(name=name, status=found.status, message=found.message))
    return results


def _run(check: Check, visit: Visit) -> Verdict:
    try:
        connection = engine_connection()
        # Inside a transaction of the caller's a failed query would spoil the checks that follow.
        with transaction.atomic(using=connection.alias) if connection.in_atomic_block else nullcontext():
            return check(visit)
    except CannotRun as reason:
        return Verdict(CheckStatus.WARNING, f"Not checked: {reason}")
    except Exception as fault:
        return Verdict(CheckStatus.ERROR, f"Check unavailable: {describe_fault(fault)}")
