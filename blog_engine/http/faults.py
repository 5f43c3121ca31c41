"""Translate exceptions that are not bugs into refusals."""

import logging
from collections.abc import Mapping

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.log import log_response

from blog_engine.errors import Busy, PayloadTooLarge, Refusal, ValidationFailed
from blog_engine.queries.database import refusal_of_database

logger = logging.getLogger("blog_engine")

# What Django raises while the engine or an authenticate hook reads a request.
_READ_FAULTS: Mapping[type[Exception], Refusal] = {
    RequestDataTooBig: PayloadTooLarge(),
    TooManyFieldsSent: ValidationFailed(hint="The URL has too many query parameters."),
    UnreadablePostError: ValidationFailed(["body"], hint="The body could not be read."),
}


def refusal_of(fault: Exception) -> Refusal | None:
    """Return the refusal to answer an exception with, or ``None`` for a bug.

    That is a refusal itself, the refusal of a request that cannot be read, or ``Busy`` or ``Unavailable`` for a
    temporary fault of the database. Faults of the cache are not handled here, since ``rate_limit`` raises
    ``Unavailable`` itself. A forged ``Host`` header gets Django's own 400.
    """
    read_fault = next((refusal for kind, refusal in _READ_FAULTS.items() if isinstance(fault, kind)), None)
    return read_fault or refusal_of_database(fault)


def logged_refusal_of(fault: Exception) -> Refusal | None:
    """Return ``refusal_of(fault)``, and log it if the installation is at fault."""
    refusal = refusal_of(fault)
    if refusal is not None and refusal is not fault and refusal.is_our_own_fault:
        # Where it was locked says nothing: any write waits as long.
        why, of_fault = str(fault).partition("\n")[0], None if isinstance(refusal, Busy) else fault
        logger.error("A request could not be answered: the database is %s (%s).", refusal.code, why, exc_info=of_fault)
    return refusal


def report_bug(fault: Exception, request: HttpRequest | None = None, *, response: HttpResponse | None = None) -> None:
    """Log a bug with its traceback and send ``got_request_exception``, as Django does.

    Call it while the exception is being handled, since receivers of the signal ask for it. ``response`` is the response
    with status 500, if there is one, which Django then does not log again. Without a request the bug is only logged.
    """
    if request is None:
        logger.error("A tool failed.", exc_info=fault)
        return
    got_request_exception.send(sender=None, request=request)
    answered = response or HttpResponse(status=500)
    log_response("Internal Server Error: %s", request.path, request=request, response=answered, exception=fault)
