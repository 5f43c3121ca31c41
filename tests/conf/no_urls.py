"""URL patterns of a host that forgot the engine."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
