"""Posts made the way hosts make them: through the services."""

from datetime import UTC, datetime, timedelta
from typing import Any

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.base import parse
from blog_engine.inputs.history import ApproveRevision, DeclareConnections
from blog_engine.inputs.posts import PostRef, PublishPost, RemovePost, SavePost, UpdatePost
from blog_engine.models import Post
from blog_engine.services import Written

NOW = datetime(2026, 11, 21, 12, 0, 0, 711000, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
EDITOR = Actor("Ines Editor")
AGENT = Actor("Drafting agent", scopes=["read", "write"])


def save(*, actor: Actor = EDITOR, now: datetime = NOW, **fields: Any) -> Written:
    """``POST /posts``: a draft, or with ``publish=True`` a public post; a title is made up when none is given."""
    data = parse(SavePost, {"title": "Winter garden"} | fields)
    verb = services.publish_new_post if data.publish else services.save_draft
    return verb(data, actor=actor, now=now)


def update(post: Post, *, actor: Actor = EDITOR, now: datetime = LATER, **fields: Any) -> Written:
    """``PATCH /posts/:id``."""
    data = parse(UpdatePost, fields, fixed={"id": str(post.pk)})
    return services.update_post(data, actor=actor, now=now)


def publish(post: Post, *, actor: Actor = EDITOR, now: datetime = LATER, **fields: Any) -> Written:
    """``POST /posts/:id/publish``."""
    data = parse(PublishPost, fields, fixed={"id": str(post.pk)})
    return services.publish_post(data, actor=actor, now=now)


def unpublish(post: Post, *, actor: Actor = EDITOR, now: datetime = LATER) -> Written:
    """``POST /posts/:id/unpublish``."""
    return services.unpublish_post(PostRef(id=str(post.pk)), actor=actor, now=now)


def remove(post: Post, *, actor: Actor = EDITOR, now: datetime = LATER, **fields: Any) -> Written:
    """``DELETE /posts/:id``."""
    data = parse(RemovePost, fields, fixed={"id": str(post.pk)})
    return services.remove_post(data, actor=actor, now=now)


def approve(
    post: Post, *, identifier: str | None = None, facts_checked: bool = True, actor: Actor = EDITOR, now: datetime = NOW
) -> Written:
    """``POST /posts/:id/approvals``, of the present content unless an identifier is given."""
    data = ApproveRevision(
        id=str(post.pk),
        revision_identifier=identifier or post.current_revision_identifier,
        name="Rosa Reviewer",
        facts_checked=facts_checked,
    )
    return services.approve_revision(data, actor=actor, now=now)


def declare(post: Post, *, actor: Actor = EDITOR, now: datetime = NOW, **fields: Any) -> Written:
    """``POST /posts/:id/connections``; declares none unless told otherwise."""
    raw = {"connections": [], "third_party_paid": False, "declared_by": "Ines Editor"} | fields
    data = parse(DeclareConnections, raw, fixed={"id": str(post.pk)})
    return services.declare_connections(data, actor=actor, now=now)
