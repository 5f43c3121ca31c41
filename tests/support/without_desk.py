"""The URLs of a host that has no admin site."""

from django.urls import include, path

urlpatterns = [path("blog/", include("blog_engine.urls"))]
