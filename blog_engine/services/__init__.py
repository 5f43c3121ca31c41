"""Everything that changes posts and the records they refer to: one verb a function, one transaction a call.

Each takes its input model and, by keyword, the ``Actor`` and the time ``now`` if it matters; those that run by the
clock, by a command or for readers (``publish_due``, ``render_posts``, ``render_pages``, ``index_posts``,
``prune_page_views``, ``count_view``) have no actor. Each raises a ``blog_engine.errors.Refusal`` and then has written
nothing.
"""

from blog_engine.services._records import redirecting_page
from blog_engine.services.add_redirect import add_redirect, add_redirects
from blog_engine.services.adopt_post import adopt_post
from blog_engine.services.approve_revision import approve_revision
from blog_engine.services.count_view import count_view
from blog_engine.services.declare_connections import declare_connections
from blog_engine.services.delete_redirect import delete_redirect
from blog_engine.services.delete_taxonomy import delete_category, delete_series
from blog_engine.services.index_posts import index_posts
from blog_engine.services.outcome import Adopted, Recorded, Written
from blog_engine.services.prune_page_views import prune_page_views
from blog_engine.services.publish_due import DuePosts, publish_due
from blog_engine.services.publish_post import publish_new_post, publish_post
from blog_engine.services.remove_post import remove_post
from blog_engine.services.render_pages import render_pages
from blog_engine.services.render_posts import render_posts
from blog_engine.services.save_author import create_author, update_author
from blog_engine.services.save_category import create_category, update_category
from blog_engine.services.save_draft import save_draft
from blog_engine.services.save_page import SavedPage, save_page
from blog_engine.services.save_series import create_series, update_series
from blog_engine.services.store_image import store_image
from blog_engine.services.unpublish_post import unpublish_post
from blog_engine.services.update_post import update_post

__all__ = [
    "Adopted",
    "DuePosts",
    "Recorded",
    "SavedPage",
    "Written",
    "add_redirect",
    "add_redirects",
    "adopt_post",
    "approve_revision",
    "count_view",
    "create_author",
    "create_category",
    "create_series",
    "declare_connections",
    "delete_category",
    "delete_redirect",
    "delete_series",
    "index_posts",
    "prune_page_views",
    "publish_due",
    "publish_new_post",
    "publish_post",
    "redirecting_page",
    "remove_post",
    "render_pages",
    "render_posts",
    "save_draft",
    "save_page",
    "store_image",
    "unpublish_post",
    "update_author",
    "update_category",
    "update_post",
    "update_series",
]
