"""Exceptions that are no bug, as refusals: for every face that answers requests (decisions.md 9)."""

import logging
from collections.abc import Mapping

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.core.signals import got_request_exception
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.utils.log import log_response

from blog_engine.errors import PayloadTooLarge, Refusal, ValidationFailed
from blog_engine.queries.database import refusal_of_database

logger = logging.getLogger("blog_engine")

# What Django raises while a request is read, by us or by a host's authenticate hook.
_OF_READING: Mapping[type[Exception], Refusal] = {
    RequestDataTooBig: PayloadTooLarge(),
    TooManyFieldsSent: ValidationFailed(hint="The address has too many query parameters."),
    UnreadablePostError: ValidationFailed(["body"], hint="The body could not be read."),
}


def refusal_of(fault: Exception) -> Refusal | None:
    """A refusal itself, that of a request which cannot be read, and ``Busy`` or ``Unavailable`` for a passing fault.

    ``None`` for a bug, such as a missing table. A cache out of reach is not looked for: ``rate_limit`` raises
    ``Unavailable`` itself. A forged ``Host`` header stays Django's own 400, as its ``CommonMiddleware`` gives it.
    """
    of_reading = next((refusal for kind, refusal in _OF_READING.items() if isinstance(fault, kind)), None)
    return of_reading or refusal_of_database(fault)


def answer_to_fault(fault: Exception) -> Refusal | None:
    """The same for whoever answers the request with it: what went wrong with the installation goes into the log."""
    refusal = refusal_of(fault)
    if refusal is not None and refusal is not fault and refusal.is_our_own_fault:
        logger.error("A request could not be answered: the database is %s.", refusal.code, exc_info=fault)
    return refusal


def report_bug(fault: Exception, request: HttpRequest | None = None, *, response: HttpResponse | None = None) -> None:
    """Log a bug with its traceback, and tell error reporters, as Django does for an exception that a view raises.

    Call it while the exception is handled: receivers of ``got_request_exception`` ask for it. ``response`` is the
    answer with status 500, if there is one; Django does not log it again. Without a request the bug is logged only.
    """
    if request is None:
        logger.error("A tool failed.", exc_info=fault)
        return
    got_request_exception.send(sender=None, request=request)
    answered = response or HttpResponse(status=500)
    log_response("Internal Server Error: %s", request.path, request=request, response=answered, exception=fault)
