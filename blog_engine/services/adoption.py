"""Adopting a post that was published elsewhere, with its history."""

from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db.models import QuerySet

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.enums import ApprovalKind, EntryType, PostStatus
from blog_engine.errors import AlreadyChangedInGem, IdentityConflict
from blog_engine.images.files import DryImageFiles, ImageFiles, image_files
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Approval, Baseline, Category, Post, Publication, Revision
from blog_engine.models.protection import delete_history, history_replaceable
from blog_engine.queries.feeds import is_feed_id_taken
from blog_engine.queries.findings import WriteContext
from blog_engine.queries.posts import read_post
from blog_engine.services._adoption_facts import (
    FormerAddress,
    approval_facts,
    are_stored,
    baseline_facts,
    category_to_describe,
    claim_moves,
    declaration_to_append,
    former_addresses,
    repeats,
    rewrite,
    snapshot_of,
    undated,
    was_moved_here,
)
from blog_engine.services._assign import assign_fields
from blog_engine.services._bodies import Bodies
from blog_engine.services._edit import Edit, begin_edit, find_selected, lock_selected, taken_feed_id, upsert_id
from blog_engine.services._history import record_adopted, record_revision
from blog_engine.services._search_index import index_words
from blog_engine.services._store import announce, describe, follow_address, insert_post, record_declaration, store_post
from blog_engine.services._transaction import lock_source, roll_back, write_transaction
from blog_engine.services.images import gather_for
from blog_engine.services.outcome import Adopted, Recorded, Stored
from blog_engine.services.rendering import derive
from blog_engine.services.write_log import note_rehearsal


def delete_adoption(post: Post, baseline: Baseline) -> None:
    """Delete the records of an adoption that nothing followed; new ones must take their place in this transaction.

    The database itself refuses it for any other post.
    """
    with history_replaceable(post.pk):
        delete_history(Approval.objects.filter(post=post))
        delete_history(Publication.objects.filter(post=post))
        delete_history(Baseline.objects.filter(pk=baseline.pk))
        delete_history(Revision.objects.filter(pk=baseline.adopted_revision_id))


def record_baseline(edit: Edit, data: AdoptPost, revision: Revision) -> None:
    """Record what is known of the article. Nobody else adopts its source meanwhile: ``lock_target`` saw to that."""
    Baseline(
        post=edit.post,
        adopted_revision=revision,
        adopted_at=edit.now,
        adopted_by=edit.actor_name,
        created_at=edit.now,
        **baseline_facts(data),
    ).save()


def record_earlier_approval(edit: Edit, data: AdoptPost, revision: Revision) -> ApprovalKind | None:
    """Record the approval from before the adoption, if one is declared or imported."""
    facts = approval_facts(data)
    if facts is None:
        return None
    approval = Approval(post=edit.post, revision=revision, recorded_by=edit.actor_name, created_at=edit.now, **facts)
    approval.save()
    return ApprovalKind(facts["kind"])


@dataclass(frozen=True, slots=True)
class StoredAdoption:
    """What the transaction of an adoption left."""

    stored: Stored
    baseline: Literal["new", "replaced"] | None = None
    redirects: int = 0


def store_adoption(
    edit: Edit, data: AdoptPost, baseline: Baseline | None, addresses: list[FormerAddress]
) -> StoredAdoption:
    """Store the article as a public post with new records, in the place of those of the earlier adoption."""
    if edit.is_new:
        insert_post(edit)
    if baseline is not None:
        delete_adoption(edit.post, baseline)
    records = _record(edit, data)
    edit.post.publish_at = None
    store_post(edit, status=PostStatus.PUBLISHED)
    if declaration := declaration_to_append(edit, data):
        record_declaration(edit.post, declaration, actor_name=edit.actor_name, now=edit.now)
    if category := category_to_describe(edit, data):
        # Only while it is still empty: an editor may describe the category at the same time.
        still_empty = Category.objects.filter(pk=category.pk, description=category.description)
        still_empty.update(description=data.category_description, updated_at=edit.now)
    rewrite(addresses, post=edit.post, now=edit.now)
    moved = follow_address(edit, status=PostStatus.PUBLISHED)
    claim_moves(edit.post, now=edit.now)
    if edit.words_changed:
        index_words(edit.post)
    return StoredAdoption(
        stored_adoption(edit, data, records, slug_moved=moved),
        baseline="new" if baseline is None else "replaced",
        redirects=len(addresses),
    )


def stored_adoption(edit: Edit, data: AdoptPost, records: Recorded, *, slug_moved: bool = False) -> Stored:
    """What the adoption left; one that recorded nothing has no signal. Call it inside the transaction."""
    approval = approval_facts(data)
    context = WriteContext(
        author_defaulted=edit.author_defaulted,
        facts_unchecked=approval is not None and not approval["facts_checked"],
        slug_moved=slug_moved,
        undated=undated(data),
    )
    signal = signals.post_updated if edit.was_public else signals.post_published
    return Stored(
        post=read_post(edit.post.pk),
        signal=signal if records.publication else None,
        records=records,
        context=context,
        created=edit.is_new,
    )


def _record(edit: Edit, data: AdoptPost) -> Recorded:
    # An import has no draft that anybody wrote here: the revision is the work of whoever adopts.
    edit.post.unrecorded_actor, edit.post.unrecorded_made_by_ai = edit.actor_name, None
    revision, made = record_revision(edit)
    record_baseline(edit, data, revision)
    approval = record_earlier_approval(edit, data, revision)
    return Recorded(revision=made, publication=record_adopted(edit, revision), approval=approval)


_TAKEN_OVER = (PostStatus.DRAFT, PostStatus.SCHEDULED)


