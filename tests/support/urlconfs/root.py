"""A host that is only the blog."""

from django.urls import include, path

urlpatterns = [path("", include("blog_engine.urls"))]
