"""Adopting a post that was published elsewhere, with its history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal

from blog_engine import signals
from blog_engine.actor import Actor, Scope
from blog_engine.blog_urls import stored_post_path
from blog_engine.enums import ApprovalKind, EntryType, PostStatus
from blog_engine.errors import AlreadyChangedInGem, IdentityConflict
from blog_engine.findings import WriteContext
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Approval, Baseline, Category, Post, Publication, Revision
from blog_engine.models.protection import delete_history, history_replaceable
from blog_engine.queries.feeds import is_feed_id_taken
from blog_engine.queries.posts import read_post
from blog_engine.services._adoption_facts import (
    FormerPath,
    approval_facts,
    are_stored,
    baseline_facts,
    category_to_describe,
    claim_moves,
    declaration_to_append,
    former_paths,
    repeats,
    rewrite,
    snapshot_of,
    undated,
    was_moved_here,
)
from blog_engine.services._assign import assign_fields, taken_feed_id
from blog_engine.services._derive import derive
from blog_engine.services._edit import Edit, begin_edit, find_target, gather_images
from blog_engine.services._gates import body_is_kept
from blog_engine.services._history import record_adopted, record_declaration, record_revision, set_writer
from blog_engine.services._prepared import Prepared, until_prepared
from blog_engine.services._store import count_edit, index_edit, insert_post, redirect_old_paths, store_post
from blog_engine.services._transaction import (
    lock_source,
    lock_translations,
    note_replacement,
    roll_back,
    store_record,
)
from blog_engine.services.outcome import Adopted, Recorded, Stored, announce, note_findings, result_of
from blog_engine.services.redirects import MadeRedirect
from blog_engine.services.write_log import note_dry_run
from blog_engine.services.writing_images import writing_images


def adopt_post(
    data: AdoptPost,
    *,
    actor: Actor,
    now: datetime,
    base_url: str = "",
    old_paths: Sequence[str] = (),
    feed_id: str | None = None,
) -> Adopted:
    """Make an article public as it was in another system, with the evidence for its past.

    ``old_paths`` redirect to it as the old slugs do: paths as ``SaveRedirect`` takes them, each once, anywhere on the
    site. ``feed_id`` is kept as it is and comes before that of ``data``, which only takes URIs: some systems have other
    ids in their feeds. Adopting the same again writes nothing; adopting it changed replaces the earlier adoption, as
    long as nothing followed it here. With ``dry_run`` everything is worked out and rolled back. Of the gates only
    ``body_is_kept`` applies, and no hook. Raises ``IdentityConflict``, ``AlreadyChangedInGem``, ``SlugReserved``,
    ``ScopeRequired`` and what a write of content raises; then nothing is written.
    """
    actor.require(Scope.PUBLISH)
    if feed_id is not None:
        data = data.model_copy(update={"feed_id": feed_id})
    if data.dry_run:
        note_dry_run()
    write = partial(_write, data, snapshot_of(data), old_paths, actor=actor, now=now, base_url=base_url)
    return until_prepared(write)


def _write(
    data: AdoptPost,
    snapshot: SavePost,
    old_paths: Sequence[str],
    prepared: Prepared,
    *,
    actor: Actor,
    now: datetime,
    base_url: str,
) -> Adopted:
    if prepared.images is None:
        gather_images(snapshot, _find_target(data, snapshot).post, prepared=prepared)
    with writing_images(dry_run=data.dry_run) as files:
        if data.translation_of is not None:
            lock_translations(data.translation_of, _find_target(data, snapshot).post)
        target = _find_target(data, snapshot, lock=True)
        edit = begin_edit(target.post, snapshot, prepared, actor=actor, now=now, base_url=base_url, files=files)
        assign_fields(edit)
        _assign_feed_id(edit, data)
        derive(edit)
        body_is_kept(edit)
        adoption = _store_unless_repeated(edit, data, old_paths, target.baseline)
        if data.dry_run:
            # It cannot be read once it is rolled back.
            adopted = _describe_adoption(adoption, data, now=now)
            roll_back()
            return adopted
    adopted = _describe_adoption(adoption, data, now=now)
    note_findings(adopted)
    announce(adoption.stored.signal, adopted, actor=actor)
    return adopted


_TAKEN_OVER = (PostStatus.DRAFT, PostStatus.SCHEDULED)


@dataclass(frozen=True, slots=True)
class Target:
    """The post to adopt, ``None`` for a new one, and the baseline of the earlier adoption that this one repeats."""

    post: Post | None = None
    baseline: Baseline | None = None


def _find_target(data: AdoptPost, snapshot: SavePost, *, lock: bool = False) -> Target:
    """Return the post of the source, or else the one of ``external_id`` or ``slug``.

    Raises ``IdentityConflict`` for a post that has records of its own or comes from another source, and when another
    writer adopted the article meanwhile; ``AlreadyChangedInGem`` for a post that changed here since its adoption.
    """
    source = Baseline.objects.filter(source_system=data.source_system, source_id=data.source_id)
    post = find_target(snapshot, source=source, lock=lock)
    target = _adoptable(post, data) if post else Target()
    if lock and target.baseline is None:
        lock_source(data.source_system, data.source_id)
        if source.exists():
            raise IdentityConflict(
                ["source_system", "source_id"], hint="Another client adopted it just now: send the same call again."
            )
    return target


def _adoptable(post: Post, data: AdoptPost) -> Target:
    baseline = Baseline.objects.filter(post=post).first()
    field = "external_id" if data.external_id is not None and data.external_id == post.external_id else "slug"
    if baseline is None:
        if PostStatus(post.status) not in _TAKEN_OVER or _has_records(post):
            hint = f"That post has a history of its own, which no import replaces: send another {field}."
            raise IdentityConflict([field], hint=hint)
    elif (baseline.source_system, baseline.source_id) != (data.source_system, data.source_id):
        hint = f"That post was adopted as another source_system and source_id: correct them, or send another {field}."
        raise IdentityConflict([field], hint=hint)
    elif _was_changed_here(post, baseline):
        raise AlreadyChangedInGem
    return Target(post, baseline)


def _has_records(post: Post) -> bool:
    return any(rows.exists() for rows in (post.revisions, post.publications, post.approvals, post.declarations))


def _was_changed_here(post: Post, baseline: Baseline) -> bool:
    """Return whether the post was withdrawn, published again, reviewed, moved or proposed to change here."""
    return (
        post.status != PostStatus.PUBLISHED
        or post.publications.exclude(entry_type=EntryType.ADOPTED.value).exists()
        or post.approvals.filter(kind=ApprovalKind.SENT.value).exists()
        or post.proposals.exists()
        or was_moved_here(post, baseline)
    )


def _assign_feed_id(edit: Edit, data: AdoptPost) -> None:
    """Take over the id that the article has in the feeds of the other system; without one the stored id stays."""
    if data.feed_id is None:
        return
    if is_feed_id_taken(data.feed_id, post_id=edit.post.pk):
        raise taken_feed_id()
    edit.post.feed_id = data.feed_id


@dataclass(frozen=True, slots=True)
class StoredAdoption:
    """The state that the transaction of an adoption leaves for the work after it."""

    stored: Stored
    baseline: Literal["new", "replaced"] | None = None
    redirects: int = 0


def _store_unless_repeated(
    edit: Edit, data: AdoptPost, old_paths: Sequence[str], baseline: Baseline | None
) -> StoredAdoption:
    """Store the article, unless the earlier adoption left exactly this."""
    paths = former_paths(data.old_slugs or (), old_paths, post=edit.post, baseline=baseline, now=edit.now)
    if baseline is not None and repeats(edit, data, baseline) and are_stored(paths, post=edit.post):
        return StoredAdoption(_stored(edit, data, Recorded(revision="same")))
    return _store_adoption(edit, data, baseline, paths)


def _store_adoption(edit: Edit, data: AdoptPost, baseline: Baseline | None, paths: list[FormerPath]) -> StoredAdoption:
    """Store the article as a public post with new records, which replace those of an earlier adoption."""
    if edit.is_new:
        insert_post(edit)
    if baseline is not None:
        _delete_adoption(edit, baseline)
    records = _record(edit, data)
    edit.post.publish_at = None
    store_post(edit, PostStatus.PUBLISHED, has_approvals=records.approval is not None)
    if declaration := declaration_to_append(edit, data):
        record_declaration(edit.post, declaration, actor=edit.recorded_actor, now=edit.now)
    if category := category_to_describe(edit, data):
        # Only while it is still empty: an editor may describe the category at the same time.
        still_empty = Category.objects.filter(pk=category.pk, description=category.description)
        still_empty.update(description=data.category_description, updated_at=edit.now)
    rewrite(paths, post=edit.post, now=edit.now)
    redirected = redirect_old_paths(edit, PostStatus.PUBLISHED)
    claim_moves(edit.post, now=edit.now)
    index_edit(edit)
    count_edit(edit)
    return StoredAdoption(
        _stored(edit, data, records, moved=redirected, former=paths),
        baseline="new" if baseline is None else "replaced",
        redirects=len(paths),
    )


def _delete_adoption(edit: Edit, baseline: Baseline) -> None:
    """Delete the records of an adoption that nothing followed; new ones must replace them in this transaction.

    The database itself refuses it for any other post.
    """
    post = edit.post
    with history_replaceable(post.pk):
        delete_history(Approval.objects.filter(post=post))
        delete_history(Publication.objects.filter(post=post))
        delete_history(Baseline.objects.filter(pk=baseline.pk))
        delete_history(Revision.objects.filter(pk=baseline.adopted_revision_id))
    note_replacement(post.pk, now=edit.now)
    edit.publications.clear()
    edit.revisions.clear()


def _record(edit: Edit, data: AdoptPost) -> Recorded:
    # An import has no draft that was written here: the revision is the work of the actor who adopts it.
    set_writer(edit.post, edit.recorded_actor)
    edit.post.unrecorded_made_by_ai = None
    revision, made = record_revision(edit)
    _record_baseline(edit, data, revision)
    approval = _record_earlier_approval(edit, data, revision)
    return Recorded(revision=made, publication=record_adopted(edit, revision), approval=approval)


def _record_baseline(edit: Edit, data: AdoptPost, revision: Revision) -> None:
    """Record what is known of the article; the lock on its source keeps other writers from adopting it meanwhile."""
    store_record(
        Baseline(
            post=edit.post,
            adopted_revision=revision,
            adopted_at=edit.now,
            created_at=edit.now,
            **edit.recorded_actor.columns("adopted_by"),
            **baseline_facts(data),
        )
    )


def _record_earlier_approval(edit: Edit, data: AdoptPost, revision: Revision) -> ApprovalKind | None:
    """Record the approval from before the adoption, if one is declared or imported."""
    facts = approval_facts(data)
    if facts is None:
        return None
    approval = Approval(
        post=edit.post, revision=revision, created_at=edit.now, **edit.recorded_actor.columns("recorded_by"), **facts
    )
    store_record(approval)
    return ApprovalKind(facts["kind"])


def _stored(
    edit: Edit,
    data: AdoptPost,
    records: Recorded,
    *,
    moved: tuple[MadeRedirect, ...] = (),
    former: Sequence[FormerPath] = (),
) -> Stored:
    """Return what the adoption left; one that recorded nothing has no signal. Call it inside the transaction."""
    approval = approval_facts(data)
    context = WriteContext(
        author_defaulted=edit.author_defaulted,
        facts_unchecked=approval is not None and not approval["facts_checked"],
        slug_moved=bool(moved),
        undated=undated(data),
        made=edit.made,
    )
    signal = signals.post_updated if edit.was_public else signals.post_published
    return Stored(
        post=read_post(edit.post.pk),
        signal=signal if records.publication else None,
        records=records,
        context=context,
        created=edit.is_new,
        changed=() if records.revision == "same" else tuple(edit.changed),
        redirected=(*moved, *(MadeRedirect(one.path, stored_post_path(edit.post.slug)) for one in former)),
        found=edit.found,
    )


def _describe_adoption(adoption: StoredAdoption, data: AdoptPost, *, now: datetime) -> Adopted:
    written = result_of(adoption.stored, now=now)
    return Adopted(
        post=written.post,
        created=written.created,
        records=written.records,
        label=written.label,
        findings=written.findings,
        changed=written.changed,
        redirected=written.redirected,
        known_codes=written.known_codes,
        own_findings=written.own_findings,
        baseline=adoption.baseline,
        redirects=adoption.redirects,
        dry_run=data.dry_run,
    )
