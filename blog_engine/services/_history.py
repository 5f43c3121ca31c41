"""Writing history: the only place that makes revisions, publications and inline approvals (design.md 6.5)."""

from datetime import datetime
from typing import Literal

from blog_engine.conf import get_settings
from blog_engine.enums import ApprovalKind, EntryType
from blog_engine.models import Approval, Post, Publication, Revision
from blog_engine.queries.feeds import free_feed_id
from blog_engine.queries.history import public_dates
from blog_engine.services._edit import Edit
from blog_engine.services.outcome import Recorded

REPUBLISHED = "republished"
"""The description of a release that brings unchanged content back (records.md 5.2)."""


def remember_authorship(edit: Edit) -> None:
    """Note on the post who changed its content last and whether AI made it, until a revision records it.

    A write of the same unrecorded content does not lower ``made_by_ai`` from true. A run without an actor, whose hook
    may change content, leaves the actor as it is.
    """
    post = edit.post
    changed = edit.stored.get("current_revision_identifier") != post.current_revision_identifier
    if not changed and not edit.sent("made_by_ai"):
        return
    if _stored_revision(post) is not None:
        _forget_authorship(post)
        return
    if changed and edit.actor is not None:
        post.unrecorded_actor = edit.actor.name
    if edit.sent("made_by_ai") and not post.unrecorded_made_by_ai:
        post.unrecorded_made_by_ai = edit.data.made_by_ai


def record_revision(edit: Edit) -> tuple[Revision, Literal["new", "same"]]:
    """Return the revision of the edit's content: the stored row of that identifier, or a new one.

    The post remembers who made its content until here; the caller stores that it no longer does.
    """
    post = edit.post
    revision = _stored_revision(post)
    made: Literal["new", "same"] = "same"
    if revision is None:
        revision, made = _new_revision(edit), "new"
    _forget_authorship(post)
    return revision, made


def _stored_revision(post: Post) -> Revision | None:
    if post.pk is None:
        return None
    return Revision.objects.filter(post=post, identifier=post.current_revision_identifier).first()


def _new_revision(edit: Edit) -> Revision:
    post = edit.post
    revision = Revision(
        post=post,
        identifier=post.current_revision_identifier,
        payload=edit.payload,
        actor=post.unrecorded_actor,
        made_by_ai=post.unrecorded_made_by_ai,
        created_at=edit.now,
    )
    revision.save()
    return revision


def _forget_authorship(post: Post) -> None:
    post.unrecorded_actor = post.unrecorded_made_by_ai = None


def record_release(edit: Edit) -> Recorded:
    """Record that the content is public now, and set what follows from it on the post (records.md 5.2)."""
    revision, made = record_revision(edit)
    entry = _entry_type(edit)
    if entry is not None:
        _record_publication(edit, revision, entry, description=edit.data.change_description or _republished(edit))
    _make_public(edit, revision)
    return Recorded(revision=made, publication=entry)


def record_adopted(edit: Edit, revision: Revision) -> EntryType:
    """Record that an adopted revision is public; its baseline must be stored, because the dates follow from it."""
    _record_publication(edit, revision, EntryType.ADOPTED)
    _make_public(edit, revision)
    return EntryType.ADOPTED


def record_approval(
    post: Post, revision: Revision, *, name: str, facts_checked: bool, actor_name: str | None, now: datetime
) -> ApprovalKind:
    """Record a review that was sent with a call."""
    Approval(
        post=post,
        revision=revision,
        kind=ApprovalKind.SENT.value,
        reviewer_name=name,
        facts_checked=facts_checked,
        approved_at=now,
        recorded_by=actor_name,
        created_at=now,
    ).save()
    return ApprovalKind.SENT


def _record_publication(edit: Edit, revision: Revision, entry: EntryType, *, description: str | None = None) -> None:
    Publication(
        post=edit.post,
        revision=revision,
        entry_type=entry.value,
        occurred_at=edit.now,
        released_by=edit.actor_name,
        description=description,
        note=edit.data.note,
        created_at=edit.now,
    ).save()


def _make_public(edit: Edit, revision: Revision) -> None:
    """Set what follows from the history on the post (records.md 5.2, point 4)."""
    post = edit.post
    dates = public_dates(post)
    post.public_revision = revision
    post.published_at = dates.published_at
    post.modified_at = dates.modified_at
    post.listed_at = dates.listed_at
    post.feed_id = post.feed_id or _permanent_feed_id(edit)


def _permanent_feed_id(edit: Edit) -> str | None:
    """Return the id of the post in feeds, or `None` while neither a setting nor a request names a host."""
    origin = get_settings().public_base_url or edit.base_url
    if not origin:
        return None
    first = Publication.objects.filter(post=edit.post).earliest("occurred_at", "id")
    return free_feed_id(origin, published=first.occurred_at, post_id=edit.post.pk)


def _entry_type(edit: Edit) -> EntryType | None:
    if edit.before.public_identifier is None and not _has_publication(edit.post):
        return EntryType.FIRST
    if edit.data.change is not None:
        return EntryType(edit.data.change.value)
    if edit.changes_public_content:
        return EntryType.SUBSTANTIVE
    return None if edit.was_public else EntryType.MAINTENANCE


def _has_publication(post: Post) -> bool:
    return Publication.objects.filter(post=post).exists()


def _republished(edit: Edit) -> str | None:
    returns = not edit.is_new and not edit.was_public and edit.before.public_identifier is not None
    return REPUBLISHED if returns and not edit.changes_public_content else None
