"""Addresses under ``<mount>/api/`` that nothing answers (decisions.md 3.10)."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from blog_engine.api.answers import refuse
from blog_engine.errors import NotFound


@csrf_exempt
@login_not_required
def unknown_address(request: HttpRequest) -> HttpResponse:
    """404 in the error envelope, whoever asks and with whatever method."""
    return refuse(NotFound())
