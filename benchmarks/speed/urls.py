"""The URLs of the example site, and a bare view to compare with."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from example_site.urls import urlpatterns as of_the_site

_PARAGRAPH = "<p>A view that returns what it has, without a query or a template, is the least that Django can do.</p>\n"
_PAGE = f"<!DOCTYPE html>\n<title>Bare</title>\n{_PARAGRAPH * 200}"


def bare(request: HttpRequest) -> HttpResponse:
    """Return 21 kB of HTML."""
    return HttpResponse(_PAGE)


urlpatterns = [path("bare", bare), *of_the_site]
