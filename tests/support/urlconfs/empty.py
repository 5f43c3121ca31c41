"""URL patterns of a host that does not include those of the engine."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
