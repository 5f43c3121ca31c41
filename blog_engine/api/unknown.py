"""Addresses under ``<mount>/api/`` that nothing answers (decisions.md 3.10)."""

from django.http import HttpRequest, HttpResponse

from blog_engine.access.responses import refuse
from blog_engine.errors import NotFound
from blog_engine.http.exemptions import exempt_from_host_rules


@exempt_from_host_rules
def unknown_address(request: HttpRequest) -> HttpResponse:
    """404 in the error envelope, whoever asks and with whatever method."""
    return refuse(NotFound())
