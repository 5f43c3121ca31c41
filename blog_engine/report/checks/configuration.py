"""The settings, by the code of Django's system checks (decisions.md 4)."""

from django.core.checks import ERROR, CheckMessage, run_checks

from blog_engine.conf import SETTINGS_CHECKS, configuration_warnings, get_settings, settings_faults
from blog_engine.report.base import Verdict, Visit, verdict


def check_configuration(visit: Visit) -> Verdict:
    """The settings have no fault, fit the host, and are no longer those of the example.

    What another check of the doctor reports is left to it. Warnings that the host silenced stay silent; an error
    breaks the engine all the same.
    """
    found = run_checks(tags=[SETTINGS_CHECKS])
    errors = [message for message in found if message.level >= ERROR]
    warnings = [message for message in found if message.level < ERROR and not message.is_silenced()]
    return verdict(
        errors=_sentences(errors),
        warnings=[*_sentences(warnings), *_placeholders()],
        well="The settings have no faults.",
    )


def _sentences(messages: list[CheckMessage]) -> list[str]:
    return [f"{message.msg} {message.hint}" for message in messages]


def _placeholders() -> list[str]:
    if settings_faults():
        return []
    return [f"BLOG_ENGINE: {warning}: write your own." for warning in configuration_warnings(get_settings())]
