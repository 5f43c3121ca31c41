"""URL patterns of the example site: two pages, the admin, and the blog."""

from django.conf import settings
from django.conf.urls.static import static
from django.contrib import admin
from django.http import HttpRequest, HttpResponseRedirect
from django.templatetags.static import static as static_file
from django.urls import include, path
from django.views.generic import TemplateView


def favicon(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect to the icon of the blog, for browsers that show a feed or an image."""
    return HttpResponseRedirect(static_file("blog_engine/icon.svg"))


urlpatterns = [
    path("", TemplateView.as_view(template_name="example_site/home.html"), name="home"),
    path(
        "about/responsible-party/",
        TemplateView.as_view(template_name="example_site/responsible_party.html"),
        name="responsible_party",
    ),
    path("favicon.ico", favicon),
    path("", include("blog_engine.mcp.well_known")),
    path("admin/", admin.site.urls),
    path("blog/", include("blog_engine.urls")),
    *static(settings.MEDIA_URL, document_root=settings.MEDIA_ROOT),
]
