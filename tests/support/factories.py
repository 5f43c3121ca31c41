"""Posts, records, adoptions, images and proposals, made through the services."""

from datetime import UTC, datetime, timedelta
from typing import Any

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.inputs.posts import (
    ApproveRevision,
    DeclareConnections,
    PublishPost,
    RemovePost,
    SavePost,
    UnpublishPost,
    UpdatePost,
)
from blog_engine.inputs.proposals import ApplyProposal, ProposalRef, RejectProposal
from blog_engine.inputs.records import (
    CreateAuthor,
    CreateCategory,
    CreateSeries,
    UpdateAuthor,
    UpdateCategory,
    UpdateSeries,
)
from blog_engine.models import Author, Category, Image, Post, Proposal, Series
from blog_engine.services import Adopted, ProposedContent, Written
from tests.support.images import plain

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


def unpublish(post: Post, *, actor: Actor = EDITOR, now: datetime = LATER, **fields: Any) -> Written:
    """``POST /posts/:id/unpublish``."""
    data = parse(UnpublishPost, fields, fixed={"id": str(post.pk)})
    return services.unpublish_post(data, actor=actor, now=now)


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
    """``POST /posts/:id/connections``; by default declares that there are none."""
    raw = {"connections": [], "third_party_paid": False, "declared_by": "Ines Editor"} | fields
    data = parse(DeclareConnections, raw, fixed={"id": str(post.pk)})
    return services.declare_connections(data, actor=actor, now=now)


def make_category(*, actor: Actor = EDITOR, **fields: Any) -> Category:
    """``POST /categories``; a name is made up when none is given."""
    return services.create_category(parse(CreateCategory, {"name": "Garden"} | fields), actor=actor, now=NOW)


def edit_category(category_id: object, *, actor: Actor = EDITOR, **fields: Any) -> Category:
    """``PATCH /categories/:id``."""
    data = parse(UpdateCategory, fields, fixed={"id": str(category_id)})
    return services.update_category(data, actor=actor, now=LATER)


def make_series(*, actor: Actor = EDITOR, **fields: Any) -> Series:
    """``POST /series``; a name is made up when none is given."""
    return services.create_series(parse(CreateSeries, {"name": "Tides"} | fields), actor=actor, now=NOW)


def edit_series(series_id: object, *, actor: Actor = EDITOR, **fields: Any) -> Series:
    """``PATCH /series/:id``."""
    data = parse(UpdateSeries, fields, fixed={"id": str(series_id)})
    return services.update_series(data, actor=actor, now=LATER)


def make_author(*, actor: Actor = EDITOR, **fields: Any) -> Author:
    """``POST /authors``; a name is made up when none is given."""
    return services.create_author(parse(CreateAuthor, {"name": "Mina Holt"} | fields), actor=actor, now=NOW)


def edit_author(author_id: object, *, actor: Actor = EDITOR, **fields: Any) -> Author:
    """``PATCH /authors/:id``."""
    data = parse(UpdateAuthor, fields, fixed={"id": str(author_id)})
    return services.update_author(data, actor=actor, now=LATER)


ARTICLE: dict[str, Any] = {
    "source_system": "oldpress",
    "source_id": "17",
    "slug": "night-ferry",
    "title": "The night ferry",
    "body_format": "markdown",
    "body": "It leaves at ten.",
}
FIRST = "2019-05-06T07:08:09.123456Z"
MODIFIED = "2020-06-07T08:09:10Z"
DECLARATION: dict[str, Any] = {
    "reviewer_name": "Rosa Reviewer",
    "facts_checked": True,
    "approved_at": "2020-01-02T03:04:05Z",
    "declared_by": "Mina Holt",
    "declared_on": "2026-11-20",
}
IMPORTED: dict[str, Any] = {
    "reviewer_name": "Rosa Reviewer",
    "facts_checked": True,
    "approved_at": "2020-01-02T03:04:05Z",
    "evidence": "Workflow entry 4",
    "confirmed_by": "Mina Holt",
}
CONNECTIONS: dict[str, Any] = {
    "connections": [{"party": "Quay Ltd", "relation": "customer"}],
    "third_party_paid": False,
    "declared_by": "Mina Holt",
}
WHOLE: dict[str, Any] = ARTICLE | {
    "description": "Ten at night.",
    "search_title": "Night ferry",
    "search_description": "When it leaves.",
    "author": "Old Hand",
    "cover_alt": "The quay",
    "faq": [{"question": "When?", "answer": "At ten."}],
    "category": "Ships",
    "category_description": "All about ships.",
    "tags": ["Sea", "Night"],
    "series": "Crossings",
    "series_position": 2,
    "featured": True,
    "canonical_url": "https://old.example/ferry",
    "external_id": "ferry-17",
    "provenance": "human_written",
    "provenance_evidence": "Written in 2019.",
    "source_body_sha256": "a" * 64,
    "old_slugs": ["ferry", {"slug": "boat", "moved_on": "2019-12-31"}],
    "first_published_at": FIRST,
    "first_published_evidence": "Database dump",
    "last_modified_at": MODIFIED,
    "last_modified_evidence": "Database dump, column changed",
    "imported_approval": IMPORTED,
    "connections": CONNECTIONS,
}
"""An adoption that sends everything but the images."""


