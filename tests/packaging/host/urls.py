"""One line mounts the blog."""

from django.urls import include, path

urlpatterns = [path("blog/", include("blog_engine.urls"))]
