"""The doctor: probes of an installation, one row each."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass

from django.db import transaction

from blog_engine.doctor.appearance import probe_templates, probe_theme
from blog_engine.doctor.base import CannotRun, Verdict, Visit, describe_fault
from blog_engine.doctor.content import probe_policy_pages, probe_records
from blog_engine.doctor.installation import (
    probe_authentication,
    probe_configuration,
    probe_declarations,
    probe_migrations,
    probe_schedule,
    probe_static_files,
)
from blog_engine.doctor.routes import probe_route
from blog_engine.doctor.services import probe_rate_limit, probe_storage
from blog_engine.enums import CheckStatus
from blog_engine.queries.database import engine_connection

Check = Callable[[Visit], Verdict]

PROBES: dict[str, Check] = {
    "Configuration": probe_configuration,
    "Migrations": probe_migrations,
    "Route": probe_route,
    "Templates": probe_templates,
    "Theme": probe_theme,
    "Static files": probe_static_files,
    "Authentication": probe_authentication,
    "Rate limit": probe_rate_limit,
    "Schedule": probe_schedule,
    "Storage": probe_storage,
    "Policy pages": probe_policy_pages,
    "Records": probe_records,
    "Declarations": probe_declarations,
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
    for name, check in PROBES.items():
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
