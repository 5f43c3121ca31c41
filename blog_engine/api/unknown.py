"""Addresses under ``<mount>/api/`` that nothing answers (decisions.md 3.10)."""

from django.http import HttpRequest, HttpResponse

from blog_engine.access.open_view import open_to_anyone
from blog_engine.access.refusing import refuse
from blog_engine.errors import NotFound


@open_to_anyone
def unknown_address(request: HttpRequest) -> HttpResponse:
    """404 in the error envelope, whoever asks and with whatever method."""
    return refuse(NotFound())