@dataclass(frozen=True, slots=True)
class Target:
    """The post to adopt, ``None`` for a new one, and the baseline of the earlier adoption that this one repeats."""

    post: Post | None = None
    baseline: Baseline | None = None


def find_target(data: AdoptPost, snapshot: SavePost) -> Target:
    """What ``lock_target`` would give now; locks nothing."""
    post = find_selected(_selected_id(data, snapshot))
    return _adoptable(post, data) if post else Target()


def lock_target(data: AdoptPost, snapshot: SavePost) -> Target:
    """The post of the source, else the one that ``external_id`` or ``slug`` selects, locked.

    Raises ``IdentityConflict`` for a post that has records of its own or comes from another source, and when somebody
    else adopted the article meanwhile; ``AlreadyChangedInGem`` for a post that was changed here since its adoption.
    """
    post = lock_selected(lambda: _selected_id(data, snapshot))
    target = _adoptable(post, data) if post else Target()
    if target.baseline is None:
        lock_source(data.source_system, data.source_id)
        if _of_source(data).exists():
            raise IdentityConflict(
                ["source_system", "source_id"], hint="Somebody adopted it just now: send the same call again."
            )
    return target


def _selected_id(data: AdoptPost, snapshot: SavePost) -> int | None:
    by_source = _of_source(data).values_list("post_id", flat=True).first()
    return upsert_id(snapshot) if by_source is None else by_source


def _of_source(data: AdoptPost) -> QuerySet[Baseline]:
    return Baseline.objects.filter(source_system=data.source_system, source_id=data.source_id)


def _adoptable(post: Post, data: AdoptPost) -> Target:
    baseline = Baseline.objects.filter(post=post).first()
    field = "external_id" if data.external_id is not None and data.external_id == post.external_id else "slug"
    if baseline is None:
        if PostStatus(post.status) not in _TAKEN_OVER or _has_records(post):
            hint = f"That post has a history of its own, which no import replaces: send another {field}."
            raise IdentityConflict([field], hint=hint)
    elif (baseline.source_system, baseline.source_id) != (data.source_system, data.source_id):
        hint = f"That post was adopted as another source_system and source_id: mend these, or send another {field}."
        raise IdentityConflict([field], hint=hint)
    elif _was_changed_here(post, baseline):
        raise AlreadyChangedInGem
    return Target(post, baseline)


def _has_records(post: Post) -> bool:
    return any(rows.exists() for rows in (post.revisions, post.publications, post.approvals, post.declarations))


def _was_changed_here(post: Post, baseline: Baseline) -> bool:
    """Whether the post was withdrawn, published again, reviewed or moved since its adoption."""
    return (
        post.status != PostStatus.PUBLISHED
        or post.publications.exclude(entry_type=EntryType.ADOPTED.value).exists()
        or post.approvals.filter(kind=ApprovalKind.SENT.value).exists()
        or was_moved_here(post, baseline)
    )


def adopt_post(data: AdoptPost, *, actor: Actor, now: datetime, base_url: str = "") -> Adopted:
    """Make an article public as it was in another system, with the evidence for its past (records.md 12).

    Adopting the same again writes nothing; adopting it changed replaces the earlier adoption, as long as nothing
    followed that here. With ``dry_run`` everything is worked out and taken back. No gate and no hook is asked.
    Raises ``IdentityConflict``, ``AlreadyChangedInGem``, ``SlugReserved``, ``ScopeRequired`` and what a write of
    content raises; then nothing is written.
    """
    actor.require(Scope.PUBLISH)
    if data.dry_run:
        note_rehearsal()
    snapshot = snapshot_of(data)
    bodies = Bodies()
    images = gather_for(snapshot, bodies=bodies, look_up=lambda: find_target(data, snapshot).post)

    def write() -> Adopted:
        with write_transaction(), nullcontext(DryImageFiles()) if data.dry_run else image_files() as files:
            target = lock_target(data, snapshot)
            edit = begin_edit(
                target.post, snapshot, actor=actor, now=now, bodies=bodies, images=images, base_url=base_url
            )
            adoption = _adopt(edit, data, target.baseline, files=files)
            if data.dry_run:
                # Nothing of it can be read afterwards.
                adopted = _described(adoption, data, now=now)
                roll_back()
                return adopted
        adopted = _described(adoption, data, now=now)
        if adoption.stored.signal is not None:
            announce(adoption.stored.signal, adopted, actor=actor)
        return adopted

    return bodies.around(write)


def _described(adoption: StoredAdoption, data: AdoptPost, *, now: datetime) -> Adopted:
    written = describe(adoption.stored, now=now)
    return Adopted(
        post=written.post,
        created=written.created,
        records=written.records,
        label=written.label,
        findings=written.findings,
        baseline=adoption.baseline,
        redirects=adoption.redirects,
        dry_run=data.dry_run,
    )


def _adopt(edit: Edit, data: AdoptPost, baseline: Baseline | None, *, files: ImageFiles) -> StoredAdoption:
    """Work out the article, and store it unless the earlier adoption left exactly this."""
    assign_fields(edit, files=files)
    _assign_feed_id(edit, data)
    derive(edit)
    addresses = former_addresses(data.old_slugs or (), post=edit.post, baseline=baseline, now=edit.now)
    if baseline is not None and repeats(edit, data, baseline) and are_stored(addresses, post=edit.post):
        return StoredAdoption(stored_adoption(edit, data, Recorded(revision="same")))
    return store_adoption(edit, data, baseline, addresses)


def _assign_feed_id(edit: Edit, data: AdoptPost) -> None:
    """Take over the id that the article has in the feeds of the other system; without one the stored id stays."""
    if data.feed_id is None:
        return
    if is_feed_id_taken(data.feed_id, post_id=edit.post.pk):
        raise taken_feed_id()
    edit.post.feed_id = data.feed_id
