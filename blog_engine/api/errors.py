"""Every exception of an API request that has an answer (design.md 1.3)."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse

from blog_engine.access.authenticate import challenge
from blog_engine.access.faults import refusal_of
from blog_engine.api.answers import refuse
from blog_engine.errors import Unauthenticated


def answer_exception(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """The envelope for a refusal; ``None`` for a bug, which then reaches Django and the host's logs."""
    refusal = refusal_of(error)
    if refusal is None:
        return None
    is_unknown = isinstance(refusal, Unauthenticated)
    return refuse(refusal, headers={"WWW-Authenticate": challenge(context["request"]._request)} if is_unknown else {})
