"""Storing an edit: the row of the post, its FAQ and tags, its history, redirects and search words."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from django.db import IntegrityError

from blog_engine import signals
from blog_engine.enums import Change, EntryType, EventType, ListKind, PostStatus
from blog_engine.findings import WriteContext, keep_findings
from blog_engine.inputs.posts import ContentFields
from blog_engine.models import Coauthor, EmbeddedImage, Faq, Post, PostTag
from blog_engine.queries.posts import taggings_of, with_related_rows
from blog_engine.rendering.bodies import footnote_prefix
from blog_engine.services._assign import refusal_of_collision
from blog_engine.services._derive import SEARCHED_COLUMNS
from blog_engine.services._edit import Edit, changed_columns, columns_of
from blog_engine.services._gates import admitted_in
from blog_engine.services._held_images import held_ids, refuse_lost, stored_in
from blog_engine.services._history import (
    AUTHORSHIP_COLUMNS,
    REVIEW_COLUMNS,
    record_approval,
    record_change_of_status,
    record_declaration,
    record_release,
    record_revision,
    remember_authorship,
    settle_review,
)
from blog_engine.services._kept_versions import keep_overwritten
from blog_engine.services._repeats import repeats_approval, repeats_declaration
from blog_engine.services._search_index import index_words, list_words
from blog_engine.services._transaction import Collision, lock_redirects
from blog_engine.services._versions import note_write
from blog_engine.services.counts import count_lists, lists_in, lists_of
from blog_engine.services.deliveries import note_event
from blog_engine.services.outcome import Recorded, Stored
from blog_engine.services.redirects import MadeRedirect, move_path, return_to_path
from blog_engine.services.write_log import note_post

_NOTED: Final = frozenset(
    {*ContentFields.model_fields, "provenance", "provenance_evidence", "status", "publish_at"}
    | {"translation_group", "coauthor_names"}
)
_MANIFEST: Final = "body_image_manifest"
_COAUTHORS: Final = "coauthor_ids"
_LISTED_BY: Final = frozenset({"status", "listed_at"})
_UNSEEN: Final = frozenset(
    {
        "version",
        "recent_writes",
        "updated_at",
        *AUTHORSHIP_COLUMNS,
        *REVIEW_COLUMNS,
    }
)
"""The columns that readers see nothing of."""


def store_and_record(edit: Edit, status: PostStatus) -> Stored:
    """Store the edit with this status, with its history, declaration and redirects."""
    before = edit.stored
    remember_authorship(edit)
    if status is PostStatus.PUBLISHED and not edit.was_public and edit.post.slug == edit.before.slug:
        # Before the row is written: a writer that holds the redirects may be waiting for one of its unique values.
        # Another slug was checked under this lock.
        lock_redirects()
    if edit.is_new:
        insert_post(edit)
    records = _record(edit, status)
    store_post(edit, status)
    _record_change_of_status(edit)
    if edit.data.connections is not None:
        declared = record_declaration(edit.post, edit.data.connections, actor=edit.recorded_actor, now=edit.now)
        if not edit.is_new and repeats_declaration(declared):
            edit.repeated.append("connections")
    redirected = redirect_old_paths(edit, status)
    is_moved = bool(redirected)
    index_edit(edit)
    count_edit(edit)
    is_released = status is PostStatus.PUBLISHED and not edit.was_public
    taggings = taggings_of(edit.post.pk) if _has_other_tags(edit) else edit.taggings
    post = with_related_rows(edit.post, faq=edit.stored_faq, taggings=taggings)
    event = _event_of(edit, status, records, before=before)
    if event is not None:
        note = edit.data.note if event is EventType.CORRECTED else None
        previous_slug = edit.before.slug if is_moved else None
        note_event(event, post, now=edit.now, change=records.publication, note=note, previous_slug=previous_slug)
    return Stored(
        post=post,
        signal=signals.post_published if is_released else signals.post_updated,
        records=records,
        context=_context_of(edit, records, is_moved=is_moved),
        created=edit.is_new,
        changed=tuple(edit.changed),
        redirected=redirected,
        found=edit.found,
    )


def _event_of(edit: Edit, status: PostStatus, records: Recorded, *, before: dict[str, Any]) -> EventType | None:
    """Return what readers see of a write (webhooks.types); ``None`` if nothing. ``before`` are the earlier columns."""
    if status is not PostStatus.PUBLISHED:
        return None
    if not edit.was_public:
        return EventType.PUBLISHED
    if records.publication is EntryType.CORRECTION:
        return EventType.CORRECTED
    changed = {name for name, value in edit.stored.items() if before.get(name, ...) != value}
    is_seen = (
        bool(records.publication or records.approval or changed - _UNSEEN)
        or edit.data.connections is not None
        or _has_other_tags(edit)
    )
    return EventType.UPDATED if is_seen else None


def _record_change_of_status(edit: Edit) -> None:
    """Record that the post was scheduled, moved to another time or no longer is; a publication records itself."""
    post, before = edit.post, edit.before
    from_status = before.status or PostStatus.DRAFT
    is_same = post.status == from_status and post.publish_at == before.publish_at
    if post.status != PostStatus.PUBLISHED and not is_same:
        record_change_of_status(post, from_status=from_status, actor=edit.recorded_actor, now=edit.now)


def _record(edit: Edit, status: PostStatus) -> Recorded:
    """Record a release of the content and the approval that was sent with it."""
    records = record_release(edit) if status is PostStatus.PUBLISHED else Recorded()
    approval = edit.data.approval
    if approval is None:
        return records
    revision, made = record_revision(edit)
    made, review = records.revision or made, admitted_in(edit, approval)
    if made == "same" and repeats_approval(revision, review, now=edit.now):
        edit.repeated.append("approval")
    return replace(records, revision=made, approval=record_approval(edit.post, revision, review, now=edit.now))


def _context_of(edit: Edit, records: Recorded, *, is_moved: bool) -> WriteContext:
    is_unchanged = edit.data.change is not None and edit.keeps_public_content and not records.publication
    if is_unchanged and edit.data.change is Change.CORRECTION:
        edit.repeated.append("note")
    is_said = records.publication or is_unchanged
    of_publication = () if is_said else ("note", "change", "change_description")
    return WriteContext(
        author_defaulted=edit.author_defaulted,
        facts_unchecked=edit.data.approval is not None and not edit.data.approval.facts_checked,
        slug_moved=is_moved,
        unrecorded=tuple(name for name in of_publication if getattr(edit.data, name)),
        published_now=edit.is_past,
        unchanged=is_unchanged and edit.data.change is not Change.CORRECTION,
        repeated=tuple(edit.repeated),
        made=edit.made,
    )


def insert_post(edit: Edit) -> None:
    """Insert the row of a new post as a draft, which ``store_post`` completes. Raises ``IdentityConflict``."""
    post = edit.post
    _write(edit)
    note_post(post.pk)
    post.body_html = post.body_html.replace(edit.prepared.footnote_prefix, footnote_prefix(post.pk))


def store_post(edit: Edit, status: PostStatus, *, has_approvals: bool = False) -> None:
    """Write the post's row, FAQ and tags; ``has_approvals`` says that some were recorded beside the call.

    Raises ``IdentityConflict``, or ``ValidationFailed`` for its position.
    """
    overwritten = edit.stored.get("current_revision_identifier")
    if not edit.was_public and overwritten not in {None, edit.post.current_revision_identifier}:
        keep_overwritten(edit)
    edit.post.status = status.value
    edit.post.updated_at = edit.now
    is_released = status is PostStatus.PUBLISHED and not edit.was_public
    checked = settle_review(
        edit.post,
        has_approvals=has_approvals or not edit.is_new or edit.data.approval is not None,
        is_released=is_released,
        revisions=edit.revisions,
    )
    edit.post.is_reviewed = edit.post.current_revision_identifier in checked
    edit.post.is_approved = edit.post.public_revision_identifier in checked
    edit.changed = _changed_names(edit)
    note_write(edit.post, edit.changed, actor=edit.recorded_actor, now=edit.now)
    edit.found = keep_findings(edit.post, edit.post.faq, now=edit.now)
    _write(edit)
    _store_faq(edit)
    _store_tags(edit)


def _changed_names(edit: Edit) -> list[str]:
    """Return the names of the fields that changed, and the new status instead of ``status``."""
    if edit.before.status is None:
        return ["created"]
    names = {"status": edit.post.status, "translation_group": "translation_of", "coauthor_names": "coauthors"}
    changed_names = [names.get(name, name) for name in changed_columns(edit.post, edit.stored) if name in _NOTED]
    changed_names += ["faq"] if edit.post.faq != edit.faq else []
    return changed_names + (["tags"] if _has_other_tags(edit) else [])


def _write(edit: Edit) -> None:
    """Insert the row, or update the columns that changed: the search index follows every column that is updated."""
    post = edit.post
    changed = changed_columns(post, edit.stored)
    try:
        post.store(update_fields=changed if edit.stored else None)
    except IntegrityError as fault:
        raise Collision(partial(refusal_of_collision, edit), fault) from fault
    edit.words_changed |= not edit.stored or not SEARCHED_COLUMNS.isdisjoint(changed)
    edit.listing_changed |= not _LISTED_BY.isdisjoint(changed)
    if _MANIFEST in changed:
        ids = note_body_images(post, had_some=bool(edit.stored.get(_MANIFEST)))
        refuse_lost(stored_in(post.body_image_manifest), ids)
        if ids:
            edit.prepared.require_current(post.body, post.body_format, post.language)
    if _COAUTHORS in changed:
        if edit.stored.get(_COAUTHORS):
            Coauthor.objects.filter(post=post).delete()
        Coauthor.objects.bulk_create(Coauthor(post=post, author_id=pk) for pk in post.coauthor_ids)
    edit.stored = columns_of(post)


def _store_faq(edit: Edit) -> None:
    """Reuse the rows in the order of their positions, and delete those that are left over."""
    rows, edit.stored_faq = edit.stored_faq, []
    for position, pair in enumerate(edit.post.faq, start=1):
        if position <= len(rows):
            row = rows[position - 1]
            edit.stored_faq.append(row)
            if (row.position, row.question, row.answer) == (position, pair.question, pair.answer):
                continue
        else:
            row = Faq(post=edit.post, created_at=edit.now)
            edit.stored_faq.append(row)
        row.position, row.question, row.answer, row.updated_at = position, pair.question, pair.answer, edit.now
        row.store()
    for row in rows[len(edit.post.faq) :]:
        row.discard()


def _has_other_tags(edit: Edit) -> bool:
    return edit.tags is not None and edit.tags != list(edit.stored_tags.values())


def _store_tags(edit: Edit) -> None:
    if edit.tags is not None and _has_other_tags(edit):
        if edit.taggings:
            PostTag.objects.filter(post=edit.post).delete()
        PostTag.objects.bulk_create(PostTag(post=edit.post, tag_id=tag) for tag in edit.tags)


def index_edit(edit: Edit) -> None:
    """Bring the search index up to date with the stored post."""
    if edit.listing_changed and not edit.is_new:
        list_words(edit.post)
    if edit.words_changed:
        index_words(edit.post)


def count_edit(edit: Edit) -> None:
    """Change the numbers of posts in the lists that the post left or entered."""
    post = edit.post
    is_public = post.status == PostStatus.PUBLISHED
    if edit.tags is not None:
        tags_before, tags = list(edit.stored_tags.values()), edit.tags
    else:
        # Tags that stay count only when the post becomes public.
        tags_before = tags = [*edit.stored_tags.values()] if is_public and not edit.was_public else []
    before = edit.before.lists + lists_in(ListKind.TAG, tags_before if edit.was_public else ())
    count_lists(before=before, after=lists_of(post) + lists_in(ListKind.TAG, tags if is_public else ()))


def redirect_old_paths(edit: Edit, status: PostStatus) -> tuple[MadeRedirect, ...]:
    """Redirect to a public post from its earlier paths; return the redirect from the path that it just left, if any."""
    if status is not PostStatus.PUBLISHED:
        return ()
    made: tuple[MadeRedirect, ...] = ()
    if edit.was_public and edit.before.slug != edit.post.slug:
        made = (move_path(edit.post, old_slug=str(edit.before.slug), now=edit.now),)
    if made or not (edit.was_public or edit.is_new):
        return_to_path(edit.post, now=edit.now)
    return made


def note_body_images(post: Post, *, had_some: bool) -> list[int]:
    """Write the images of a stored post whose manifest changed, and return their ids.

    ``had_some`` says whether some are noted. A post without images, before and now, costs no query.
    """
    if had_some:
        EmbeddedImage.objects.filter(post=post).delete()
    ids = held_ids({entry["sha256"] for entry in post.body_image_manifest if entry["sha256"]})
    if ids:
        EmbeddedImage.objects.bulk_create([EmbeddedImage(post=post, image_id=pk) for pk in ids])
    return ids
