"""The verdict of a probe of the doctor."""

from collections.abc import Callable

from blog_engine.doctor.base import ProbeContext, Verdict
from tests.support.tables import verdict_of


def assert_verdict(probe: Callable[[ProbeContext], Verdict], status: str, *words: str) -> str:
    """Assert that a probe has this status and that its message has these words; return the message."""
    found, message = verdict_of(probe)
    assert found == status, message
    assert [word for word in words if word not in message] == [], message
    return message