def adopt(article: dict[str, Any] = ARTICLE, *, actor: Actor = EDITOR, now: datetime = NOW, **fields: Any) -> Adopted:
    """``POST /adoptions`` of an article with some fields changed; ``...`` leaves a field out."""
    raw = {name: value for name, value in (article | fields).items() if value is not ...}
    return services.adopt_post(parse(AdoptPost, raw), actor=actor, now=now)


def recorded(adopted: Adopted) -> tuple[object, ...]:
    """Return what an adoption recorded: revision, publication, approval, baseline, redirects."""
    records = adopted.records
    return (records.revision, records.publication, records.approval, adopted.baseline, adopted.redirects)


def manifest_of(post: Post) -> list[tuple[str, str]]:
    """Return the URLs and digests of the images in the stored body."""
    return [(image["url"], image["sha256"]) for image in Post.objects.get(pk=post.pk).body_image_manifest]


def store_image(data: bytes | None = None, *, filename: str = "quay.png", **origin: str | None) -> Image:
    """``POST /images`` with a file."""
    upload = UploadImage(file=ImageBytes(data or plain(), filename), **origin)
    return services.store_image(upload, actor=EDITOR, now=NOW)


BODY = "One.\n\nTwo.\n\nThree."


def propose(post: Post, *, actor: Actor = AGENT, now: datetime = LATER, **fields: Any) -> int:
    """``PATCH /posts/:id`` with ``propose``; return the id of the proposal."""
    sent = fields or {"body": "One!\n\nTwo.\n\nThree.", "change": "maintenance"}
    made = update(post, actor=actor, now=now, propose=True, **sent).proposal
    assert made is not None
    return made


def proposed_for(**fields: Any) -> tuple[Post, int]:
    """Return a public post, and the id of a proposal for it."""
    post = save(publish=True, body=BODY).post
    return post, propose(post, **fields)


def apply(proposal: int, *, actor: Actor = EDITOR, now: datetime = LATER, **fields: Any) -> Written:
    """``POST /proposals/:id/apply``."""
    return services.apply_proposal(parse(ApplyProposal, {"proposal": proposal} | fields), actor=actor, now=now)


def reject(proposal: int, *, actor: Actor = EDITOR, now: datetime = LATER, **fields: Any) -> Written:
    """``POST /proposals/:id/reject``."""
    data = parse(RejectProposal, {"proposal": proposal, "reason": "Not true."} | fields)
    return services.reject_proposal(data, actor=actor, now=now)


def withdraw(proposal: int, *, actor: Actor = AGENT, now: datetime = LATER) -> Written:
    """``POST /proposals/:id/withdraw``."""
    return services.withdraw_proposal(ProposalRef(proposal=proposal), actor=actor, now=now)


def seen(proposal: int, *, now: datetime = LATER) -> ProposedContent:
    """``GET /proposals/:id``."""
    return services.read_proposal(ProposalRef(proposal=proposal), now=now)


def events_of(proposal: int) -> list[str]:
    """Return what happened to a proposal."""
    return [event.kind for event in Proposal.objects.get(pk=proposal).events.all()]
