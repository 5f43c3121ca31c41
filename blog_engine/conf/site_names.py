"""The names in the header of the admin."""

from typing import Any

from django.contrib.admin import AdminSite

from blog_engine.conf import get_settings


def named_after_blog(site: AdminSite) -> dict[str, Any]:
    """Return the blog's name for the header and the titles of an admin site that still has Django's own.

    An ``AdminSite`` of the host, and names that the host set, stay.
    """
    # The default site is a proxy, whose class alone is not.
    if site.__class__ is not AdminSite:
        return {}
    names = ("site_header", "site_title")
    return {name: get_settings().site_name for name in names if getattr(site, name) is getattr(AdminSite, name)}
