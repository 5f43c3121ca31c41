"""Addresses of the example site: two pages of its own, the admin, and the blog."""

from django.conf import settings
from django.conf.urls.static import static
from django.contrib import admin
from django.urls import include, path
from django.views.generic import TemplateView

urlpatterns = [
    path("", TemplateView.as_view(template_name="example_site/home.html"), name="home"),
    path(
        "about/responsible-party/",
        TemplateView.as_view(template_name="example_site/responsible_party.html"),
        name="responsible_party",
    ),
    path("admin/", admin.site.urls),
    path("blog/", include("blog_engine.urls")),
    *static(settings.MEDIA_URL, document_root=settings.MEDIA_ROOT),
]
