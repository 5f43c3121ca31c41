"""URL patterns with the name that the system checks look for."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def _index(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path("blog/", include(([path("", _index, name="index")], "blog_engine")))]
