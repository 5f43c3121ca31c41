"""Every exception of an API request that has an answer (design.md 1.3)."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpResponse, UnreadablePostError

from blog_engine.access import faults
from blog_engine.access.authenticate import challenge
from blog_engine.api.answers import refuse
from blog_engine.errors import PayloadTooLarge, Refusal, Unauthenticated, ValidationFailed

# What Django raises while a request is read, by us or by a host's authenticate hook.
_REFUSALS: Mapping[type[Exception], Refusal] = {
    RequestDataTooBig: PayloadTooLarge(),
    TooManyFieldsSent: ValidationFailed(hint="The address has too many query parameters."),
    UnreadablePostError: ValidationFailed(["body"], hint="The body could not be read."),
}


def answer_exception(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """The envelope for a refusal; ``None`` for a bug, which then reaches Django and the host's logs.

    A forged ``Host`` header stays Django's own 400, the same that its ``CommonMiddleware`` gives.
    """
    refusal = _refusal_for(error)
    if refusal is None:
        return None
    is_unknown = isinstance(refusal, Unauthenticated)
    request = context["request"]._request
    return refuse(refusal, headers={"WWW-Authenticate": challenge(request)} if is_unknown else {})


def _refusal_for(error: Exception) -> Refusal | None:
    if isinstance(error, Refusal):
        return error
    return next((_REFUSALS[kind] for kind in _REFUSALS if isinstance(error, kind)), None) or faults.refusal_of(error)
