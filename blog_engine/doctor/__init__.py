"""The doctor: fourteen probes of an installation."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass

from django.db import transaction

from blog_engine.doctor import appearance, content, installation, routes, services
from blog_engine.doctor.base import ProbeContext, ProbeSkipped, Verdict, describe_fault
from blog_engine.enums import CheckStatus
from blog_engine.queries.database import engine_connection

Probe = Callable[[ProbeContext], Verdict]

PROBES: dict[str, Probe] = {
    "Configuration": installation.probe_configuration,
    "Migrations": installation.probe_migrations,
    "Route": routes.probe_route,
    "Templates": appearance.probe_templates,
    "Theme": appearance.probe_theme,
    "Static files": installation.probe_static_files,
    "Authentication": installation.probe_authentication,
    "Rate limit": services.probe_rate_limit,
    "Schedule": installation.probe_schedule,
    "Storage": services.probe_storage,
    "Policy pages": content.probe_policy_pages,
    "Records": content.probe_records,
    "Social pictures": appearance.probe_social_pictures,
    "Declarations": installation.probe_declarations,
}


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The verdict of one probe under its name."""

    name: str
    status: CheckStatus
    message: str


def run_probes(context: ProbeContext) -> list[ProbeResult]:
    """Run all probes, which change nothing, and return their results; never raises."""
    return list(each_probe(context))


def each_probe(context: ProbeContext) -> Iterator[ProbeResult]:
    """Run one probe after the other, as ``run_probes``, and yield each result at once."""
    for name, probe in PROBES.items():
        found = _run(probe, context)
        yield ProbeResult(name=name, status=found.status, message=found.message)


def _run(probe: Probe, context: ProbeContext) -> Verdict:
    try:
        connection = engine_connection()
        # In a transaction of the caller, a failed query would break the probes that follow.
        with transaction.atomic(using=connection.alias) if connection.in_atomic_block else nullcontext():
            return probe(context)
    except ProbeSkipped as reason:
        return Verdict(CheckStatus.WARNING, f"Not checked: {reason}")
    except Exception as fault:
        return Verdict(CheckStatus.ERROR, f"Check unavailable: {describe_fault(fault)}")
