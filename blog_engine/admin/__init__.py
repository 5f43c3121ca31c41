"""The desk: the admin of the blog, in which people write, review and publish.

Pages read with queries and write with services alone, in the name of the signed-in user.
"""

from django.contrib import admin
from django.contrib.admin import AdminSite

from blog_engine.admin.lists import (
    ApiTokenAdmin,
    AuthorAdmin,
    CategoryAdmin,
    HouseStyleAdmin,
    ImageAdmin,
    PolicyPageAdmin,
    RedirectAdmin,
    SeriesAdmin,
    TagAdmin,
)
from blog_engine.admin.posts import PostAdmin
from blog_engine.models import ApiToken, Author, Category, HouseStyle, Image, PolicyPage, Post, Redirect, Series, Tag

INDEX_TEMPLATE = "admin/blog_engine/index.html"

_ADMINS = {
    Post: PostAdmin,
    Image: ImageAdmin,
    Category: CategoryAdmin,
    Tag: TagAdmin,
    Series: SeriesAdmin,
    Author: AuthorAdmin,
    Redirect: RedirectAdmin,
    PolicyPage: PolicyPageAdmin,
    HouseStyle: HouseStyleAdmin,
    ApiToken: ApiTokenAdmin,
}


def register_desk(site: AdminSite) -> None:
    """Register the desk with an admin site; the default site has it already.

    The index of the site shows what waits, unless the site has its own ``index_template``.
    """
    for model, admin_class in _ADMINS.items():
        site.register(model, admin_class)
    if site.index_template is None:
        site.index_template = INDEX_TEMPLATE


register_desk(admin.site)
