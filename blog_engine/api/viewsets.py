"""Which operation answers which address (service.md section 4.1)."""

from blog_engine.api import statuses
from blog_engine.api.base import EngineViewSet
from blog_engine.api.serves import serves, serves_at
from blog_engine.operations import posts


class PostViewSet(EngineViewSet):
    """``/posts``: ``:id`` is the numeric id or the slug."""

    list = serves(posts.list_posts)
    create = serves(posts.save_post, status=statuses.of_save)
    retrieve = serves(posts.get_post)
    partial_update = serves(posts.update_post)
    destroy = serves(posts.remove_post)
    publish = serves_at("publish", posts.publish_post, method="post", status=statuses.of_release)
    unpublish = serves_at("unpublish", posts.unpublish_post, method="post")
    approvals = serves_at("approvals", posts.approve_revision, method="post")
    connections = serves_at("connections", posts.declare_connections, method="post")
    records = serves_at("records", posts.get_post_records, method="get")
    findings = serves_at("findings", posts.check_post, method="get")
    preview = serves_at("preview", posts.get_preview_link, method="get")
