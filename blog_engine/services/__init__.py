"""Everything that changes a post: one verb a function, one transaction a call.

Each takes its input model and, by keyword, the ``Actor`` and the time ``now``; each raises a
``blog_engine.errors.Refusal`` and then has written nothing.
"""

from blog_engine.services.approve_revision import approve_revision
from blog_engine.services.declare_connections import declare_connections
from blog_engine.services.outcome import Recorded, Written
from blog_engine.services.publish_due import DuePosts, publish_due
from blog_engine.services.publish_post import publish_new_post, publish_post
from blog_engine.services.remove_post import remove_post
from blog_engine.services.render_posts import render_posts
from blog_engine.services.save_draft import save_draft
from blog_engine.services.unpublish_post import unpublish_post
from blog_engine.services.update_post import update_post

__all__ = [
    "DuePosts",
    "Recorded",
    "Written",
    "approve_revision",
    "declare_connections",
    "publish_due",
    "publish_new_post",
    "publish_post",
    "remove_post",
    "render_posts",
    "save_draft",
    "unpublish_post",
    "update_post",
]
