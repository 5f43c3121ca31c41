"""The bin: removed drafts that a person brings back, and the deletion of what was kept long enough."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain, islice
from typing import Final

from blog_engine.actor import Actor, RecordedActor, Scope
from blog_engine.content.text import numbered_slugs
from blog_engine.enums import PostStatus
from blog_engine.errors import IdentityConflict, NotFound, Refusal, SlugReserved
from blog_engine.inputs.posts import SavePost
from blog_engine.models import DraftVersion, Post, RemovedDraft
from blog_engine.queries.bin import binned_since
from blog_engine.queries.posts import is_slug_in_use
from blog_engine.services._assign import assign_fields
from blog_engine.services._binned import ReturningDraft, bring_conversation_back, empty_bin, returning_draft
from blog_engine.services._derive import derive
from blog_engine.services._edit import Edit, begin_edit, gather_images
from blog_engine.services._history import set_writer
from blog_engine.services._kept_versions import oldest_kept
from blog_engine.services._prepared import Prepared, until_prepared
from blog_engine.services._store import store_and_record
from blog_engine.services._transaction import lock_translations
from blog_engine.services.outcome import Stored, Written, finish_write
from blog_engine.services.writing_images import writing_images

_MOST_SLUGS: Final = 10
_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """A draft that came back from the bin."""

    written: Written
    slug_before: str
    missing: tuple[str, ...]
    """The fields that could not come back, because what they named is gone or taken."""


def bring_back(post_id: int, *, actor: Actor, now: datetime, base_url: str = "") -> BroughtBack:
    """Make the draft with this id again, with its versions, at its own path or the next free one with a number.

    Raises ``ScopeRequired`` (``publish``, as removing), ``NotFound`` if the bin does not have it, and the refusals of a
    write.
    """
    actor.require(Scope.PUBLISH)
    wanted = _removed(post_id, now=now).fields["slug"]
    free = (slug for slug in numbered_slugs(wanted) if not is_slug_in_use(slug))
    refusal: Refusal = IdentityConflict(["slug"])
    for slug in dict.fromkeys(chain([wanted], islice(free, _MOST_SLUGS))):
        try:
            stored, missing = until_prepared(partial(_bring_back, post_id, slug, actor=actor, now=now, origin=base_url))
        except (IdentityConflict, SlugReserved) as taken:
            refusal = taken
        else:
            return BroughtBack(finish_write(stored, actor=actor, now=now), wanted, missing)
    raise refusal


def _removed(post_id: int, *, now: datetime, is_locked: bool = False) -> RemovedDraft:
    rows = RemovedDraft.objects.filter(post=post_id, removed_at__gte=binned_since(now=now))
    row = (rows.select_for_update() if is_locked else rows).first()
    if row is None:
        raise NotFound(hint="The bin does not have this draft: somebody brought it back, or its time is over.")
    return row


def _bring_back(
    post_id: int, slug: str, prepared: Prepared, *, actor: Actor, now: datetime, origin: str
) -> tuple[Stored, tuple[str, ...]]:
    if prepared.images is None:
        draft = returning_draft(_removed(post_id, now=now).fields)
        gather_images(draft.input_with(slug), None, prepared=prepared)
    with writing_images() as files:
        row = _removed(post_id, now=now, is_locked=True)
        draft = returning_draft(row.fields)
        data = draft.input_with(slug)
        if data.translation_of is not None:
            lock_translations(data.translation_of, None)
        edit = begin_edit(None, data, prepared, actor=actor, now=now, base_url=origin, files=files)
        _take_over(edit, draft, data, post_id)
        stored = store_and_record(edit, PostStatus.DRAFT)
        _keep_writer(edit.post, draft)
        bring_conversation_back(edit.post, draft.fields.get("conversation", []))
        row.delete()
        return stored, tuple(draft.missing)


def _take_over(edit: Edit, draft: ReturningDraft, data: SavePost, post_id: int) -> None:
    """Give a new post the content, the records and the identity of the draft."""
    post, fields = edit.post, draft.fields
    post.pk, post.version = post_id, fields["version"] + 1
    post.created_at = datetime.fromisoformat(fields["created_at"])
    assign_fields(edit)
    post.category, post.series, edit.tags = draft.category, draft.series, draft.tags
    if draft.author is not None:
        post.author, post.author_name = draft.author, fields["author_name"]
    post.coauthor_ids = [author.pk for author, _ in draft.coauthors]
    post.coauthor_names = "\n".join(name for _, name in draft.coauthors)
    derive(edit)


def _keep_writer(post: Post, draft: ReturningDraft) -> None:
    """Remember who wrote the content, who need not be the person that brings it back."""
    if post.unrecorded_actor is not None and draft.fields["written_by"]:
        set_writer(post, RecordedActor(draft.fields["written_by"], *draft.fields.get("writer", (None, None))))
        post.store(update_fields=["unrecorded_actor", "unrecorded_by"])


@dataclass(frozen=True, slots=True)
class PrunedDrafts:
    """The numbers of what was deleted."""

    versions: int
    removed: int


def prune_drafts(*, now: datetime) -> PrunedDrafts:
    """Delete versions of drafts that are older than the setting, and removed drafts whose time in the bin is over."""
    removed = versions = 0
    while deleted := empty_bin(now=now):
        removed += deleted
    while deleted := _delete_some(before=oldest_kept(now=now)):
        versions += deleted
    return PrunedDrafts(versions, removed)


def _delete_some(*, before: datetime) -> int:
    some = DraftVersion.objects.filter(saved_at__lt=before).values("pk")[:_AT_ONCE]
    deleted, _ = DraftVersion.objects.filter(pk__in=some).delete()
    return deleted
