"""A host that is nothing but the blog."""

from django.urls import include, path

urlpatterns = [path("", include("blog_engine.urls"))]
