"""The office of the host: an admin site with its own name, path and login."""

from django.contrib.admin import AdminSite
from django.urls import include, path

from blog_engine.admin import register_desk


class Office(AdminSite):
    """The admin site of the host."""

    site_header = "The office"


office = Office(name="office")
register_desk(office)

urlpatterns = [path("office/", office.urls), path("blog/", include("blog_engine.urls"))]
