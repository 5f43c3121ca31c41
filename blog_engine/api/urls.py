"""Addresses of the API, below ``<mount>/api/``."""

from django.urls import include, path, re_path

from blog_engine.api.routers import EngineRouter
from blog_engine.api.unknown import unknown_address
from blog_engine.api.viewsets import PostViewSet

router = EngineRouter()
router.serve("posts", PostViewSet)

urlpatterns = [
    path("v1/", include(router.urls)),
    re_path("", unknown_address),
]
