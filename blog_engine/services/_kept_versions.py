"""Keeping what a write overwrites and no revision records (desk.versions.kept)."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, Final

from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.content.losses import takes_much_away
from blog_engine.enums import PostStatus
from blog_engine.inputs.posts import UpdatePost
from blog_engine.models import DraftVersion, Post
from blog_engine.queries.posts import faq_rows
from blog_engine.rules.revision import content_of, revision_identifier, revision_payload
from blog_engine.rules.writers import LastWrite, last_write_of
from blog_engine.services._edit import Edit

WINDOW: Final = timedelta(minutes=10)
MOST_KEPT: Final = 100
"""Versions of a post; beyond it the ones that lie closest to an earlier one go first."""
_NEWEST_KEPT: Final = 20
"""Of these, none goes."""
CLEANED_EVERY: Final = 16
"""Versions of the post between two looks at how many are kept."""
_LONG_TEXTS: Final = ("body", "description")


def keep_overwritten(edit: Edit) -> None:
    """Keep the stored content of a post that is not public before an edit overwrites it; call it under its lock.

    That is one statement at most, and none for content that was public, and while one writer goes on within ten
    minutes, unless much of the text goes, a version is continued from, or a reviewer may have read it.
    """
    stored, post = edit.stored, edit.post
    if stored["current_revision_identifier"] == edit.before.public_identifier:
        return
    if not (stored["body"].strip() or stored["description"].strip() or edit.faq):
        # A title alone is quickly written again.
        return
    written = last_write_of(stored)
    goes_on = written.actor == edit.actor_name and _window(written.at) == _window(edit.now)
    is_lost = _continues(edit) or any(takes_much_away(stored[name], getattr(post, name)) for name in _LONG_TEXTS)
    may_be_read = stored["review_reason"] is not None
    if goes_on and not is_lost and not may_be_read:
        return
    slot = f"version {stored['version']}" if is_lost or may_be_read else _slot_of(written)
    before = _stored_post(stored, edit)
    _store(before, edit.faq, slot=slot, written=written, is_listed=is_lost or not goes_on)
    if post.version % CLEANED_EVERY == 0:
        thin_versions(post.pk, now=edit.now)


def keep_present(post: Post) -> None:
    """Keep the content of a locked post that a review is asked for, unless it is public."""
    if post.status == PostStatus.PUBLISHED:
        return
    stored = {column.name: getattr(post, column.attname) for column in post._meta.concrete_fields}
    faq = [FaqPair(question=row.question, answer=row.answer) for row in faq_rows(post.pk)]
    _store(post, faq, slot=f"review {post.version}", written=last_write_of(stored), is_listed=True)


def thin_versions(post_id: int, *, now: datetime) -> None:
    """Delete the versions of a post that are too old, and those above ``MOST_KEPT``; two queries or three.

    Of these, unlisted ones go first, then the ones that lie closest to an earlier version: a thousand writes in an hour
    leave the versions of the day before.
    """
    of_post = DraftVersion.objects.filter(post=post_id)
    of_post.filter(saved_at__lt=oldest_kept(now=now)).delete()
    places = list(of_post.order_by("saved_at", "pk").values_list("pk", "saved_at", "is_listed"))
    surplus = len(places) - MOST_KEPT
    if surplus > 0:
        gaps = [
            (is_listed, saved_at - before[1], pk)
            for before, (pk, saved_at, is_listed) in pairwise(places[:-_NEWEST_KEPT])
        ]
        of_post.filter(pk__in=[pk for *_, pk in sorted(gaps)[:surplus]]).delete()


def oldest_kept(*, now: datetime) -> datetime:
    """Return the time before which versions are deleted."""
    return now - timedelta(days=get_settings().versions.days)


def _window(time: datetime) -> int:
    return int(time.timestamp() // WINDOW.total_seconds())


def _slot_of(written: LastWrite) -> str:
    """Return the place that later states of the same writer in the same ten minutes take."""
    writer = hashlib.sha256((written.actor or "").encode()).hexdigest()[:32]
    return f"{_window(written.at)} {writer}"


def _continues(edit: Edit) -> bool:
    return isinstance(edit.data, UpdatePost) and edit.data.restore is not None


def _stored_post(stored: Mapping[str, Any], edit: Edit) -> Post:
    """Return the post as its row is, with the pictures that the edit has loaded."""
    names = {column.name: column.attname for column in Post._meta.concrete_fields}
    before = Post(**{names[name]: value for name, value in stored.items()})
    for image in (edit.post.cover_image, edit.post.social_image):
        for name in ("cover_image", "social_image"):
            if image is not None and stored[name] == image.pk:
                setattr(before, name, image)
    return before


def _store(post: Post, faq: Iterable[FaqPair], *, slot: str, written: LastWrite, is_listed: bool) -> None:
    payload = revision_payload(content_of(post, faq=faq))
    version = DraftVersion(
        post=post.pk,
        slot=slot,
        identifier=revision_identifier(payload),
        payload=payload,
        body_format=post.body_format,
        actor=written.actor,
        actor_kind=written.kind,
        made_by_ai=post.unrecorded_made_by_ai,
        saved_at=written.at,
        is_listed=is_listed,
    )
    columns = [column.name for column in DraftVersion._meta.concrete_fields if column.name not in _KEY]
    DraftVersion.objects.bulk_create([version], update_conflicts=True, unique_fields=_KEY[1:], update_fields=columns)


_KEY: Final = ["id", "post", "slot"]
