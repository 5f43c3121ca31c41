"""A host that mounts the blog below another path."""

from django.urls import include, path

urlpatterns = [path("press/journal/", include("blog_engine.urls"))]
